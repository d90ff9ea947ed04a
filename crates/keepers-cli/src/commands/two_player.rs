//! `keepers two-player`: solves the complete game of two players into a store.

use std::ops::Range;

use anyhow::anyhow;
use keepers::internals::gibibytes;
use keepers::internals::players::emp_estimate;
use keepers::internals::text::{byte_size, quote};
use keepers::{Error, Game, Observer};
use keepers_blocks::two_player::{
    BatchReport, Lanes, Plan, PlanOptions, Settings, SolveOptions, Solved, Status, TaskRunner,
    TwoPlayerStore, VerifyOptions,
};
use keepers_blocks::{Encoding, ObjectFolder};
use serde_json::json;

use crate::args::two_player::{
    self as args, CompareTwoPlayer, PlanTwoPlayer, Precision, PublishTwoPlayer, RunTask, SolveTwoPlayer,
    StoreOfGame, TwoPlayer, TwoPlayerAction, VerifyTwoPlayer,
};
use crate::bad_input::BadInput;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &TwoPlayer) -> anyhow::Result<()> {
    match &args.action {
        TwoPlayerAction::Plan(args) => plan(session, args),
        TwoPlayerAction::Run(args) => run_tasks(session, args),
        TwoPlayerAction::Solve(args) => solve(session, args),
        TwoPlayerAction::Verify(args) => verify(session, args),
        TwoPlayerAction::Status(args) => status(session, args),
        TwoPlayerAction::Compare(args) => compare(session, args),
        TwoPlayerAction::Publish(args) => publish(session, args),
        TwoPlayerAction::Study(args) => super::study::run(session, args),
    }
}

/// Reads the game of a command.
pub(super) fn game(session: &Session, rules: &str) -> anyhow::Result<Game> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(rules);
    inputs.finish()?;
    session.game(&rules)
}

/// Opens the folder of a store.
pub(super) fn folder(session: &Session, args: &StoreOfGame, game: &Game) -> anyhow::Result<ObjectFolder> {
    let address = match &args.store {
        Some(address) => address.clone(),
        None => session.two_player_folder(game).ok_or_else(|| {
            BadInput("there is no cache folder for the solution: give a folder with --store".into())
        })?,
    };
    Ok(ObjectFolder::open(&address)?)
}

fn settings(args: &Precision) -> Option<Settings> {
    let encoding = match args.values {
        Some(args::Values::F64) => Encoding::F64,
        Some(args::Values::F32) => Encoding::F32,
        Some(args::Values::D16) => Encoding::D16,
        None if args.lanes.is_none() => return None,
        None => Settings::default().encoding,
    };
    let lanes = match args.lanes {
        Some(args::Lanes::F64) => Lanes::F64,
        Some(args::Lanes::F32) => Lanes::F32,
        Some(args::Lanes::F32Settled) => Lanes::F32Settled,
        None if encoding == Encoding::F64 => Lanes::F64,
        None => Lanes::F32,
    };
    Some(Settings { encoding, lanes })
}

fn create(session: &Session, store: &StoreOfGame, precision: &Precision) -> anyhow::Result<TwoPlayerStore> {
    let game = game(session, &store.game.rules)?;
    let folder = folder(session, store, &game)?;
    Ok(TwoPlayerStore::create(folder, &game, settings(precision), &session.observer)?)
}

fn open(session: &Session, store: &StoreOfGame) -> anyhow::Result<TwoPlayerStore> {
    let game = game(session, &store.game.rules)?;
    let folder = folder(session, store, &game)?;
    Ok(TwoPlayerStore::open(folder, &game, &session.observer)?)
}

fn solve(session: &Session, args: &SolveTwoPlayer) -> anyhow::Result<()> {
    let store = create(session, &args.store, &args.precision)?;
    let options = SolveOptions {
        memory: gibibytes(args.memory.into()),
        threads: rayon::current_num_threads(),
        keep_from: args.keep_from,
    };
    let solved = store.solve(options, &session.observer)?;
    if session.json {
        return output::json(&json!({
            "game": store.game().rules().name(),
            "store": store.folder().address(),
            "value": solved.value,
            "error_bound": solved.error_bound,
            "root": solved.root,
            "values": solved.values,
            "tasks_run": solved.run,
            "tasks_done_before": solved.existed,
            "io": solved.io,
            "seconds": solved.time.as_secs_f64(),
        }));
    }
    output::text(&solved_in_words(&store, &solved))
}

