//! The complete two-player game of small rules, compared with brute force, however it is solved.

mod toy;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use keepers::internals::players::emp_estimate;
use keepers::internals::solve::TaskId;
use keepers::{Engine, Game, Observer, RandomStream, Silent, WorkError};
use keepers_blocks::two_player::{
    Lanes, Plan, PlanOptions, Settings, SolveOptions, StoredSolution, TaskRunner,
};
use keepers_blocks::{Encoding, StoreError};
use toy::store::{
    CancelAfter, DOUBLE, Notices, SHORT, SINGLE, SOLVE, files, manifests, open, solution, solve, tempdir,
    verify,
};
use toy::{Brute, JOKERS, Joker, NEVER_ZERO, SIX_FACES, Toy, UPPER, everything};

/// All toy games.
fn toys() -> Vec<Toy> {
    let mut toys: Vec<Toy> = JOKERS.into_iter().map(everything).collect();
    toys.extend([SIX_FACES, NEVER_ZERO, UPPER]);
    toys
}

/// Compares every value of a store with brute force: all positions that occur in a game, looked up by their cards.
/// Returns the largest difference, the largest error bound, and the number of positions.
fn compare(toy: &Toy, brute: &Brute<'_>, stored: &StoredSolution) -> (f64, f64, usize) {
    let (mut largest, mut bound) = (0.0_f64, 0.0_f64);
    for (&(mover, other, lead), &(own, theirs)) in &brute.totals {
        let value = 1.0 - brute.values[&(mover, other, lead)];
        let (standing, rival) = (toy.standing(other, theirs), toy.standing(mover, own));
        let Some((found, error)) = stored.after(&standing, &rival).unwrap() else {
            panic!("{}: {other:?} with {theirs} against {mover:?} with {own} is not stored", toy.name);
        };
        let difference = (found - value).abs();
        assert!(difference <= error + 1e-12, "{}: {found}, but brute force gives {value}", toy.name);
        largest = largest.max(difference);
        bound = bound.max(error);
    }
    (largest, bound, brute.totals.len())
}

/// Compares all values that are stored with brute force, to 1e-12. Returns their number.
fn compare_stored(toy: &Toy, brute: &mut Brute<'_>, stored: &StoredSolution) -> usize {
    let complete = stored.store().complete();
    let mut values = 0;
    for layer in 0..complete.layers() {
        for other in 0..complete.tasks(layer) {
            let task = TaskId { layer, other };
            for mover in 0..complete.blocks(layer) {
                for index in 0..complete.values(task, mover) {
                    values += 1;
                    // Intervals of leads are merged, and may hold leads that cannot occur.
                    let Some([to_move, moved]) = complete.position(task, mover, index) else { continue };
                    let (found, error) = stored.after(&moved, &to_move).unwrap().unwrap();
                    let lead = i32::from(to_move.total) - i32::from(moved.total);
                    let value = 1.0 - brute.value(toy.hand(&to_move), toy.hand(&moved), lead);
                    let difference = (found - value).abs();
                    assert!(
                        error < 1e-12 && difference <= 1e-12,
                        "{}: {found}, but brute force gives {value} for {to_move:?} against {moved:?}",
                        toy.name
                    );
                }
            }
        }
    }
    values
}

