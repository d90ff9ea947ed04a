//! The number of states of the two-player game: as published, and for toy games as counted one by one from the
//! definition.

mod brute;

use std::collections::{BTreeMap, HashMap};

use brute::toys::TOYS;
use brute::{History, Toy, entries, tuples};
use keepers::internals::Work;
use keepers::internals::solve::{TwoPlayerLayer, count_two_player_game};
use keepers::{Card, Game, Rules};

#[test]
fn yahtzee_has_as_many_two_player_states_as_published() {
    let states = |name| {
        count_two_player_game(&Game::new(Rules::preset(name).unwrap()), &Work::silent()).unwrap().states()
    };
    assert_eq!(states("yahtzee-used-joker"), 12_671_976_997_282, "Pawlewicz, appendix D");
    // Found by a program that enumerated all pairs.
    assert_eq!(states("yahtzee"), 11_918_730_223_615);
    assert_eq!(states("yahtzee-free-joker"), 12_759_485_533_040);
}

#[test]
fn the_states_of_toy_games_are_counted_one_by_one() {
    let (mut all, mut decided) = (0, false);
    for toy in TOYS {
        let game = Game::new(Rules::from_toml(&toy.toml(1)).unwrap());
        let found = ScoreState::all(toy, &game);
        let mut layers = vec![TwoPlayerLayer::default(); toy.boxes.len() + 1];
        for first in &found {
            for second in &found {
                if first.filled != second.filled && first.filled != second.filled + 1 {
                    continue;
                }
                let states = differences_that_count(first, second);
                let layer = &mut layers[toy.boxes.len() - second.filled];
                layer.states += states;
                layer.pairs += u128::from(states > 0);
                decided |= states == 0;
            }
        }
        let size = count_two_player_game(&game, &Work::silent()).unwrap();
        assert_eq!(size.layers, layers, "{}", toy.name);
        assert_eq!(size.states(), layers.iter().map(|layer| layer.states).sum(), "{}", toy.name);
        all += size.states();
    }
    assert!(all > 100_000, "only {all} states were counted");
    assert!(decided, "some pairs leave nothing open");
}

/// A score state, as brute force finds it.
struct ScoreState {
    filled: usize,
    /// The least and most points so far.
    past: (i32, i32),
    /// The least and most points to come.
    future: (i32, i32),
}

/// Tries every difference of totals, the first player's minus the second's.
fn differences_that_count(first: &ScoreState, second: &ScoreState) -> u128 {
    let possible = |difference: &i32| {
        let occurs = (first.past.0 - second.past.1..=first.past.1 - second.past.0).contains(difference);
        let first_is_sure = difference + first.future.0 > second.future.1;
        let second_is_sure = difference + first.future.1 < second.future.0;
        occurs && !first_is_sure && !second_is_sure
    };
    (-2_000..=2_000).filter(possible).count() as u128
}

impl ScoreState {
    /// The score states of every card that can occur.
    fn all(toy: &Toy, game: &Game) -> Vec<ScoreState> {
        let mut final_totals = HashMap::new();
        play_on(toy, &tuples(toy.dice, toy.faces), &History::start(toy), &mut final_totals);
        let mut states: BTreeMap<usize, ScoreState> = BTreeMap::new();
        for (history, (least, most)) in final_totals {
            let card = Card::parse(game, &history.text(toy)).unwrap();
            let index = game.space().index(card.filled(), card.upper_total()).unwrap();
            let so_far = history.score(toy) as i32;
            let future = (least - so_far, most - so_far);
            let filled = history.points.iter().flatten().count();
            let state = states.entry(index).or_insert(ScoreState { filled, past: (so_far, so_far), future });
            assert_eq!(state.future, future, "{}: cards of one state have one future", toy.name);
            state.past = (state.past.0.min(so_far), state.past.1.max(so_far));
        }
        states.into_values().collect()
    }
}

/// Records the least and most final total that can follow from each card.
fn play_on(
    toy: &Toy,
    all_dice: &[Vec<u8>],
    history: &History,
    found: &mut HashMap<History, (i32, i32)>,
) -> (i32, i32) {
    if let Some(&totals) = found.get(history) {
        return totals;
    }
    let mut totals = (i32::MAX, i32::MIN);
    if history.points.iter().all(Option::is_some) {
        let score = history.score(toy) as i32;
        totals = (score, score);
    } else {
        for dice in all_dice {
            for (at, points, extra) in entries(toy, history, dice) {
                let (least, most) = play_on(toy, all_dice, &history.with(at, points, extra), found);
                totals = (totals.0.min(least), totals.1.max(most));
            }
        }
    }
    found.insert(history.clone(), totals);
    totals
}
