//! How long a game takes to play. Run with `cargo bench -p keepers --bench play`; compare ratios inside one
//! run, machines are noisy.

#[path = "../tests/games/mod.rs"]
mod games;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::play;
use keepers::random::{Chance, Throws};
use keepers::strategy::{FelldinSood, Random, Strategy};
use keepers::{Game, Rules};

fn playing(c: &mut Criterion) {
    let mut group = c.benchmark_group("play");
    group.throughput(Throughput::Elements(1));
    for name in ["classic", "yahtzee", "maxi-yatzy"] {
        let game = Game::new(Rules::preset(name).expect("a preset"));
        let throws = Throws::new(game.lattice());
        let felldin_sood = FelldinSood::new(&game);
        let players: [(&str, &dyn Strategy); 2] = [("felldin-sood", &felldin_sood), ("random", &Random)];
        for (player, strategy) in players {
            let mut chance = Chance::new(2012, 0);
            group.bench_function(format!("{player}, {name}"), |b| {
                b.iter(|| play(&game, &throws, strategy, &mut chance).total);
            });
        }
        group.bench_function(format!("felldin-sood made ready, {name}"), |b| {
            b.iter(|| FelldinSood::new(&game))
        });
    }
    group.finish();
}

criterion_group!(benches, playing);
criterion_main!(benches);
