//! `keepers tournament --opponent self`: the equilibrium, round by round, kept on the way.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use anyhow::Context;
use keepers::equilibrium::{Equilibrium, Round};
use keepers::evaluate::{Statistics, mean_and_deviation, percentile};
use keepers::tournament::Ties;
use keepers::{Card, Game, Store};
use serde::{Deserialize, Serialize};

use crate::args::Tournament;
use crate::output;
use crate::plot;
use crate::session::Session;

#[derive(Serialize)]
struct Answer {
    rules: String,
    opponent: &'static str,
    sizes: Vec<Size>,
}

#[derive(Serialize)]
struct Size {
    opponents: u32,
    /// The chance of everybody.
    win: f64,
    /// How much a best response would still gain.
    gap: f64,
    mean: f64,
    sd: f64,
    median: usize,
    rounds: Vec<RoundAnswer>,
    probability: Vec<f64>,
}

#[derive(Serialize)]
struct RoundAnswer {
    win: f64,
    best: f64,
    gap: f64,
    advantage: f64,
    /// Mean and deviation of the response.
    mean: f64,
    sd: f64,
}

/// What the numbers of a kept file mean; files of others are not used.
const FORMAT: u32 = 2;

/// What is kept between rounds.
#[derive(Serialize, Deserialize)]
struct Kept {
    format: u32,
    rules: String,
    fingerprint: String,
    opponents: u32,
    share_ties: bool,
    average: Vec<f64>,
    rounds: Vec<KeptRound>,
}

#[derive(Serialize, Deserialize)]
struct KeptRound {
    own: f64,
    best: f64,
    response: Vec<f64>,
}

pub fn run(
    session: &Session,
    args: &Tournament,
    game: &Arc<Game>,
    sizes: &[u32],
    ties: Ties,
    expected: &Statistics,
    files: &[plot::PictureFile],
) -> anyhow::Result<()> {
    keepers::engine::check_utility_size(game, &Card::empty(game))?;
    let mut found = Vec::new();
    for &opponents in sizes {
        found.push(one_size(session, args, game, opponents, ties, expected)?);
    }
    plot::write(files, &args.look, || plot::equilibrium(game, expected, &found))?;
    if session.json {
        let sizes = found.iter().map(size).collect();
        return output::json(&Answer { rules: game.rules().name().to_string(), opponent: "self", sizes });
    }
    let pages: Vec<String> = found.iter().map(|found| page(found, expected)).collect();
    output::text(&format!("{}, everybody against everybody\n\n{}", game.rules().name(), pages.join("\n\n")))
}

/// Plays rounds until a best response gains no more than the gap, as a share of the chance of everybody.
fn one_size(
    session: &Session,
    args: &Tournament,
    game: &Arc<Game>,
    opponents: u32,
    ties: Ties,
    expected: &Statistics,
) -> anyhow::Result<Equilibrium> {
    let mut file = state_file(session, game, opponents, ties);
    let watcher = session.engine.store().watcher();
    let known = file.as_deref().filter(|_| !args.afresh).and_then(|file| read(session, file, game));
    let mut play = match known {
        Some(play) => {
            let rounds = output::count(play.rounds.len(), "round", "rounds");
            watcher.notice(&format!(
                "going on after {rounds} with {opponents} opponents; --afresh starts again"
            ));
            play
        }
        None => Equilibrium::new(opponents, ties, expected),
    };
    let near = |play: &Equilibrium| play.rounds.last().is_some_and(|round| round.advantage() <= args.gap);
    while play.rounds.len() < args.rounds.into() && !near(&play) {
        let nth = play.rounds.len() + 1;
        let (solve, follow) =
            (format!("round {nth}, finding the best response"), format!("round {nth}, following it"));
        play.round(game, &|done, all| watcher.progress(&solve, done, all), &|done, all| {
            watcher.progress(&follow, done, all);
        });
        // Whoever cannot keep the rounds can still play them.
        if let Some(path) = &file
            && let Err(error) = write(path, game, &play)
        {
            watcher
                .notice(&format!("the rounds are not kept: {} cannot be written: {error:#}", path.display()));
            file = None;
        }
        if !session.quiet {
            let gap = 100.0 * play.rounds[nth - 1].advantage();
            watcher.notice(&format!("round {nth}: a best response gains {gap:.4} %"));
        }
    }
    if let Some(file) = file.filter(|_| !session.quiet) {
        watcher.notice(&format!("the rounds are kept in {}", file.display()));
    }
    Ok(play)
}

/// The rounds of one tournament as they are kept.
pub struct KeptRounds {
    pub path: PathBuf,
    pub bytes: u64,
    /// The rules and what was played, or why the file is not used.
    pub content: Result<(String, String), String>,
}

/// All rounds that are kept.
pub fn kept(store: &Store) -> io::Result<Vec<KeptRounds>> {
    let mut found = Vec::new();
    for (path, bytes) in files(store, |name| name.starts_with(PREFIX) && name.ends_with(ENDING))? {
        let content = checked(&path).map(|kept| {
            let ties = if kept.share_ties { ", ties shared" } else { "" };
            let rounds = output::count(kept.rounds.len(), "round", "rounds");
            (kept.rules, format!("tournament:{} against itself{ties}, {rounds}", kept.opponents))
        });
        found.push(KeptRounds { path, bytes, content });
    }
    Ok(found)
}

