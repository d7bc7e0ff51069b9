//! What a person types at a terminal: a line, or a secret of which nothing is seen.

use std::io::{self, Write};

use anyhow::{Result, bail};

use super::screen::terminal::Screen;

/// What is said where somebody ends the questions.
const ENDED: &str = "ended before the last question: nothing was written";

/// Asks for a line. Whoever ends the input ends the command.
pub(super) fn line(question: &str) -> Result<String> {
    show(question)?;
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer)? {
        0 => bail!(ENDED),
        _ => Ok(answer.trim().to_owned()),
    }
}

/// Asks for a text that nobody is to see.
pub(super) fn secret(question: &str) -> Result<String> {
    let typed = unseen::line(|| show(question));
    if cfg!(unix) {
        // The end of the line was not seen either.
        show("\n")?;
    }
    match typed? {
        Some(text) => Ok(text.trim().to_owned()),
        None => bail!(ENDED),
    }
}

fn show(text: &str) -> io::Result<()> {
    let mut screen = Screen::default();
    write!(screen, "{text}").and_then(|()| screen.flush())
}

#[cfg(unix)]
mod unseen {
    use std::io::{self, Read};

    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

    const END_OF_TEXT: u8 = 3;
    const END_OF_INPUT: u8 = 4;
    const BACKSPACE: u8 = 8;
    const CLEAR: u8 = 21;
    const DELETE: u8 = 127;

    /// Asks, and reads up to the end of the line; nothing where somebody ends it all.
    pub(super) fn line(ask: impl FnOnce() -> io::Result<()>) -> io::Result<Option<String>> {
        // What is typed before the question shows is not seen either.
        let _unseen = Terminal::begin()?;
        ask()?;
        let (mut typed, mut key) = (Vec::<u8>::new(), [0]);
        while io::stdin().read(&mut key)? == 1 {
            match key[0] {
                b'\r' | b'\n' => return Ok(Some(String::from_utf8_lossy(&typed).into_owned())),
                END_OF_TEXT | END_OF_INPUT => return Ok(None),
                // The last character, whatever its length.
                BACKSPACE | DELETE => while typed.pop().is_some_and(|byte| (0x80..0xc0).contains(&byte)) {},
                CLEAR => typed.clear(),
                byte if byte < b' ' => {}
                byte => typed.push(byte),
            }
        }
        Ok(None)
    }

    /// A terminal that shows nothing of what is typed, until it is dropped.
    struct Terminal {
        before: Termios,
    }

    impl Terminal {
        fn begin() -> io::Result<Self> {
            let before = tcgetattr(io::stdin())?;
            let mut now = before.clone();
            // Ctrl-C comes as a key: ended by a signal, the program would leave a terminal that shows nothing.
            now.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
            now.special_codes[SpecialCodeIndex::VMIN] = 1;
            now.special_codes[SpecialCodeIndex::VTIME] = 0;
            tcsetattr(io::stdin(), OptionalActions::Now, &now)?;
            Ok(Self { before })
        }
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
        }
    }
}

#[cfg(windows)]
mod unseen {
    use std::io;

    use console::Term;

    /// Asks, and reads up to the end of the line.
    pub(super) fn line(ask: impl FnOnce() -> io::Result<()>) -> io::Result<Option<String>> {
        ask()?;
        Term::stderr().read_secure_line().map(Some)
    }
}
