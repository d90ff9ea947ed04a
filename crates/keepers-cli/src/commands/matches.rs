//! `keepers match`: plays computer players against each other.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, anyhow};
use keepers::answers::PlayedGame;
use keepers::internals::tables::file::{check_writable, replace};
use keepers::{Game, Observer, Player};
use keepers_api::{LeaguePlayer, MatchAnswer, MatchRequest, PlayedMatch, RecordNames};

use crate::args::Match;
use crate::bad_input::BadInput;
use crate::inputs::Inputs;
use crate::output::{self, escaped};
use crate::session::Session;

pub fn run(session: &Session, args: &Match) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let players: Vec<String> = args.players.split(',').map(|name| name.trim().to_string()).collect();
    let objectives: Vec<_> = players
        .iter()
        .filter_map(|name| match name.parse() {
            Ok(Player::For(objective)) => Some(objective),
            _ => None,
        })
        .collect();
    let utilities = inputs.utilities("players", &objectives);
    if let Some(directory) = &args.records {
        inputs.note("records", check_unused(directory));
    }
    let request = MatchRequest {
        rules,
        players,
        utilities,
        games: args.games,
        seed: args.seed.into(),
        same_dice: args.same_dice,
        league: args.league,
        records: false,
    };
    let Some(directory) = &args.records else { return show(session, &inputs.ask(&request)?) };
    // Problems with the directory are reported before anything is solved.
    inputs.check(&request)?;
    let records = Records::new(directory)?;
    let watch = |names: &RecordNames, game: &Game, nth: u64, played: &PlayedGame| {
        records.write(names, game, nth, played);
    };
    let answer = inputs
        .answer(&request, |request, observer| request.play(&session.service, Some(&watch), observer))?;
    records.finish()?;
    if !session.quiet {
        let written = output::count(args.games as usize, "record", "records");
        session
            .observer
            .notice(&format!("{written} written to {}", escaped(&directory.display().to_string())));
    }
    show(session, &answer)
}

fn show(session: &Session, answer: &MatchAnswer) -> anyhow::Result<()> {
    if session.json {
        return output::json(answer);
    }
    output::text(&match answer {
        MatchAnswer::Match(played) => page(played),
        MatchAnswer::League { games, seed, players, .. } => league(*games, *seed, players),
    })
}

fn page(played: &PlayedMatch) -> String {
    let rows = played.players.iter().map(|of| {
        let (low, high) = of.win_interval;
        vec![
            escaped(&of.strategy),
            format!("{:.3} % ({:.1} to {:.1})", 100.0 * of.win, 100.0 * low, 100.0 * high),
            output::percent(of.draw),
            output::percent(of.loss),
            // Two standard errors: a 95 % confidence interval.
            output::with_error(of.rank, 2.0 * of.rank_error, 4),
            output::with_error(of.mean, 2.0 * of.mean_error, 2),
            output::if_known(of.sd, 2),
        ]
    });
    let headings = ["player", ">wins", ">draws", ">losses", ">rank", ">mean", ">deviation"];
    let games = output::count(played.games as usize, "game", "games");
    format!("{}\n\n{games}, seed {}; intervals are 95 %", output::table(&headings, rows), played.seed)
}

fn league(games: u64, seed: u64, players: &[LeaguePlayer]) -> String {
    let others: Vec<String> = players.iter().map(|of| format!(">{}", escaped(&of.strategy))).collect();
    let headings: Vec<&str> =
        ["player", ">result"].into_iter().chain(others.iter().map(String::as_str)).collect();
    let rows = players.iter().map(|of| {
        let result = output::with_error(100.0 * of.result, 200.0 * of.result_error, 2);
        let mut row = vec![escaped(&of.strategy), format!("{result} %")];
        row.extend(of.against.iter().map(|against| match against {
            Some(result) => format!("{:.2} %", 100.0 * result),
            None => "-".to_string(),
        }));
        row
    });
    let games = output::count(games as usize, "game", "games");
    format!(
        "{}\n\n{games} per pair, seed {seed}; a draw is half a win, ± is the 95 % interval",
        output::table(&headings, rows),
    )
}

/// Refuses a directory with records or a rules file, so that a new match cannot overwrite those of another.
fn check_unused(directory: &Path) -> Result<(), String> {
    let name = escaped(&directory.display().to_string());
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| format!("cannot write to {name}: {error}"))?,
    };
    for entry in entries {
        let file = entry.map_err(|error| format!("cannot read {name}: {error}"))?.path();
        let is_record = file.extension().is_some_and(|ending| ending == "game");
        let is_rules = file.file_name().is_some_and(|file| file == RecordNames::RULES_FILE);
        if is_record || is_rules {
            let found = escaped(&file.file_name().unwrap_or_default().to_string_lossy());
            return Err(format!(
                "{name} contains files of another match, like {found}: remove them, or use another directory"
            ));
        }
    }
    Ok(())
}

/// Writes the records of a match to a directory.
struct Records<'a> {
    directory: &'a Path,
    /// Initialised once the rules file is written, before the first record that names it.
    rules: OnceLock<()>,
    failed: Mutex<Option<anyhow::Error>>,
}

impl Records<'_> {
    fn new(directory: &Path) -> anyhow::Result<Records<'_>> {
        fs::create_dir_all(directory)
            .and_then(|()| check_writable(&directory.join(RecordNames::RULES_FILE)))
            .map_err(|error| {
                let name = escaped(&directory.display().to_string());
                BadInput(format!("records: cannot write to {name}: {error}"))
            })?;
        Ok(Records { directory, rules: OnceLock::new(), failed: Mutex::new(None) })
    }

    /// Writes the record of a game, completely or not at all. Keeps the first error for [`Records::finish`].
    fn write(&self, names: &RecordNames, game: &Game, nth: u64, played: &PlayedGame) {
        if let Err(error) = self.try_write(names, game, nth, played) {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn try_write(
        &self,
        names: &RecordNames,
        game: &Game,
        nth: u64,
        played: &PlayedGame,
    ) -> anyhow::Result<()> {
        if names.need_rules_file() {
            let mut written = Ok(());
            self.rules.get_or_init(|| {
                written = self.put(RecordNames::RULES_FILE, &game.rules().to_toml());
            });
            written?;
        }
        let record = names.record(game, nth, played).map_err(|error| anyhow!("{error}"))?;
        self.put(&format!("{nth:06}.game"), &record)
    }

    fn put(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.directory.join(name);
        replace(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", escaped(&path.display().to_string())))
    }

    fn finish(self) -> anyhow::Result<()> {
        self.failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}