fn solved_in_words(store: &TwoPlayerStore, solved: &Solved) -> String {
    format!(
        "The player who starts has an expected result of {:.12} (a draw is half a win), with an error of at most {:.1e}.\n\
         {} values in {}; {} run in {:.1} s, {} done before.\n\
         Read {} in {} requests, wrote {} in {} objects.\n\
         Root hash {}\nStored in {}",
        solved.value,
        solved.error_bound,
        output::grouped(solved.values),
        output::count(store.complete().layers(), "layer", "layers"),
        output::count(solved.run, "task", "tasks"),
        solved.time.as_secs_f64(),
        output::grouped(solved.existed),
        byte_size(solved.io.read_bytes.into()),
        output::grouped(solved.io.reads),
        byte_size(solved.io.written_bytes.into()),
        output::grouped(solved.io.writes),
        solved.root,
        store.folder().address(),
    )
}

fn run_tasks(session: &Session, args: &RunTask) -> anyhow::Result<()> {
    let given = match (args.layer, &args.task) {
        (Some(layer), Some(task)) => Some((layer, read_tasks(task)?)),
        _ => None,
    };
    let store = create(session, &args.store, &args.precision)?;
    let mut runner = TaskRunner::new(&store, gibibytes(args.memory.into()));
    let mut run = |(layer, tasks)| runner.run(layer, tasks, &session.observer);
    if let Some(batch) = given {
        let report = run(batch)?;
        return if session.json {
            report.tasks.iter().try_for_each(output::json)
        } else {
            output::text(&reports_in_words(&report))
        };
    }
    for line in std::io::stdin().lines() {
        let report = run(read_batch(&line?)?)?;
        if session.json { output::json(&report)? } else { output::text(&reports_in_words(&report))? }
    }
    Ok(())
}

fn reports_in_words(report: &BatchReport) -> String {
    let rows = report.tasks.iter().map(|report| {
        let outcome = if report.existed { "already done" } else { "solved" };
        vec![
            report.task.to_string(),
            outcome.to_string(),
            output::grouped(report.values),
            report.hash[..16].to_string(),
        ]
    });
    output::table(&[">task", "outcome", ">values", "hash"], rows)
}

/// Reads a line such as `7 0..64`: a layer and its tasks.
fn read_batch(line: &str) -> anyhow::Result<(usize, Range<usize>)> {
    let batch = line.trim().split_once(' ').and_then(|(layer, tasks)| Some((layer.parse().ok()?, tasks)));
    let (layer, tasks) = batch.ok_or_else(|| {
        BadInput(format!("a line must be a layer and its tasks, such as 7 0..64, not \"{}\"", quote(line)))
    })?;
    Ok((layer, read_tasks(tasks)?))
}

fn read_tasks(text: &str) -> anyhow::Result<Range<usize>> {
    let range = match text.split_once("..") {
        Some((first, end)) => first.parse().ok().zip(end.parse().ok()).map(|(first, end)| first..end),
        None => text.parse().ok().map(|task: usize| task..task.saturating_add(1)),
    };
    range.ok_or_else(|| {
        BadInput(format!("task must be a number or a range such as 0..64, not \"{}\"", quote(text))).into()
    })
}

fn status(session: &Session, args: &StoreOfGame) -> anyhow::Result<()> {
    let store = open(session, args)?;
    let status = store.status()?;
    if session.json { output::json(&status) } else { output::text(&status_in_words(&status)) }
}

fn status_in_words(status: &Status) -> String {
    let rows = status.layers.iter().filter(|layer| layer.stored > 0 || layer.complete).map(|layer| {
        let state = match (layer.complete, layer.stored) {
            (true, 0) => "solved, values removed",
            (true, stored) if stored < layer.tasks => "solved, some values removed",
            (true, _) => "solved",
            (false, _) => "in progress",
        };
        vec![
            layer.layer.to_string(),
            output::grouped(layer.tasks),
            output::grouped(layer.stored),
            layer.count.map_or("-".into(), output::grouped),
            byte_size(layer.bytes.into()),
            state.to_string(),
        ]
    });
    let table = output::table(&[">layer", ">tasks", ">stored", ">values", ">size", "state"], rows);
    let left = status.layers.iter().filter(|layer| !layer.complete).count();
    let end = match (status.value, &status.root) {
        (Some(value), Some(root)) => format!(
            "The player who starts has an expected result of {value:.12}, with an error of at most {:.1e}.\nRoot hash {root}",
            status.error_bound.unwrap_or_default()
        ),
        _ => format!(
            "{} to solve. Run `keepers two-player solve` to continue.",
            output::count(left, "layer is", "layers are")
        ),
    };
    format!(
        "{}: values {}, lanes {}, {}\n\n{table}\n\n{end}",
        status.game,
        status.values,
        status.lanes,
        byte_size(status.bytes.into())
    )
}

