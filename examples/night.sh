#!/bin/sh
# Books the sheets that lie in inbox/, each by itself, for a job that nobody watches.
#
#   night.sh [FOLDER]      the folder that holds inbox/, and shipsheet.toml if there is one
#
#   inbox/  what is to be booked; what could not be sent stays here and is tried again by the next run
#   done/   sheets of which every order is booked
#   look/   sheets that a person must look at, with the rows that failed beside them
#   log/    what was said
#
# It mails what it has to say, and ends with the gravest exit code of all: 1 (something could not run), 6, 5, 4, 3 or 0.
# It may be run again at any time: nothing is booked twice.

limits="--max-failures 25" # for instance also: --deadline 45m
mail_to=${MAILTO:-shipping@example.com}
PATH="$PATH:$HOME/.cargo/bin" # cron knows few folders

cd "${1:-.}" && mkdir -p inbox done look log || exit 1
now=$(date +%Y-%m-%d-%H%M%S)-$$
log=log/$now.txt
: >"$log" || exit 1
worst=0
gravest=

# Notes how something ended; 9 stands for whatever could not run.
ended() { # CODE TEXT
  echo "-> $2 (exit code $1)" >>"$log"
  case $1 in 0 | 3 | 4 | 5 | 6) grave=$1 ;; *) grave=9 ;; esac
  [ "$grave" -le "$worst" ] || { worst=$grave gravest=$2; }
}

put() { # SHEET FOLDER
  mv "$1" "$2/$now-${1#inbox/}" 2>>"$log" || ended 1 "a sheet could not be moved to $2: it is still in the inbox"
}

book() { # SHEET
  echo "== $1" >>"$log"
  rejects=look/$now-${1#inbox/}-rejects.xlsx
  shipsheet import "$1" --yes $limits --rejects "$rejects" >>"$log" 2>&1
  code=$?
  # Where the sheet itself cannot be read, waiting does not help. Only 1 says so: with 3, some of its rows are wrong, and the
  # good ones are still to be booked.
  if [ $code -eq 1 ]; then
    shipsheet check "$1" --quiet >/dev/null 2>&1
    [ $? -ne 1 ] || code=3
  fi
  case $code in 3 | 4 | 6) ;; *) rm -f "$rejects" ;; esac
  case $code in
  0) ended 0 "all booked, filed in done" && put "$1" "done" ;;
  3) ended 3 "a sheet has problems and nothing of it was sent, filed in look" && put "$1" look ;;
  4) ended 4 "some orders failed, filed in look" && put "$1" look ;;
  5) ended 5 "orders are outstanding, the sheet is still in the inbox" ;;
  6) ended 6 "orders are in doubt, filed in look" && put "$1" look ;;
  *) ended $code "a sheet could not be booked, it is still in the inbox" ;;
  esac
}

# Orders that an earlier night left outstanding go first. Where that cannot run, no sheet can.
shipsheet resume --yes $limits >>"$log" 2>&1
code=$?
case $code in
0) ;;
3) ended 3 "orders of an earlier night have problems" ;;
4) ended 4 "orders of an earlier night failed" ;;
5) ended 5 "orders of an earlier night are still outstanding" ;;
6) ended 6 "orders are in doubt" ;;
*) ended $code "shipsheet cannot run, all sheets are still in the inbox" ;;
esac

if [ "$worst" -ne 9 ]; then
  for sheet in inbox/*; do
    # Excel keeps a file of its own beside a sheet that is open.
    case $sheet in 'inbox/~$'*) continue ;; esac
    [ ! -f "$sheet" ] || book "$sheet"
  done
fi

[ "$worst" -eq 0 ] || mail -s "shipsheet: $gravest" "$mail_to" <"$log"
[ "$worst" -ne 9 ] || worst=1
exit "$worst"
