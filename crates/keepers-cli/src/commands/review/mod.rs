//! `keepers review`: every decision of recorded games with its loss, every roll with its luck.

mod export;
mod files;
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

/// How many seconds the exact values of the rest of a game may take, if it is played against others.
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
            // A game of other players than the one asked for.
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
            players.add(&source.name, &answer, &words);
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
    let others = if reviewed > 0 { "; the others are reviewed" } else { "" };
    Err(BadInput(format!("{records} refused{others}")).into())
}

/// Rules of the command line, which take precedence over those that a record names. The service prefers TOML to the name
/// in a record.
fn given_rules(name: &str) -> Result<String, String> {
    Ok(Rules::preset(name).map_or(rules_text(name)?, |rules| rules.to_toml()))
}

/// A problem of a record has the name of its file; the problem of another field has both.
fn in_file(file: &str, field: &str) -> String {
    let file = escaped(file);
    if field == "record" { file } else { format!("{file}: {}", field.replace('_', "-")) }
}

/// Judges records.
struct Court<'a> {
    session: &'a Session,
    args: &'a args::Review,
    aim: &'a Aim,
    /// The rules of the command line.
    rules: Option<String>,
    /// Everybody who played.
    met: Vec<String>,
}

impl Court<'_> {
    /// A record, judged; `None` if it is one of several and the player asked for did not play.
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
        };
        let answer = request.answer(&self.session.service, &self.session.observer);
        self.session.observer.clear();
        answer.map(Some)
    }

    /// Whether the player asked for plays in a record. In a record that cannot be read anybody may play.
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

    /// A player who was asked for must have played.
    fn check_player(&self) -> Result<(), BadInput> {
        match &self.args.player {
            Some(name) if !self.met.is_empty() && !self.met.contains(name) => Err(BadInput(format!(
                "player: nobody called \"{}\" plays here: the players are {}",
                keepers::internals::text::quote(name),
                self.met.join(", ")
            ))),
            _ => Ok(()),
        }
    }
}