#[test]
fn every_state_and_lead_has_the_value_of_brute_force() {
    let mut compared = 0;
    for toy in &toys() {
        let game = toy.game();
        let mut brute = Brute::new(toy);
        let start = brute.solve();
        for (settings, limit) in [
            (DOUBLE, 1e-12_f64),
            (SINGLE, 1e-6),
            (Settings { encoding: Encoding::F32, lanes: Lanes::F64 }, 1e-6),
            (Settings { encoding: Encoding::F64, lanes: Lanes::F32 }, 1e-6),
            (Settings { encoding: Encoding::F32, lanes: Lanes::F32Settled }, 2e-5),
            (SHORT, 4e-5),
            (Settings { encoding: Encoding::D16, lanes: Lanes::F64 }, 4e-5),
        ] {
            // Mixed precision is compared for one game.
            let is_mixed = ![DOUBLE, SINGLE, SHORT].contains(&settings);
            if is_mixed && toy.extra.is_none_or(|(_, joker)| joker != Joker::Forced) {
                continue;
            }
            let folder = tempdir();
            let solved = solve(folder.path(), &game, settings);
            let of = format!("{} ({:?}) with {settings:?}", toy.name, toy.extra.map(|(_, joker)| joker));
            assert!((solved.value - start).abs() <= limit.min(solved.error_bound + 1e-15), "{of}");
            let stored = solution(folder.path(), &game);
            let (largest, bound, values) = compare(toy, &brute, &stored);
            assert!(largest <= limit, "{of}: the largest error is {largest}");
            assert!(largest <= bound.max(1e-15), "{of}: the largest error is {largest}, more than {bound}");
            // Bounds that are useless would not be noticed above.
            assert!(bound <= 50.0 * limit, "{of}: the bound is {bound}");
            if settings == DOUBLE {
                assert_eq!(solved.values, compare_stored(toy, &mut brute, &stored) as u64, "{of}");
            }
            let verified = verify(folder.path(), &game, 4).unwrap();
            assert_eq!(verified.layers, 2 * toy.boxes.len() + 1, "{of}");
            assert!(verified.solved_again > 0 && verified.duels > 0 && verified.too_large == 0, "{of}");
            compared += values;
        }
    }
    assert!(compared > 500_000, "only {compared} values were compared");
}

#[test]
fn the_players_share_one_point() {
    let toy = everything(Joker::Used);
    let folder = tempdir();
    let game = toy.game();
    let solved = solve(folder.path(), &game, DOUBLE);
    let stored = solution(folder.path(), &game);
    let start = keepers::Standing::default();
    // The value of a player who has just moved: at the start, of the one who does not start.
    let (other, bound) = stored.after(&start, &start).unwrap().unwrap();
    assert!((solved.value + other - 1.0).abs() < 1e-15);
    assert!(bound > 0.0 && bound < 1e-12, "{bound}");
    // Positions that cannot occur have no value.
    let impossible = keepers::Standing { total: 77, ..start };
    assert_eq!(stored.after(&impossible, &start).unwrap(), None);
}

/// What solving leaves in a folder.
fn solved_by(game: &Game, settings: Settings, solve: impl FnOnce(&Path)) -> Files {
    let folder = tempdir();
    solve(folder.path());
    verify(folder.path(), game, 2).unwrap();
    let store = open(folder.path(), game, settings);
    assert!(store.status().unwrap().layers.iter().all(|layer| layer.complete && layer.stored == layer.tasks));
    files(folder.path())
}

type Files = std::collections::BTreeMap<String, Vec<u8>>;

fn assert_same(found: &Files, wanted: &Files, path: &str) {
    assert!(found.keys().eq(wanted.keys()), "{path}: {:?}", found.keys());
    for (name, bytes) in wanted {
        assert!(&found[name] == bytes, "{path}: {name} has other bytes");
    }
}

#[test]
fn every_way_to_solve_gives_the_same_bytes() {
    let toy = everything(Joker::Forced);
    let game = toy.game();
    for settings in [DOUBLE, SINGLE, SHORT] {
        let wanted = solved_by(&game, settings, |path| {
            solve(path, &game, settings);
        });
        for threads in [1, 3] {
            let found = solved_by(&game, settings, |path| {
                let observer = Notices::default();
                let solved =
                    open(path, &game, settings).solve(SolveOptions { threads, ..SOLVE }, &observer).unwrap();
                let tasks: usize =
                    open(path, &game, settings).status().unwrap().layers.iter().map(|l| l.tasks).sum();
                assert_eq!((solved.run, solved.existed), (tasks, 0));
                observer.check_ends();
                assert_eq!(observer.all(), [""; 0]);
            });
            assert_same(&found, &wanted, &format!("{threads} threads"));
        }
        for seed in 0..2 {
            let found = solved_by(&game, settings, |path| run_in_any_order(path, &game, settings, seed));
            assert_same(&found, &wanted, &format!("task by task, seed {seed}"));
        }
        for (after, threads) in [(1, 1), (4, 3), (9, 1)] {
            let found = solved_by(&game, settings, |path| {
                let attempts = interrupt_every(path, &game, settings, after, threads);
                assert!(attempts > 3, "the solve was interrupted {attempts} times");
            });
            assert_same(&found, &wanted, &format!("interrupted after {after} reports"));
        }
        let found = solved_by(&game, settings, |path| run_by_one_runner(path, &game, settings));
        assert_same(&found, &wanted, "one runner");
        let found = solved_by(&game, settings, |path| run_on_several_machines(path, &game, settings));
        assert_same(&found, &wanted, "several machines");
    }
}

