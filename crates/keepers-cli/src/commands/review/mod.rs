//! `keepers review`: every decision of recorded games with its loss, every roll with its luck.

mod export;
mod files;
mod players;
mod report;
mod words;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use keepers::advise::Prospect;
use keepers::against::Against;
use keepers::review::{Alone, Review, review};
use keepers::strategy::MOST_PLAYERS;
use keepers::{Card, Game, Objective, Record};

use crate::args;
use crate::bad_input::BadInput;
use crate::output;
use crate::session::{self, Session};
use files::Source;
use players::Players;
use words::Words;

/// One recorded game, judged.
struct Judged<'a> {
    /// The name of the file.
    name: &'a str,
    game: &'a Game,
    record: Record,
    /// The players that were asked for.
    reviews: Vec<Review>,
}

pub fn run(session: &Session, args: &args::Review) -> anyhow::Result<()> {
    let objective: Objective =
        args.objective.parse().map_err(|error| BadInput(format!("objective: {error}")))?;
    let (sources, several) = files::find(&args.files)?;
    let mut court = Court { session, args, objective: &objective, games: HashMap::new(), met: Vec::new() };
    let words = Words { objective: &objective };
    let mut players = Players::default();
    let mut refused = 0;
    let mut reviewed = 0;
    for source in &sources {
        let judged = match court.judge(source) {
            Ok(judged) => judged,
            Err(problem) if !several => return Err(problem.into()),
            Err(problem) => {
                refused += 1;
                anstream::eprintln!("keepers: {problem}");
                if session.json {
                    output::json(&export::refusal(&source.name, &problem.0))?;
                }
                continue;
            }
        };
        // Games of others than who was asked for.
        if judged.reviews.is_empty() {
            continue;
        }
        reviewed += 1;
        if session.json {
            output::json(&export::answer(&judged, &objective))?;
        } else if args.csv {
            let heading = if reviewed == 1 { export::HEADING } else { "" };
            let lines = heading.to_string() + &export::csv(&judged);
            if !lines.is_empty() {
                output::text(&lines)?;
            }
        } else if several {
            players.add(&judged, &words);
        } else {
            output::text(&report::page(&judged, &words, args.worst))?;
        }
    }
    court.check_player()?;
    if several && !session.json && !args.csv && reviewed > 0 {
        output::text(&players.show(&words, args.worst))?;
    }
    if refused == 0 {
        return Ok(());
    }
    let records = output::count(refused, "record was", "records were");
    let others = if reviewed > 0 { "; the others are reviewed" } else { "" };
    Err(BadInput(format!("{records} refused{others}")).into())
}

/// What games are worth: to each player as if alone, or against the others.
enum Judge {
    Alone(Box<dyn Prospect>),
    Against(Box<Against>),
}

/// How long the exact values of the rest of a game may take, if it is played against others.
const EXACT: Duration = Duration::from_secs(10);

/// Whoever judges, with what every game is worth.
struct Court<'a> {
    session: &'a Session,
    args: &'a args::Review,
    objective: &'a Objective,
    /// By the name of the rules.
    games: HashMap<String, (Arc<Game>, Judge)>,
    /// Everybody who played.
    met: Vec<String>,
}

impl Court<'_> {
    fn judge<'s>(&'s mut self, source: &'s Source) -> Result<Judged<'s>, BadInput> {
        let told = |error: &dyn std::fmt::Display| BadInput(format!("{}: {error}", source.name));
        let text = source.read().map_err(|error| told(&error))?;
        let rules = match &self.args.rules {
            Some(rules) => rules.clone(),
            None => source.rules(&text),
        };
        let (session, objective) = (self.session, self.objective);
        if !self.games.contains_key(&rules) {
            let game = session::game(&rules).map_err(|error| told(&error))?;
            // A damaged record is refused before anything is solved for it.
            Record::parse(&game, &text).map_err(|error| told(&error))?;
            let judge = match objective {
                Objective::Win => {
                    let against = session.engine.against(&game, EXACT).map_err(|error| told(&error))?;
                    Judge::Against(Box::new(against))
                }
                _ => {
                    let goal = session.goal(&game, objective).map_err(|error| told(&error))?;
                    let prospect = session.engine.prospect(&game, &Card::empty(&game), &goal);
                    Judge::Alone(prospect.map_err(|error| told(&error))?)
                }
            };
            self.games.insert(rules.clone(), (Arc::clone(&game), judge));
        }
        let (game, judge) = &self.games[&rules];
        let record = Record::parse(game, &text).map_err(|error| told(&error))?;
        for name in record.players() {
            if !self.met.contains(name) {
                self.met.push(name.clone());
            }
        }
        if matches!(judge, Judge::Against(_)) && !(2..=MOST_PLAYERS).contains(&record.players().len()) {
            let players = output::count(record.players().len(), "player", "players");
            return Err(told(&format!(
                "{players} cannot be judged by win: that takes 2 to {MOST_PLAYERS} players"
            )));
        }
        let asked = |name: &String| self.args.player.as_ref().is_none_or(|player| player == name);
        let asked = record.players().iter().enumerate().filter(|(_, name)| asked(name));
        let reviews = asked.map(|(player, _)| match judge {
            Judge::Alone(prospect) => review(game, &record, player, &Alone(&**prospect)),
            Judge::Against(against) => review(game, &record, player, &**against),
        });
        let reviews = reviews.collect();
        Ok(Judged { name: &source.name, game, record, reviews })
    }

    /// A player who was asked for must have played.
    fn check_player(&self) -> Result<(), BadInput> {
        match &self.args.player {
            Some(name) if !self.met.is_empty() && !self.met.contains(name) => Err(BadInput(format!(
                "player: nobody called \"{name}\" plays here: the players are {}",
                self.met.join(", ")
            ))),
            _ => Ok(()),
        }
    }
}