/// Removes all rounds that are kept, and what crashed runs left behind. Says how many bytes that freed.
pub fn clear(store: &Store) -> io::Result<u64> {
    let mut freed = 0;
    // A temporary file is called like the file, with a dot in front.
    for (path, bytes) in files(store, |name| name.strip_prefix('.').unwrap_or(name).starts_with(PREFIX))? {
        fs::remove_file(path)?;
        freed += bytes;
    }
    Ok(freed)
}

/// Files of the store by their names, each with its size.
fn files(store: &Store, named: impl Fn(&str) -> bool) -> io::Result<Vec<(PathBuf, u64)>> {
    let Some(directory) = store.directory() else { return Ok(Vec::new()) };
    let entries = match fs::read_dir(directory) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() && named(&entry.file_name().to_string_lossy()) {
            found.push((entry.path(), entry.metadata()?.len()));
        }
    }
    found.sort();
    Ok(found)
}

/// How the files are called, and how much of the fingerprint of the rules is in a name.
const FINGERPRINT: usize = 16;
const PREFIX: &str = "equilibrium-";
const ENDING: &str = ".json";

fn state_file(session: &Session, game: &Game, opponents: u32, ties: Ties) -> Option<PathBuf> {
    let ties = if ties == Ties::Share { "share" } else { "lose" };
    let hash = &output::fingerprint(game.rules())[..FINGERPRINT];
    Some(session.engine.store().directory()?.join(format!("{PREFIX}{hash}-{opponents}-{ties}{ENDING}")))
}

/// What was kept, if it is to be trusted.
fn checked(file: &Path) -> Result<Kept, String> {
    let text = fs::read(file).map_err(|error| error.to_string())?;
    let kept: Kept = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let fits = |p: &Vec<f64>| (p.iter().sum::<f64>() - 1.0).abs() < 1e-6 && p.iter().all(|p| *p >= 0.0);
    let of_rules = kept.fingerprint.get(..FINGERPRINT).is_some_and(|hash| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{PREFIX}{hash}-")))
    });
    if kept.format == FORMAT
        && of_rules
        && fits(&kept.average)
        && kept.rounds.iter().all(|round| fits(&round.response))
    {
        Ok(kept)
    } else {
        Err("it is of another version or of other rules, or its numbers are no distributions".to_string())
    }
}

/// What was kept, if it is there and to be trusted.
fn read(session: &Session, file: &Path, game: &Game) -> Option<Equilibrium> {
    if !file.exists() {
        return None;
    }
    let kept = checked(file).and_then(|kept| {
        let same = kept.fingerprint == output::fingerprint(game.rules());
        if same { Ok(kept) } else { Err("it is of other rules".to_string()) }
    });
    match kept {
        Ok(kept) => Some(Equilibrium {
            opponents: kept.opponents,
            ties: if kept.share_ties { Ties::Share } else { Ties::Lose },
            average: kept.average,
            rounds: kept
                .rounds
                .into_iter()
                .map(|KeptRound { own, best, response }| Round { own, best, response })
                .collect(),
        }),
        Err(error) => {
            let text = format!("starting again: {} is not used, {error}", file.display());
            session.engine.store().watcher().notice(&text);
            None
        }
    }
}

fn write(file: &Path, game: &Game, play: &Equilibrium) -> anyhow::Result<()> {
    let round =
        |round: &Round| KeptRound { own: round.own, best: round.best, response: round.response.clone() };
    let kept = Kept {
        format: FORMAT,
        rules: game.rules().name().to_string(),
        fingerprint: output::fingerprint(game.rules()),
        opponents: play.opponents,
        share_ties: play.ties == Ties::Share,
        average: play.average.clone(),
        rounds: play.rounds.iter().map(round).collect(),
    };
    let directory = file.parent().context("a file is in a directory")?;
    fs::create_dir_all(directory)?;
    output::replace(file, &serde_json::to_vec(&kept)?)?;
    Ok(())
}

fn size(play: &Equilibrium) -> Size {
    let (mean, sd) = mean_and_deviation(&play.average);
    let last = play.rounds.last();
    let round = |round: &Round| {
        let (mean, sd) = mean_and_deviation(&round.response);
        RoundAnswer {
            win: round.own,
            best: round.best,
            gap: round.gap(),
            advantage: round.advantage(),
            mean,
            sd,
        }
    };
    Size {
        opponents: play.opponents,
        win: last.map_or(0.0, |round| round.own),
        gap: last.map_or(0.0, Round::gap),
        mean,
        sd,
        median: percentile(&play.average, 0.5),
        rounds: play.rounds.iter().map(round).collect(),
        probability: play.average.clone(),
    }
}

fn page(play: &Equilibrium, expected: &Statistics) -> String {
    let rows = play.rounds.iter().zip(1..).map(|(round, nth)| {
        let (mean, sd) = mean_and_deviation(&round.response);
        vec![
            nth.to_string(),
            output::percent(round.own),
            output::percent(round.best),
            format!("{:+.4} %", 100.0 * round.advantage()),
            format!("{mean:.2}"),
            format!("{sd:.2}"),
        ]
    });
    let headings = [">round", ">chance of all", ">best response", ">gains", ">its mean", ">its deviation"];
    let (mean, sd) = mean_and_deviation(&play.average);
    format!(
        "{} opponents\n{}\nin equilibrium: mean {mean:.4}, deviation {sd:.4}, median {}\nbest expected score: mean {:.4}, deviation {:.4}, median {}",
        output::grouped(play.opponents as usize),
        output::table(&headings, rows),
        percentile(&play.average, 0.5),
        expected.mean(),
        expected.deviation(),
        expected.percentile(0.5),
    )
}
