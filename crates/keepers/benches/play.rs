//! Time per game. Run with `cargo bench -p keepers --bench play`. Compare ratios within one run, because machines are
//! noisy.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use keepers::internals::Work;
use keepers::internals::players::{FelldinSood, Random};
use keepers::internals::simulate::simulate;
use keepers::{Game, Rules, Standing, Strategy};

/// The number of games per iteration: one unit of the simulator's work, which one thread plays.
const GAMES: u64 = 1024;

fn playing(c: &mut Criterion) {
    let mut group = c.benchmark_group("play");
    group.throughput(Throughput::Elements(GAMES));
    group.sample_size(20);
    for name in ["classic", "yahtzee", "maxi-yatzy"] {
        let game = Game::new(Rules::preset(name).expect("a preset"));
        let felldin_sood = FelldinSood::new(&game);
        let players: [(&str, &dyn Strategy); 2] = [("felldin-sood", &felldin_sood), ("random", &Random)];
        for (player, strategy) in players {
            let play = || {
                simulate(&game, strategy, &Standing::default(), GAMES, 2012, &Work::silent())
                    .expect("nobody cancels it")
            };
            group.bench_function(format!("{player}, {name}"), |b| b.iter(play));
        }
    }
    group.finish();
}

fn making_ready(c: &mut Criterion) {
    let mut group = c.benchmark_group("make ready");
    for name in ["classic", "maxi-yatzy"] {
        let game = Game::new(Rules::preset(name).expect("a preset"));
        group.bench_function(format!("felldin-sood, {name}"), |b| b.iter(|| FelldinSood::new(&game)));
    }
    group.finish();
}

criterion_group!(benches, playing, making_ready);
criterion_main!(benches);
