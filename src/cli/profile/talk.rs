//! A conversation in lines: what is said goes one way, answers come the other.

use std::io::{self, BufRead, Read, Write};

/// Somebody to talk to. An answer that never comes is the end of the conversation.
pub(super) struct Talk<I, O> {
    input: I,
    output: O,
}

/// What a person can answer to every question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Text; empty where only Enter was pressed.
    Text(String),
    /// One question back.
    Back,
    /// Leave everything as it is. Also the end of the input.
    Quit,
}

impl<I: BufRead, O: Write> Talk<I, O> {
    pub(super) const fn new(input: I, output: O) -> Self {
        Self { input, output }
    }

    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Asks and waits for a line.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Said> {
        write!(self.output, "{prompt} ")?;
        self.output.flush()?;
        let mut line = Vec::new();
        let read = (&mut self.input).take(LINE_MAX).read_until(b'\n', &mut line)?;
        if read == 0 {
            self.say("")?;
            return Ok(Said::Quit);
        }
        let line = String::from_utf8_lossy(&line);
        Ok(match line.trim() {
            "b" | "B" => Said::Back,
            "q" | "Q" => Said::Quit,
            text => Said::Text(text.to_owned()),
        })
    }
}

/// Nobody types more than this in answer to a question.
const LINE_MAX: u64 = 10_000;
