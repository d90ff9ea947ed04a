//! The exact game of two, against brute force and against what one player can do alone.

mod brute;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use brute::toys::TOYS;
use brute::{History, Toy, duel, solve_by_force};
use keepers::advise::{Action, BestResult, Prospect, advise};
use keepers::solve::{
    Duel, DuelError, DuelTask, Kept, Within, best_utility, duel_within, most_points, reach_curves_f64,
};
use keepers::{Card, Game, Roll, Rules};

fn quiet(_: usize, _: usize) {}

fn solve(game: &Arc<Game>, mover: &Card, other: &Card, kept: Kept) -> Duel {
    let task = DuelTask::new(game, mover, other).unwrap();
    task.solve(kept, &quiet, &|| false).unwrap()
}

fn preset(name: &str) -> Arc<Game> {
    Arc::new(Game::new(Rules::preset(name).unwrap()))
}

/// Cards with so many open boxes, spread over all that can occur.
fn cards(toy: &Toy, open: usize, wanted: usize) -> Vec<History> {
    let all = solve_by_force(toy, 1).values;
    let is_open = |card: &&History| card.points.iter().filter(|points| points.is_none()).count() == open;
    let mut cards: Vec<History> = all.keys().filter(is_open).cloned().collect();
    cards.sort_by_key(|card| card.text(toy));
    let step = cards.len().div_ceil(wanted);
    cards.into_iter().step_by(step.max(1)).collect()
}

#[test]
fn every_position_of_the_toy_games_is_worth_what_brute_force_says() {
    let mut compared = 0;
    for toy in TOYS {
        for rolls in 1..=2 {
            let game = Arc::new(Game::new(Rules::from_toml(&toy.toml(rolls)).unwrap()));
            for [mover, other] in [[1, 0], [1, 1], [2, 1], [2, 2], [3, 2], [3, 3]] {
                let wanted = if mover == 3 { 1 } else { 4 };
                for (mover, other) in
                    cards(toy, mover, wanted).iter().zip(cards(toy, other, wanted).iter().rev())
                {
                    compared += compare(toy, rolls, &game, mover, other);
                }
            }
        }
    }
    eprintln!("{compared}");
    assert!(compared > 100_000, "only {compared} positions were compared");
}

/// Compares all positions that follow from one, to 1e-12.
fn compare(toy: &Toy, rolls: u8, game: &Arc<Game>, mover: &History, other: &History) -> usize {
    let mut brute = duel::Duel::new(toy, rolls);
    brute.value(mover, other);
    let card = |history: &History| Card::parse(game, &history.text(toy)).unwrap();
    let duel = solve(game, &card(mover), &card(other), Kept::All);
    for (mover, other, value) in &brute.met {
        let (mover, other) = (card(mover), card(other));
        let ours = duel.value_of(&mover, &other).unwrap();
        let of = format!("{}, {rolls} rolls, \"{mover}\" against \"{other}\"", toy.name);
        assert!((ours - value).abs() < 1e-12, "{of}: {ours}, but brute force says {value}");
        // Seen by the other it is the rest of one.
        assert!((duel.value_after(&other, &mover).unwrap() + ours - 1.0).abs() < 1e-15, "{of}");
    }
    brute.met.len()
}
