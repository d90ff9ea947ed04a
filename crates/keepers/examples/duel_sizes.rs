//! The cost of exact duels, for `docs/duel.md`: positions of random games between two players of the expected score,
//! and positions with the same open boxes on both cards that are among the largest.
//!
//! `cargo run --release -p keepers --example duel_sizes [OPEN_BOXES [POSITIONS [solve | largest]]]`
//!
//! Without a word at the end, the positions are only counted. `solve` also solves those that need at most 8 GiB;
//! `largest` solves only the largest of the random positions.

use std::sync::Arc;
use std::time::Instant;

use keepers::answers::DuelCost;
use keepers::internals::Work;
use keepers::internals::matches::play_turn;
use keepers::internals::players::Expected;
use keepers::internals::random::{GameDice, RerollTable};
use keepers::internals::solve::{DuelTask, Retain};
use keepers::{Card, Game, RandomStream, Rules, Silent, Standing, Store, Strategy, TurnContext};

/// The open boxes of positions with a high cost.
const LARGE: [(usize, &str); 10] = [
    (12, "1 2 3 4 5 6"),
    (12, "2 3 4 5 6 ch"),
    (12, "3 4 5 6 4k ch"),
    (12, "2 4 5 6 3k 4k"),
    (12, "2 3 4 5 6 y"),
    (16, "1 2 3 4 5 6 4k y"),
    (16, "2 3 4 5 6 4k ss ch"),
    (16, "1 2 3 4 5 6 3k ch"),
    (16, "2 3 4 5 6 3k 4k ch"),
    (16, "3 4 5 6 3k 4k fh ch"),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |otherwise: usize| args.next().map_or(otherwise, |text| text.parse().expect("a number"));
    let (open, positions) = (number(12), number(100));
    let word = args.next().unwrap_or_default();
    let game = Game::new(Rules::preset("yahtzee").expect("a preset"));

    println!("{open} open boxes, {positions} positions of random games, the largest last");
    let table = Store::none().expected(&game, &Silent).expect("a small table");
    let player = Expected(Arc::new(table));
    let mut sizes: Vec<(DuelCost, [Standing; 2])> = (0..positions as u64)
        .map(|nth| {
            let position = position(&game, &player, open, nth);
            (cost(&task(&game, &position)), position)
        })
        .collect();
    sizes.sort_by_key(|(cost, _)| cost.turns);
    let mut shares = vec![0, 25, 50, 75, 90, 95, 98, 100];
    shares.retain(|_| positions > 0);
    for share in shares {
        let (cost, position) = &sizes[(positions - 1) * share / 100];
        let solves = word == "solve" || word == "largest" && share == 100;
        show(&game, &format!("{share:3} %"), cost, position, solves);
    }

    println!("{open} open boxes, the same ones on both cards, after a Yahtzee");
    for (_, boxes) in LARGE.into_iter().filter(|(all, _)| *all == open) {
        let filled =
            ["1=3", "2=6", "3=9", "4=12", "5=15", "6=18", "3k=22", "4k=22", "fh=25", "ss=30", "ls=40"];
        let is_filled = |entry: &&&str| !boxes.split(' ').any(|id| entry.split('=').next() == Some(id));
        let card =
            filled.iter().chain(&["y=50", "ch=22"]).filter(is_filled).copied().collect::<Vec<_>>().join(",");
        let position = [Standing::of(&Card::parse(&game, &card).expect("a card")); 2];
        show(&game, boxes, &cost(&task(&game, &position)), &position, word == "solve");
    }
}

fn task(game: &Game, [mover, other]: &[Standing; 2]) -> DuelTask {
    DuelTask::from_standings(game, mover, other, &Work::silent()).expect("players take turns")
}

fn cost(task: &DuelTask) -> DuelCost {
    task.cost(Retain::Root, &Work::silent()).expect("nobody cancels it")
}

fn show(game: &Game, name: &str, cost: &DuelCost, position: &[Standing; 2], solves: bool) {
    print!("{name:<20} {:>10} pairs {:>11} values {:>10} turns", cost.pairs, cost.lanes, cost.turns);
    print!(" {:>8.1} MB", cost.bytes as f64 / 1e6);
    if solves && cost.bytes <= 8 << 30 {
        let start = Instant::now();
        let duel = task(game, position).solve(Retain::Root, &Work::silent()).expect("nobody cancels it");
        print!(" {:>7.2} s, value {:.12}", start.elapsed().as_secs_f64(), duel.value());
    }
    println!();
}

/// The standings of two players with this many open boxes.
fn position(game: &Game, player: &dyn Strategy, open: usize, nth: u64) -> [Standing; 2] {
    let throws = RerollTable::new(game.lattice());
    let mut standings = [Standing::default(); 2];
    let mut dice = [0, 1].map(|seat| GameDice::new(2010, 2 * nth + seat, game.rules().rolls()));
    let mut random = RandomStream::new(1, nth);
    let turns = 2 * game.space().boxes() - open;
    for turn in 0..turns {
        let mover = turn % 2;
        let entry = {
            let plan = player.plan(&TurnContext { game, standings: &standings, mover, observer: &Silent });
            let mut plan = plan.expect("it looks up its table");
            dice[mover].start_turn(turn / 2);
            play_turn(game, &throws, &mut *plan, &mut dice[mover], &mut random).entry
        };
        standings[mover] = standings[mover].after(game, entry);
    }
    [standings[turns % 2], standings[1 - turns % 2]]
}
