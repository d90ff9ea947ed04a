//! `keepers match`: players against each other.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use keepers::matches::{MatchRules, Outcome, PlayedGame, play_match};
use keepers::strategy::{MOST_PLAYERS, Player, Strategy};
use keepers::{Game, Record, Rules};
use serde::Serialize;

use crate::args::Match;
use crate::bad_input::{BadInput, Problems};
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    rules: String,
    games: u64,
    seed: u64,
    players: Vec<PlayerAnswer>,
}

#[derive(Serialize)]
struct PlayerAnswer {
    strategy: String,
    /// Shares of the games.
    win: f64,
    win_error: f64,
    /// Where the true share is with a probability of about 95 %.
    win_interval: (f64, f64),
    draw: f64,
    loss: f64,
    rank: f64,
    rank_error: f64,
    mean: f64,
    mean_error: f64,
    sd: f64,
}

#[derive(Serialize)]
struct League {
    rules: String,
    games: u64,
    seed: u64,
    players: Vec<Standing>,
}

#[derive(Serialize)]
struct Standing {
    strategy: String,
    /// The mean result over all others.
    result: f64,
    result_error: f64,
    /// The result against each player; nothing against itself.
    against: Vec<Option<f64>>,
}

pub fn run(session: &Session, args: &Match) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let mut problems = Problems::default();
    let players: Vec<Option<Player>> =
        args.players.split(',').map(|name| problems.note("players", name.trim().parse::<Player>())).collect();
    if !(2..=MOST_PLAYERS).contains(&players.len()) {
        let given = output::count(players.len(), "player", "players");
        problems.note::<(), _>(
            "players",
            Err(format!("{given} cannot play a match: name 2 to {MOST_PLAYERS}, like emp:1,expected")),
        );
    }
    problems.check()?;
    let names: Vec<Player> = players.into_iter().flatten().collect();
    // A place that cannot be written to is told before anything is solved.
    let records = match args.records.as_deref().filter(|_| !args.league) {
        Some(directory) => Some(Records::new(directory, &game, &names, args.seed)?),
        None => None,
    };
    let players = session.players(&game, &names)?;
    let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
    if args.league {
        return league(session, args, &game, &names, &players);
    }
    let failed: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    let watch = |nth: u64, played: &PlayedGame| {
        if let Some(records) = &records
            && let Err(error) = records.write(nth, played)
        {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    };
    let outcomes = play(session, args, &game, &players, &watch);
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    if let Some(directory) = args.records.as_ref().filter(|_| !session.quiet) {
        let games = output::count(args.games as usize, "record", "records");
        session.engine.store().watcher().notice(&format!("{games} written to {}", directory.display()));
    }
    if session.json {
        let players =
            names.iter().zip(&outcomes).map(|(name, outcome)| answer(name, outcome, args.games)).collect();
        let rules = game.rules().name().to_string();
        return output::json(&Answer { rules, games: args.games, seed: args.seed, players });
    }
    output::text(&page(args, &names, &outcomes))
}

fn play(
    session: &Session,
    args: &Match,
    game: &Game,
    players: &[&dyn Strategy],
    watch: &(dyn Fn(u64, &PlayedGame) + Sync),
) -> Vec<Outcome> {
    let rules = MatchRules { games: args.games, seed: args.seed, same_dice: args.same_dice };
    let watcher = session.engine.store().watcher();
    let work = format!("playing {} games", output::grouped(args.games as usize));
    play_match(game, players, rules, &|done, all| watcher.progress(&work, done, all), watch)
}

fn answer(name: &Player, outcome: &Outcome, games: u64) -> PlayerAnswer {
    let share = |n: u64| n as f64 / games as f64;
    PlayerAnswer {
        strategy: name.to_string(),
        win: share(outcome.wins),
        win_error: outcome.win_error,
        win_interval: outcome.win_interval,
        draw: share(outcome.draws),
        loss: share(outcome.losses),
        rank: outcome.rank,
        rank_error: outcome.rank_error,
        mean: outcome.mean,
        mean_error: outcome.mean_error,
        sd: outcome.deviation,
    }
}

fn page(args: &Match, names: &[Player], outcomes: &[Outcome]) -> String {
    let share = |n: u64| output::percent(n as f64 / args.games as f64);
    let rows = names.iter().zip(outcomes).map(|(name, outcome)| {
        let won = outcome.wins as f64 / args.games as f64;
        let (low, high) = outcome.win_interval;
        vec![
            name.to_string(),
            format!("{:.3} % ({:.1} to {:.1})", 100.0 * won, 100.0 * low, 100.0 * high),
            share(outcome.draws),
            share(outcome.losses),
            // Two standard errors: 95 of 100 such intervals hold the true value.
            output::with_error(outcome.rank, 2.0 * outcome.rank_error, 4),
            output::with_error(outcome.mean, 2.0 * outcome.mean_error, 2),
            output::if_known(outcome.deviation, 2),
        ]
    });
    let headings = ["player", ">wins", ">draws", ">loses", ">rank", ">mean", ">deviation"];
    let games = output::count(args.games as usize, "game", "games");
    format!("{}\n\n{games}, seed {}; with 95 % intervals", output::table(&headings, rows), args.seed)
}

