//! `keepers review`: shows the loss of every decision and the luck of every roll of recorded games.

mod export;
pub mod files;
mod players;
mod report;
mod words;

use keepers::{Record, Rules};
use keepers_api::{Kind, Question, Refusal, ReviewAnswer, ReviewRequest, rules_of_record};

use crate::args;
use crate::bad_input::BadInput;
use crate::inputs::{Aim, Inputs, rules_text};
use crate::output::{self, escaped};
use crate::session::{Session, refused};
use files::Source;
use players::Players;
use words::Words;

/// Seconds to spend on exact values of a position with opponents.
const EXACT: f64 = 10.0;

pub fn run(session: &Session, args: &args::Review) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let aim = inputs.aim("objective", &args.objective);
    let rules = args.rules.as_deref().and_then(|name| inputs.note("rules", given_rules(name)));
    inputs.finish()?;
    let (sources, several) = files::find(&args.files)?;
    let words = Words { objective: &aim.shown };
    let mut court = Court { session, args, aim: &aim, rules, met: Vec::new() };
    let (mut players, mut refusals, mut reviewed) = (Players::default(), 0, 0);
    for source in &sources {
        let answer = match court.judge(source, several) {
            Ok(Some(answer)) => answer,
            // The requested player is not in this game.
            Ok(None) => continue,
            Err(refusal) if !several || refusal.kind == Kind::OutOfMemory => {
                return Err(refused(&refusal, |field| in_file(&source.name, field)));
            }
            Err(refusal) => {
                refusals += 1;
                output::note(&refusal.with_fields(|field| in_file(&source.name, field)));
                if session.json {
                    output::json(&export::refusal(&source.name, &refusal))?;
                }
                continue;
            }
        };
        reviewed += 1;
        if session.json {
            output::json(&answer)?;
        } else if args.csv {
            let heading = if reviewed == 1 { export::HEADING } else { "" };
            let lines = heading.to_string() + &export::csv(&source.name, &answer);
            if !lines.is_empty() {
                output::text(&lines)?;
            }
        } else if several {
            players.add(&source.name, answer, &words);
        } else {
            output::text(&report::page(&answer, &words, args.worst))?;
        }
    }
    court.check_player()?;
    if several && !session.json && !args.csv && reviewed > 0 {
        output::text(&players.show(&words, args.worst))?;
    }
    if refusals == 0 {
        return Ok(());
    }
    let records = output::count(refusals, "record was", "records were");
    let others = if reviewed > 0 { "; all others were reviewed" } else { "" };
    Err(BadInput(format!("{records} refused{others}")).into())
}

/// Reads the rules of the command line as TOML, because the service prefers TOML to the rules that a record names.
fn given_rules(name: &str) -> Result<String, String> {
    Ok(Rules::preset(name).map_or(rules_text(name)?, |rules| rules.to_toml()))
}

/// Returns the name of a field in messages: the file for the record itself, the file and the field for other fields.
fn in_file(file: &str, field: &str) -> String {
    let file = escaped(file);
    if field == "record" { file } else { format!("{file}: {}", field.replace('_', "-")) }
}

/// Reviews records.
struct Court<'a> {
    session: &'a Session,
    args: &'a args::Review,
    aim: &'a Aim,
    /// The rules of the command line.
    rules: Option<String>,
    /// The players of all records so far.
    met: Vec<String>,
}

impl Court<'_> {
    /// Reviews a record. Returns `None` if it is one of several and does not have the requested player.
    fn judge(&mut self, source: &Source, several: bool) -> Result<Option<ReviewAnswer>, Refusal> {
        let refused = |error: String| Refusal::invalid("record", error);
        let record = source.read().map_err(refused)?;
        let rules = match &self.rules {
            Some(rules) => Some(rules.clone()),
            None => source.rules(&record).map_err(refused)?,
        };
        if several && self.args.player.is_some() && !self.plays(&record, rules.as_deref()) {
            return Ok(None);
        }
        let request = ReviewRequest {
            record,
            rules,
            objective: self.aim.objective.clone(),
            utility: self.aim.utility.clone(),
            seconds: Some(EXACT),
            player: self.args.player.clone(),
            file: Some(source.name.clone()),
            why: self.args.why,
        };
        let answer = request.answer(&self.session.service, &self.session.observer);
        self.session.observer.clear();
        answer.map(Some)
    }

    /// Returns whether the requested player is in a record, and `true` if the record cannot be read.
    fn plays(&mut self, record: &str, rules: Option<&str>) -> bool {
        let Ok(ready) = self.session.service.game(rules_of_record(record, rules)) else { return true };
        let Ok(record) = Record::parse(ready.game(), record) else { return true };
        for name in record.players() {
            if !self.met.contains(name) {
                self.met.push(name.clone());
            }
        }
        record.players().iter().any(|name| Some(name) == self.args.player.as_ref())
    }

    /// Refuses a requested player who is in none of the records.
    fn check_player(&self) -> Result<(), BadInput> {
        match &self.args.player {
            Some(name) if !self.met.is_empty() && !self.met.contains(name) => Err(BadInput(format!(
                "player: \"{}\" is in none of the records: their players are {}",
                keepers::internals::text::quote(name),
                self.met.join(", ")
            ))),
            _ => Ok(()),
        }
    }
}