/// Runs single tasks and ranges of them in a random order, each with a store that is opened for it. Some are run twice.
fn run_in_any_order(path: &Path, game: &Game, settings: Settings, seed: u64) {
    let mut random = RandomStream::new(seed, 0);
    let layers = open(path, game, settings).complete().layers();
    for layer in 0..layers {
        let tasks = open(path, game, settings).complete().tasks(layer);
        let mut order: Vec<usize> = (0..tasks).collect();
        for last in (1..tasks).rev() {
            order.swap(last, (random.unit() * (last + 1) as f64) as usize);
        }
        let mut done = vec![false; tasks];
        for first in order {
            let store = open(path, game, settings);
            assert_eq!(store.manifest(layer).unwrap().is_some(), !done.contains(&false), "layer {layer}");
            let end = (first + 1 + (random.unit() * 3.0) as usize).min(tasks);
            let observer = Notices::default();
            let reports = store.run(layer, first..end, 1 << 30, &observer).unwrap();
            observer.check_ends();
            assert_eq!(reports.len(), end - first);
            for report in reports {
                assert_eq!((report.layer, report.existed), (layer, done[report.task]));
                assert!(!done[report.task] || report.values > 0 || layer == 0);
                done[report.task] = true;
            }
        }
        let (manifest, _) = open(path, game, settings).manifest(layer).unwrap().expect("all tasks were run");
        assert_eq!(manifest.tasks.len(), tasks);
    }
    // All tasks are done, so a solve has nothing to do.
    let solved = open(path, game, settings).solve(SOLVE, &Silent).unwrap();
    assert_eq!((solved.run, solved.io.writes), (0, 0));
}

/// One runner runs all tasks, two at a time. The last batch of a layer completes it.
fn run_by_one_runner(path: &Path, game: &Game, settings: Settings) {
    let store = open(path, game, settings);
    let mut runner = TaskRunner::new(&store, 1 << 30);
    for layer in 0..store.complete().layers() {
        let tasks = store.complete().tasks(layer);
        for first in (0..tasks).step_by(2) {
            let end = (first + 2).min(tasks);
            let report = runner.run(layer, first..end, &Silent).unwrap();
            assert_eq!((report.layer, report.complete), (layer, end == tasks));
            assert!(report.tasks.iter().map(|task| task.task).eq(first..end));
            assert!(report.tasks.iter().all(|task| !task.existed));
        }
    }
    let again = runner.run(1, 0..1, &Silent).unwrap();
    assert!(again.complete && again.tasks[0].existed);
}

