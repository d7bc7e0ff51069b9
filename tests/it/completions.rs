//! Completions and manual pages name every command of the help.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::rig::Rig;
use crate::tables::subcommands;

/// Every command of the help, and those below it, as words.
fn commands(rig: &Rig) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = subcommands(rig, &[]).into_iter().map(|name| vec![name]).collect();
    let mut at = 0;
    while at < found.len() {
        let words = found[at].clone();
        let names: Vec<&str> = words.iter().map(String::as_str).collect();
        found.extend(subcommands(rig, &names).into_iter().map(|name| [&words[..], &[name]].concat()));
        at += 1;
    }
    assert!(found.len() > 50, "{found:?}");
    found
}

#[test]
fn completions_of_each_shell_name_every_command() {
    let rig = Rig::alone();
    let commands = commands(&rig);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = rig.run(&["completions", shell]).exits(0).stdout.clone();
        for words in &commands {
            let (last, before) = words.split_last().unwrap();
            let named = match shell {
                "bash" => format!("shipsheet{},{last})", below(before).replace('-', "__subcmd__")),
                "zsh" => format!("_shipsheet{}_commands", below(words)),
                "powershell" => format!("'shipsheet;{}' {{", words.join(";")),
                _ => format!(" -a \"{last}\""),
            };
            let line = script.lines().find(|line| {
                line.contains(&named) && (shell != "fish" || before.iter().all(|word| line.contains(word.as_str())))
            });
            assert!(line.is_some(), "{shell}: {named} is missing");
        }
        parses(shell, &script);
    }
}

/// Words as they stand in the names of functions.
fn below(words: &[String]) -> String {
    let words: Vec<&str> = std::iter::once("").chain(words.iter().map(String::as_str)).collect();
    words.join("__subcmd__")
}

#[cfg(unix)]
#[test]
fn bash_completes_a_command_below_another_and_its_options() {
    let rig = Rig::alone();
    let script = rig.run(&["completions", "bash"]).exits(0).stdout.clone();
    for (typed, offered) in [("ledger b", "backup"), ("ledger station-off --b", "--because"), ("completions zs", "zsh")]
    {
        let words: Vec<&str> = std::iter::once("shipsheet").chain(typed.split(' ')).collect();
        let (last, before) = words.split_last().unwrap();
        let line = format!(
            "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_shipsheet shipsheet '{last}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            before.len(),
            before.last().unwrap()
        );
        let file = rig.file("tab.sh", &line);
        let output = Command::new("bash").arg(file).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.lines().any(|word| word == offered), "{typed}: {output:?}");
    }
}

/// The shell itself takes its script; shells that are not on this machine are left out, Bash never is.
fn parses(shell: &str, script: &str) {
    if !cfg!(unix) || shell == "powershell" {
        return;
    }
    let command = Command::new(shell).arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = command else {
        assert_ne!(shell, "bash", "there is no Bash on this machine");
        return;
    };
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{shell}: {said}");
}

#[test]
fn each_command_has_a_manual_page() {
    let rig = Rig::alone();
    let said = rig.run(&["completions", "man", "--to", "share/man1"]).exits(0).stderr.clone();
    let mut pages: Vec<String> = vec!["shipsheet.1".to_owned()];
    pages.extend(commands(&rig).iter().map(|words| format!("shipsheet-{}.1", words.join("-"))));
    assert!(said.contains(&format!("{} manual pages", pages.len())), "{said}");
    for name in &pages {
        let page = rig.read(&format!("share/man1/{name}"));
        assert!(page.contains(&format!(".TH {} 1", name.trim_end_matches(".1"))), "{page}");
    }
    // The pages of an earlier version are replaced; anything else is not ours.
    rig.run(&["completions", "man", "--to", "share/man1"]).exits(0);
    rig.file("share/man1/shipsheet-runs.1", "notes of my own");
    rig.run(&["completions", "man", "--to", "share/man1"]).exits(1).says("is not overwritten");
    assert_eq!(rig.read("share/man1/shipsheet-runs.1"), "notes of my own");
    rig.run(&["completions", "man"]).exits(2).says("--to");
    rig.run(&["completions", "zsh", "--to", "."]).exits(2).says("standard output");
}
