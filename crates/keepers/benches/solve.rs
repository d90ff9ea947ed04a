//! Time of solves and turns. Run with `cargo bench -p keepers --bench solve`. Compare ratios within one run, because
//! machines are noisy. Results are asserted, so that no wrong result is fast.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use keepers::internals::advise::advise;
use keepers::internals::rules::Filled;
use keepers::internals::solve::{EntryValues, Workspace, turn_value};
use keepers::internals::turn::{Number, Row};
use keepers::internals::{Work, solve};
use keepers::{Card, Entry, Game, Roll, Rules, Silent, Store};

fn game(name: &str) -> Game {
    Game::new(Rules::preset(name).expect("a preset"))
}

fn solving(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    for (name, value) in [("yahtzee", 254.587728734), ("yatzy", 248.439989378), ("classic", 245.870774514)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let cells = solve::expected_scores(&game(name), &Work::silent()).expect("nobody cancels it");
                assert!((cells[cells.len() - 1] - value).abs() < 1e-8);
            });
        });
    }
    group.finish();
}

fn duels(c: &mut Criterion) {
    let mut group = c.benchmark_group("duel");
    group.sample_size(10);
    let game = Arc::new(game("yahtzee"));
    let mover = Card::parse(&game, "1=1,3=9,5=15,6=18,ss=30,ls=40,ch=20").expect("a card");
    let other = Card::parse(&game, "1=3,4=16,5=20,6=18,fh=25,ss=30,ls=40").expect("a card");
    group.bench_function("12 open boxes", |b| {
        b.iter(|| {
            let task =
                solve::DuelTask::new(&game, &mover, &other, &Work::silent()).expect("players take turns");
            let duel = task.solve(solve::Retain::Root, &Work::silent()).expect("nobody cancels it");
            assert!((duel.value() - 0.099166527).abs() < 1e-8);
        });
    });
    group.finish();
}

/// Folds one whole turn of a block of lanes from the empty card, with the instruction set that the solvers choose.
fn turns(c: &mut Criterion) {
    let mut group = c.benchmark_group("turn");
    fn bench_turn<T: Number, const W: usize>(
        group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
        name: &str,
    ) {
        let game = game(name);
        let mut workspace: Workspace<T, W> = Workspace::new(&game);
        workspace.start(&game, Filled::default(), true);
        let precision = std::any::type_name::<T>();
        group.bench_function(format!("{name}, {W} lanes {precision}"), |b| {
            b.iter(|| turn_value(&game, black_box(&PointsAlone), &mut workspace));
        });
    }
    bench_turn::<f64, 8>(&mut group, "yahtzee");
    bench_turn::<f32, 16>(&mut group, "yahtzee");
    bench_turn::<f64, 8>(&mut group, "maxi-yatzy");
    group.finish();
}

/// Sets the value of each entry to its points.
struct PointsAlone;

impl<T: Number, const W: usize> EntryValues<T, W> for PointsAlone {
    #[inline(always)]
    fn after(&self, _: usize, entry: Entry) -> Row<T, W> {
        Row::of(T::from(f32::from(entry.points + entry.extra)))
    }
}

fn advice(c: &mut Criterion) {
    let mut group = c.benchmark_group("advise");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let game = Arc::new(game("yahtzee"));
    let store = Store::at(directory.path());
    store.expected(&game, &Silent).expect("nobody cancels it");
    let roll = Roll::parse("22345", 5, 6).expect("a roll");
    let card = Card::parse(&game, "1=3,6=18,y=50,fh=25,extra=1").expect("a card");
    group.bench_function("open the stored table", |b| {
        b.iter(|| store.expected(&game, &Silent).expect("nobody cancels it").start())
    });
    let table = store.expected(&game, &Silent).expect("nobody cancels it");
    group.bench_function("two rolls left", |b| b.iter(|| advise(&table, &card, roll, 2)));
    group.bench_function("no roll left", |b| b.iter(|| advise(&table, &card, roll, 0)));
    for name in ["yahtzee", "maxi-yatzy"] {
        let rules = Rules::preset(name).expect("a preset");
        group.bench_function(format!("make {name} ready"), |b| b.iter(|| Game::new(rules.clone())));
    }
    group.finish();
}

criterion_group!(benches, solving, duels, turns, advice);
criterion_main!(benches);