/// Cancels a solve after some reports of progress, and continues until it ends. Returns the number of attempts.
fn interrupt_every(path: &Path, game: &Game, settings: Settings, reports: usize, threads: usize) -> usize {
    for attempt in 1..10_000 {
        // Later attempts report the tasks that are done, so each may make a few more reports.
        let observer = CancelAfter::new(reports + attempt);
        match open(path, game, settings).solve(SolveOptions { threads, ..SOLVE }, &observer) {
            Ok(_) => return attempt,
            Err(StoreError::Work(WorkError::Cancelled)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the solve does not end");
}

/// Three machines run all tasks at the same time, each in its own order.
fn run_on_several_machines(path: &Path, game: &Game, settings: Settings) {
    let layers = open(path, game, settings).complete().layers();
    for layer in 0..layers {
        std::thread::scope(|scope| {
            for machine in 0..3 {
                scope.spawn(move || {
                    let store = open(path, game, settings);
                    let tasks = store.complete().tasks(layer);
                    for nth in 0..tasks {
                        let task = if machine == 1 { tasks - 1 - nth } else { nth };
                        store.run(layer, task..task + 1, 1 << 30, &Silent).unwrap();
                    }
                });
            }
        });
    }
}

#[test]
fn layers_that_are_not_kept_leave_their_manifests() {
    let toy = everything(Joker::Free);
    let game = toy.game();
    let layers = 2 * toy.boxes.len() + 1;
    let all = tempdir();
    let wanted = solve(all.path(), &game, SINGLE);
    for keep_from in [1, 4, layers - 1, layers, 99] {
        for interrupted in [false, true] {
            let folder = tempdir();
            let options = SolveOptions { keep_from, ..SOLVE };
            let mut attempt = 1;
            while interrupted
                && open(folder.path(), &game, SINGLE).solve(options, &CancelAfter::new(3 + attempt)).is_err()
            {
                attempt += 1;
            }
            let solved = open(folder.path(), &game, SINGLE).solve(options, &Silent).unwrap();
            assert_eq!((solved.value, &solved.root), (wanted.value, &wanted.root));
            assert_eq!(solved.values, wanted.values);
            assert!(manifests(folder.path()) == manifests(all.path()), "keep_from {keep_from}");
            let stored = solution(folder.path(), &game);
            for layer in 0..layers {
                // The last layer is always kept.
                let is_kept = layer >= keep_from || layer == layers - 1;
                assert_eq!(stored.has_layer(layer).unwrap(), is_kept, "layer {layer} of {keep_from}");
                let status = &stored.store().status().unwrap().layers[layer];
                assert_eq!(status.stored, if is_kept { status.tasks } else { 0 });
                assert!(status.complete);
            }
            let start = keepers::Standing::default();
            assert_eq!(stored.after(&start, &start).unwrap().unwrap().0, 1.0 - wanted.value);
            let verified = verify(folder.path(), &game, 4).unwrap();
            assert_eq!(verified.layers, layers - keep_from.min(layers - 1));
            // Nothing is solved again, also by a solve that would keep more. Layer 0 alone would be solved again.
            for keep_from in [keep_from, usize::from(keep_from == 1)] {
                let options = SolveOptions { keep_from, ..SOLVE };
                let again = open(folder.path(), &game, SINGLE).solve(options, &Silent).unwrap();
                assert_eq!((again.run, again.io.writes), (0, 0));
                assert_eq!(again.root, wanted.root);
            }
        }
    }
}

#[test]
fn a_task_that_does_not_fit_into_memory_is_refused_before_anything_is_solved() {
    let game = everything(Joker::Free).game();
    let folder = tempdir();
    let store = open(folder.path(), &game, DOUBLE);
    // 256 MiB are for the program itself: the tasks of the first layers fit, later ones do not.
    let memory = (256 << 20) + 10_000;
    let error = store.solve(SolveOptions { memory, ..SOLVE }, &Silent).unwrap_err();
    assert!(error.is_bad_input());
    let message = error.to_string();
    assert!(message.contains("GiB of memory") && message.contains("raise --memory"), "{message}");
    assert!(store.status().unwrap().layers.iter().all(|layer| layer.stored == 0), "a layer was solved");
    assert!(store.run(0, 0..1, 1 << 20, &Silent).is_err());
    store.solve(SOLVE, &Silent).unwrap();
}

#[test]
fn tasks_are_run_only_after_the_layer_below() {
    let game = UPPER.game();
    let folder = tempdir();
    let store = open(folder.path(), &game, SINGLE);
    let refused = |layer: usize, tasks: std::ops::Range<usize>| {
        let error = store.run(layer, tasks, 1 << 30, &Silent).unwrap_err();
        assert!(error.is_bad_input(), "{error}");
        error.to_string()
    };
    assert!(refused(1, 0..1).starts_with("layer 0 of "), "{}", refused(1, 0..1));
    assert!(refused(1, 0..1).contains("is not complete: solve it first"));
    assert_eq!(refused(5, 0..1), "layer must be 0 to 4, not 5");
    assert_eq!(refused(usize::MAX, 0..1), format!("layer must be 0 to 4, not {}", usize::MAX));
    let tasks = "layer 2 has the tasks 0 to 1: give one of them, or a range such as 0..2";
    #[expect(clippy::reversed_empty_ranges)]
    for wrong in [2..3, 0..3, 1..1, 1..0, 7..usize::MAX] {
        assert_eq!(refused(2, wrong), tasks);
    }
    assert!(store.status().unwrap().layers.iter().all(|layer| layer.stored == 0 && !layer.complete));
}

#[test]
fn a_copy_has_the_values_within_its_error_bound() {
    let toy = everything(Joker::Used);
    let game = toy.game();
    let mut brute = Brute::new(&toy);
    brute.solve();
    let folder = tempdir();
    solve(folder.path(), &game, SINGLE);
    let store = open(folder.path(), &game, SINGLE);
    for encoding in Encoding::ALL {
        for from in [0, 6, 10] {
            let copy = tempdir();
            let to = || keepers_blocks::ObjectFolder::open(copy.path().to_str().unwrap()).unwrap();
            let published = store.publish(from, encoding, to(), &Silent).unwrap();
            // A second time, nothing changes.
            let before = files(copy.path());
            assert_eq!(store.publish(from, encoding, to(), &Silent).unwrap().bytes, published.bytes);
            assert!(files(copy.path()) == before);
            let copied = solution(copy.path(), &game);
            let mut compared = 0;
            for (&(mover, other, lead), &(own, theirs)) in &brute.totals {
                let (standing, rival) = (toy.standing(other, theirs), toy.standing(mover, own));
                let open = 2 * toy.boxes.len() as u32 - mover.filled.count_ones() - other.filled.count_ones();
                match copied.after(&standing, &rival).unwrap() {
                    Some((found, error)) => {
                        let value = 1.0 - brute.values[&(mover, other, lead)];
                        assert!((found - value).abs() <= error, "{found} {value} {error}");
                        assert!(error <= published.error_bound);
                        compared += 1;
                    }
                    None => assert!((open as usize) < from),
                }
            }
            assert!(compared > 0);
            // A copy can be checked, but its values do not follow from each other.
            let verified = verify(copy.path(), &game, 4).unwrap();
            assert_eq!(verified.layers, 11 - from, "{encoding:?} from {from}");
            assert!(verified.blocks > 0 && verified.duels > 0);
        }
    }
    let error =
        store.publish(11, Encoding::D16, keepers_blocks::ObjectFolder::open("nowhere").unwrap(), &Silent);
    assert_eq!(error.unwrap_err().to_string(), "layer must be 0 to 10, not 11");
    assert!(!Path::new("nowhere").exists());
}

/// Counts the checks of an observer.
struct Counted(AtomicUsize);

impl Observer for Counted {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 20
    }
}

#[test]
fn every_long_call_can_be_cancelled() {
    let game = everything(Joker::None).game();
    let folder = tempdir();
    let observer = || Counted(AtomicUsize::new(0));
    let is_cancelled = |result: Result<(), StoreError>| {
        assert!(matches!(result, Err(StoreError::Work(WorkError::Cancelled))), "{result:?}");
    };
    let store = open(folder.path(), &game, SINGLE);
    is_cancelled(store.solve(SOLVE, &observer()).map(drop));
    store.solve(SOLVE, &Silent).unwrap();
    let options = keepers_blocks::two_player::VerifyOptions {
        blocks: 20,
        duels: 5,
        seed: 1,
        duel_bytes: 1 << 30,
        duel_turns: 1000,
    };
    is_cancelled(store.verify(options, &observer()).map(drop));
    let copy = tempdir();
    let to = keepers_blocks::ObjectFolder::open(copy.path().to_str().unwrap()).unwrap();
    is_cancelled(store.publish(0, Encoding::D16, to, &observer()).map(drop));
    let plan = PlanOptions { settings: SINGLE, time: std::time::Duration::from_millis(1), estimate: None };
    is_cancelled(Plan::new(&game, plan, &observer()).map(drop));
}

#[test]
fn a_plan_counts_what_a_solve_writes() {
    for toy in [everything(Joker::Forced), SIX_FACES, UPPER] {
        let game = toy.game();
        let folder = tempdir();
        solve(folder.path(), &game, SINGLE);
        let status = open(folder.path(), &game, SINGLE).status().unwrap();
        let reach = Engine::in_memory().reach_table(&game).unwrap();
        for estimate in [None, Some(emp_estimate(&reach))] {
            let options =
                PlanOptions { settings: SINGLE, time: std::time::Duration::from_millis(1), estimate };
            let plan = Plan::new(&game, options, &Silent).unwrap();
            assert_eq!(plan.layers.len(), status.layers.len());
            for (planned, solved) in plan.layers.iter().zip(&status.layers) {
                assert_eq!(planned.tasks, solved.tasks as u64);
                let (planned, solved) = (planned.values as f64, solved.count.unwrap() as f64);
                assert!((planned - solved).abs() <= 0.02 * solved, "{}: {planned} {solved}", toy.name);
            }
            assert_eq!(plan.tasks, plan.layers.iter().map(|layer| layer.tasks).sum::<u64>());
            assert!(plan.live_bytes <= plan.written_bytes && plan.read_bytes <= plan.written_bytes);
        }
    }
}
