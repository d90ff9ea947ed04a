//! `keepers ask`: answers requests from other programs, one JSON object per line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

use keepers::internals::text::byte_size;
use keepers_api::{Kind, Refusal};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::args::Ask;
use crate::bad_input::BadInput;
use crate::output::{self, escaped};
use crate::read;
use crate::session::Session;

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    /// The name of the question.
    ask: String,
    /// The fields of the question; `None` stands for no fields.
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

pub fn run(session: &Session, args: &Ask) -> anyhow::Result<()> {
    if args.file.as_os_str() == "-" {
        return answer_all(session, io::stdin().lock());
    }
    let refused = |error: &dyn std::fmt::Display| {
        let name = escaped(&args.file.display().to_string());
        BadInput(format!("cannot read {name}: {error}"))
    };
    let found = std::fs::metadata(&args.file).map_err(|error| refused(&error))?;
    if !found.is_file() {
        return Err(refused(&"it is not a regular file (use - for standard input)").into());
    }
    answer_all(session, BufReader::new(File::open(&args.file).map_err(|error| refused(&error))?))
}

fn answer_all(session: &Session, mut input: impl BufRead) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut refused = 0;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if (&mut input).take(read::MOST_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 > read::MOST_BYTES {
            let most = byte_size(read::MOST_BYTES.into());
            return Err(BadInput(format!("line {number} is longer than {most}")).into());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answered = answer(session, &line);
        session.observer.clear();
        let mut answer = match answered {
            Ok(answer) => answer,
            Err(refusal) => {
                refused += 1;
                output::note(&format!("line {number}: {refusal}"));
                serde_json::to_vec(&refusal.body())?
            }
        };
        answer.push(b'\n');
        out.write_all(&answer)?;
        // The other program may wait for this answer before it sends the next request.
        out.flush()?;
    }
    if refused == 0 {
        return Ok(());
    }
    let requests = output::count(refused, "request was", "requests were");
    Err(BadInput(format!("{requests} refused; all others were answered")).into())
}

fn answer(session: &Session, line: &[u8]) -> Result<Vec<u8>, Refusal> {
    let Line { ask, request } = serde_json::from_slice(line).map_err(|error| {
        let right = "a line looks like {\"ask\": \"advise\", \"request\": {\"roll\": \"33566\"}}";
        Refusal::new(Kind::Malformed, format!("not a request ({error}): {right}"))
    })?;
    let fields = request.map_or("{}", RawValue::get);
    session.service.ask(&ask, fields.as_bytes(), &session.observer)
}
