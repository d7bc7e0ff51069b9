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

/// The way in which a conversation goes on.
pub(super) enum Step {
    Done,
    Back,
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

    /// Asks until one of several options is chosen by its number or its name, or by Enter alone where that stands for something. It
    /// gives the place of what was chosen, or the step that is taken instead.
    pub(super) fn choose<T: AsRef<str>>(
        &mut self,
        prompt: &str,
        options: &[T],
        enter: Option<usize>,
    ) -> io::Result<Result<usize, Step>> {
        loop {
            let answer = match self.ask(prompt)? {
                Said::Back => return Ok(Err(Step::Back)),
                Said::Quit => return Ok(Err(Step::Quit)),
                Said::Text(text) => text,
            };
            let is_named = |option: &T| !answer.is_empty() && option.as_ref().eq_ignore_ascii_case(&answer);
            let number = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let by_number = number.filter(|index| *index < options.len());
            let by_name = || options.iter().position(is_named);
            match by_number.or_else(by_name).or_else(|| enter.filter(|_| answer.is_empty())) {
                Some(index) => return Ok(Ok(index)),
                None => self.say("  Type one of the numbers or letters above.")?,
            }
        }
    }
}

/// Nobody types more than this in answer to a question.
const LINE_MAX: u64 = 10_000;
