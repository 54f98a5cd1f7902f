//! Redacts a text that comes in parts: each is given out as soon as it is whole, and searched with
//! what came before it in view.

use super::{MARK, redact};

/// Most bytes given out before that are still looked at.
const BEHIND: usize = 8_192;

/// Most bytes held back because they may go on.
const HELD: usize = 65_536;

/// A text that comes in parts.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// The end of what was given out, in whole lines.
    behind: String,
    /// What has come and may still become part of a secret.
    held: String,
}

impl Stream {
    /// Takes `lines`, which end as lines do, and gives what can be given out by now.
    pub(crate) fn push(&mut self, lines: &str) -> String {
        self.held.push_str(lines);
        if goes_on(&self.held) && self.held.len() < HELD {
            return String::new();
        }
        self.finish()
    }

    /// Gives out what was held back, for nothing more comes or none is waited for.
    pub(crate) fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        let whole = redact(&format!("{}{held}", self.behind)).text;
        let given = if whole == MARK {
            // What was built to cost much shall not take its neighbours with it.
            held.split_inclusive('\n').map(line).collect()
        } else if let Some(given) = whole.strip_prefix(self.behind.as_str()) {
            given.to_owned()
        } else {
            // What came before turns out to be part of a secret: it is out, what follows goes.
            let mut same = whole.bytes().zip(self.behind.bytes());
            let same = same.position(|(new, old)| new != old);
            let from = whole.floor_char_boundary(same.unwrap_or(self.behind.len()));
            whole.get(from..).unwrap_or_default().to_owned()
        };
        self.behind.push_str(&given);
        let from = self
            .behind
            .ceil_char_boundary(self.behind.len().saturating_sub(BEHIND));
        let near = self.behind.get(from..).unwrap_or_default();
        // In part, a line could be taken for another.
        let cut = if from == 0 {
            0
        } else {
            near.find('\n').map_or(near.len(), |end| end + 1)
        };
        self.behind = near.get(cut..).unwrap_or_default().to_owned();
        given
    }
}

/// A line by itself, with its end.
fn line(line: &str) -> String {
    let text = line.trim_end_matches(['\r', '\n']);
    redact(text).text + line.get(text.len()..).unwrap_or_default()
}

/// Whether a value at the end of `text` may have its rest on the next line.
fn goes_on(text: &str) -> bool {
    let end = text.trim_end();
    let continued = end.ends_with(['\\', '^', '`', '+', '&', '=', ':', '|', '>', '(']);
    let quoted = ["\"\"\"", "'''"]
        .iter()
        .any(|quote| text.matches(quote).count() % 2 == 1);
    let begun = text.rfind("BEGIN ").is_some_and(|begin| {
        let block = text.get(begin..).unwrap_or_default();
        block.contains("PRIVATE KEY") && !block.contains("END ")
    });
    continued || quoted || begun
}

#[cfg(test)]
mod tests {
    use super::super::redact;
    use super::Stream;

    /// What a stream gives for `parts`, one string for each and one for the end.
    fn given(parts: &[&str]) -> Vec<String> {
        let mut stream = Stream::default();
        let mut given: Vec<String> = parts.iter().map(|part| stream.push(part)).collect();
        given.push(stream.finish());
        given
    }

    #[test]
    fn a_line_is_given_out_as_it_comes() {
        assert_eq!(
            given(&["a\n", "TOKEN=x9y8\n", "b\n"]),
            ["a\n", "TOKEN=«redacted»\n", "b\n", ""]
        );
    }

    #[test]
    fn a_secret_on_lines_of_its_own_goes_however_it_comes() {
        for text in [
            "export TOKEN=ab\\\ncdef9gh\nnext\n",
            "password:\n  winter99\nnext: 1\n",
            "- name: API_TOKEN\n  value: winter99\n",
            "curl \\\n  -u bob:winter99 \\\n  https://h\nnext\n",
            "password = \"\"\"\nwinter99\n\"\"\"\nnext\n",
            "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEAxyz123\nMIIEpAIBAAKCAQEAxyz124\n-----END PRIVATE KEY-----\nnext\n",
            "kind: Secret\ndata:\n  a: aHVudGVyMng=\n  b: aHVudGVyMnk=\n",
            "{\"name\": \"API_TOKEN\",\n \"value\": \"winter99\"}\n",
            "t = \"a9b8c7d6e5\" +\n  \"f4g3h2\"\n",
        ] {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            assert_eq!(given(&lines).concat(), redact(text).text, "{text}");
        }
    }

    #[test]
    fn what_is_held_back_is_bounded() {
        let mut stream = Stream::default();
        let line = "a line that goes on \\\n";
        let mut taken = 0;
        while stream.push(line).is_empty() {
            taken += line.len();
            assert!(taken < 100_000);
        }
        assert!(stream.behind.len() <= 8_192);
    }

    #[test]
    fn a_line_that_is_built_to_cost_much_takes_no_other_with_it() {
        let crafted = "token=token=a\"".repeat(700);
        let text = format!("before\n{crafted}\nafter TOKEN=x9y8\n");
        assert_eq!(
            given(&[&text]).concat(),
            "before\n«redacted»\nafter TOKEN=«redacted»\n"
        );
    }
}
