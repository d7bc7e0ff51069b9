#!/bin/sh
# macOS: a double click opens the desk. The program is beside this file, or installed. Closing the window closes the desk.
PATH="$(cd "$(dirname "$0")" && pwd):$HOME/.cargo/bin:/usr/local/bin:/opt/homebrew/bin:$PATH"
exec shipsheet desk