fn plan(session: &Session, args: &PlanTwoPlayer) -> anyhow::Result<()> {
    let game = game(session, &args.game.rules)?;
    let reach = match session.service.engine().observed_by(&session.observer).reach_table(&game) {
        Ok(reach) => Some(reach),
        Err(Error::TooLarge { .. }) => {
            session.observer.notice(
                "the reach curves of this game do not fit into memory: tasks are timed with random values, which takes \
                 longer than solving real ones",
            );
            None
        }
        Err(error) => return Err(anyhow!(error.to_string())),
    };
    let options = PlanOptions {
        settings: settings(&args.precision).unwrap_or_default(),
        time: std::time::Duration::from_secs_f64(args.seconds),
        estimate: reach.as_ref().map(emp_estimate),
    };
    let plan = Plan::new(&game, options, &session.observer)?;
    if session.json {
        return output::json(&plan);
    }
    let rows = plan.layers.iter().map(|layer| {
        vec![
            layer.layer.to_string(),
            output::grouped(layer.tasks),
            output::grouped(layer.values),
            byte_size(layer.bytes.into()),
            byte_size(layer.task_memory.into()),
            format!("{:.0}", layer.nanoseconds),
            format!("{:.1}", layer.core_seconds),
        ]
    });
    let headings =
        [">layer", ">tasks", ">values", ">size", ">memory per task", ">ns per value", ">core-seconds"];
    output::text(&format!(
        "{}\n\n{} and {} values: {:.1} core-hours ({:.2} core-days) on this machine.\n\
         Writes {} and reads as much. Two adjacent layers take at most {}, a task at most {} of memory.",
        output::table(&headings, rows),
        output::count(plan.tasks as usize, "task", "tasks"),
        output::grouped(plan.values),
        plan.core_hours,
        plan.core_hours / 24.0,
        byte_size(plan.written_bytes.into()),
        byte_size(plan.live_bytes.into()),
        byte_size(plan.task_memory.into()),
    ))
}

fn verify(session: &Session, args: &VerifyTwoPlayer) -> anyhow::Result<()> {
    let store = open(session, &args.store)?;
    let options = VerifyOptions {
        blocks: args.blocks,
        duels: args.duels,
        seed: args.seed,
        duel_bytes: gibibytes(4),
        duel_turns: 2_000_000,
    };
    let verified = store.verify(options, &session.observer)?;
    if session.json {
        return output::json(&verified);
    }
    output::text(&format!(
        "{} with {}: the hashes of all headers, blocks and manifests agree.\n\
         {}: all values have their hash, are between 0 and 1, and never fall as the lead rises; {} solved again from the layer below, with the same bits.\n\
         {} solved again to the end of the game ({} too large): the largest difference is {:.1e}, the bound {:.1e}.",
        output::count(verified.layers, "layer", "layers"),
        output::count(verified.objects, "object", "objects"),
        output::count(verified.blocks, "block", "blocks"),
        output::grouped(verified.solved_again),
        output::count(verified.duels, "position", "positions"),
        output::grouped(verified.too_large),
        verified.largest_difference,
        verified.error_bound,
    ))
}

fn compare(session: &Session, args: &CompareTwoPlayer) -> anyhow::Result<()> {
    let store = open(session, &args.store)?;
    let folder = ObjectFolder::open(&args.other)?;
    let other = TwoPlayerStore::open(folder, store.game(), &session.observer)?;
    let layers = store.compare(&other, &session.observer)?;
    if session.json {
        return output::json(&json!({ "layers": layers }));
    }
    let rows = layers.iter().map(|layer| {
        vec![
            layer.layer.to_string(),
            output::grouped(layer.values),
            format!("{:.2e}", layer.largest),
            format!("{:.2e}", layer.mean),
        ]
    });
    let largest = layers.iter().map(|layer| layer.largest).fold(0.0, f64::max);
    output::text(&format!(
        "{}\n\nThe largest difference is {largest:.2e}.",
        output::table(&[">layer", ">values", ">largest difference", ">mean difference"], rows)
    ))
}

fn publish(session: &Session, args: &PublishTwoPlayer) -> anyhow::Result<()> {
    let store = open(session, &args.store)?;
    let to = ObjectFolder::open(&args.to)?;
    let encoding = match args.values {
        args::Values::F64 => Encoding::F64,
        args::Values::F32 => Encoding::F32,
        args::Values::D16 => Encoding::D16,
    };
    let published = store.publish(args.from, encoding, to, &session.observer)?;
    if session.json {
        return output::json(&published);
    }
    output::text(&format!(
        "Copied layers {} to {} to {}: {} values in {}, {}. The error of a value is at most {:.1e}.",
        published.from,
        store.complete().layers() - 1,
        args.to,
        output::grouped(published.values),
        output::count(published.objects, "object", "objects"),
        byte_size(published.bytes.into()),
        published.error_bound,
    ))
}