/// Where the records of a match go, and what they have in common.
struct Records<'a> {
    directory: &'a Path,
    game: &'a Game,
    /// The name of each player, as a record can hold it.
    names: Vec<String>,
    /// How a record names the rules.
    rules: String,
    seed: u64,
}

/// What the rules of a match are called that have no name of their own.
const RULES_FILE: &str = "rules.toml";

impl<'a> Records<'a> {
    fn new(
        directory: &'a Path,
        game: &'a Game,
        players: &[Player],
        seed: u64,
    ) -> anyhow::Result<Records<'a>> {
        let refused = |error: &dyn std::fmt::Display| {
            BadInput(format!("records: {} cannot be written to: {error}", directory.display()))
        };
        std::fs::create_dir_all(directory).map_err(|error| refused(&error))?;
        let rules = game.rules();
        let is_preset = Rules::preset(rules.name()).is_some_and(|preset| preset == **rules);
        let rules = if is_preset {
            rules.name().to_string()
        } else {
            let file = directory.join(RULES_FILE);
            output::replace(&file, rules.to_toml().as_bytes()).map_err(|error| refused(&error))?;
            RULES_FILE.to_string()
        };
        let name = |(seat, player): (usize, &Player)| {
            // A colon ends the name of a player in a record.
            let name = player.to_string().replace(':', " ");
            let twice = players.iter().filter(|other| *other == player).count() > 1;
            // The same player may sit in several seats.
            if twice { format!("{name} ({})", seat + 1) } else { name }
        };
        let names = players.iter().enumerate().map(name).collect();
        Ok(Records { directory, game, names, rules, seed })
    }

    /// Writes the record of a game at once or not at all.
    fn write(&self, nth: u64, played: &PlayedGame) -> anyhow::Result<()> {
        let players: Vec<String> = played.seats.iter().map(|&player| self.names[player].clone()).collect();
        let mut record = Record::new(self.game, &players)?;
        record.name_rules(&self.rules)?;
        record.tag("seed", &self.seed.to_string())?;
        record.tag("game", &nth.to_string())?;
        let lattice = self.game.lattice();
        for turn in &played.turns {
            for &(roll, keep) in &turn.kept {
                record.roll(lattice.roll(roll.into()))?;
                record.keep(lattice.keeps()[usize::from(keep)])?;
            }
            record.roll(lattice.roll(turn.roll.into()))?;
            record.score(turn.entry.into)?;
        }
        let file = self.directory.join(format!("{nth:06}.game"));
        output::replace(&file, record.to_string().as_bytes())
            .with_context(|| format!("{} cannot be written", file.display()))
    }
}

/// Every two against each other.
fn league(
    session: &Session,
    args: &Match,
    game: &Arc<Game>,
    names: &[Player],
    players: &[&dyn Strategy],
) -> anyhow::Result<()> {
    let count = players.len();
    let mut results: Vec<Vec<Option<(f64, f64)>>> = vec![vec![None; count]; count];
    for first in 0..count {
        for second in first + 1..count {
            let outcomes = play(session, args, game, &[players[first], players[second]], &|_, _| ());
            let result = 2.0 - outcomes[0].rank;
            results[first][second] = Some((result, outcomes[0].rank_error));
            results[second][first] = Some((1.0 - result, outcomes[0].rank_error));
        }
    }
    let mut table: Vec<(usize, f64, f64)> = (0..count)
        .map(|player| {
            let met = || results[player].iter().flatten();
            let n = met().count() as f64;
            let mean = met().map(|(result, _)| result).sum::<f64>() / n;
            let error = met().map(|(_, error)| error * error).sum::<f64>().sqrt() / n;
            (player, mean, error)
        })
        .collect();
    table.sort_by(|a, b| b.1.total_cmp(&a.1));
    if session.json {
        let standing = |&(player, result, result_error): &(usize, f64, f64)| Standing {
            strategy: names[player].to_string(),
            result,
            result_error,
            against: table
                .iter()
                .map(|&(other, ..)| results[player][other].map(|(result, _)| result))
                .collect(),
        };
        let players = table.iter().map(standing).collect();
        let rules = game.rules().name().to_string();
        return output::json(&League { rules, games: args.games, seed: args.seed, players });
    }
    let others: Vec<String> = table.iter().map(|&(player, ..)| format!(">{}", names[player])).collect();
    let headings: Vec<&str> =
        ["player", ">result"].into_iter().chain(others.iter().map(String::as_str)).collect();
    let rows = table.iter().map(|&(player, result, error)| {
        let mut row = vec![
            names[player].to_string(),
            format!("{} %", output::with_error(100.0 * result, 200.0 * error, 2)),
        ];
        row.extend(table.iter().map(|&(other, ..)| {
            results[player][other].map_or("-".to_string(), |(result, _)| format!("{:.2} %", 100.0 * result))
        }));
        row
    });
    let games = output::count(args.games as usize, "game", "games");
    output::text(&format!(
        "{}\n\n{games} for each pair, seed {}; a draw is half a win, ± is the 95 % interval",
        output::table(&headings, rows),
        args.seed
    ))
}
