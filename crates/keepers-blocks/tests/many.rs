//! Many values of a solution read at once, compared with single lookups, and the study of a stored solution.

mod toy;

use std::fs;

use keepers::internals::Work;
use keepers::internals::solve::{SolutionError, SolvedGame};
use keepers::internals::study::{Study, StudyOptions, study};
use keepers::{Engine, Game, RandomStream, Silent, Standing};
use keepers_blocks::two_player::{SolveOptions, StoredSolution};
use toy::store::{DOUBLE, SHORT, SINGLE, SOLVE, open, solution, solve, tempdir};
use toy::{JOKERS, NEVER_ZERO, SIX_FACES, Toy, UPPER, everything};

/// Positions of random games, by the number of open boxes on both cards.
fn positions(game: &Game, games: usize) -> Vec<Vec<[Standing; 2]>> {
    let all = 2 * game.space().boxes();
    let mut found = vec![Vec::new(); all + 1];
    let mut random = RandomStream::new(11, 0);
    for _ in 0..games {
        let mut cards = [Standing::default(); 2];
        for left in (0..=all).rev() {
            found[left].push(cards);
            if left > 0 {
                let mut entries = Vec::new();
                game.each_entry(cards[0].filled, |entry| entries.push(entry));
                let entry = entries[random.below(entries.len() as u32) as usize];
                cards = [cards[1], cards[0].after(game, entry)];
            }
        }
    }
    found
}

/// Compares the values of many positions with single lookups. Returns their number.
fn compare(game: &Game, stored: &StoredSolution) -> usize {
    let mut compared = 0;
    for some in positions(game, 60) {
        let values = stored.values(&some, &Work::silent()).unwrap();
        for ([mover, other], value) in some.iter().zip(values) {
            let (single, _) = stored.after(other, mover).unwrap().unwrap();
            assert_eq!((1.0 - single).to_bits(), value.to_bits());
        }
        if some[0][0].open_boxes(game).is_empty() {
            continue;
        }
        let turns = stored.turns(&some, &Work::silent()).unwrap();
        for (nth, [mover, other]) in some.iter().enumerate() {
            let mut values = turns.of(nth).iter();
            game.each_entry(mover.filled, |entry| {
                let (single, _) = stored.after(&mover.after(game, entry), other).unwrap().unwrap();
                assert_eq!(single.to_bits(), values.next().unwrap().to_bits());
                compared += 1;
            });
            assert_eq!(values.next(), None);
        }
    }
    compared
}

#[test]
fn many_values_are_those_of_single_lookups() {
    let mut toys: Vec<Toy> = JOKERS.into_iter().map(everything).collect();
    toys.extend([SIX_FACES, NEVER_ZERO, UPPER]);
    let mut compared = 0;
    for toy in &toys {
        for settings in [DOUBLE, SINGLE, SHORT] {
            let (folder, game) = (tempdir(), toy.game());
            solve(folder.path(), &game, settings);
            compared += compare(&game, &solution(folder.path(), &game));
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn positions_that_do_not_belong_together_are_refused() {
    let (folder, game) = (tempdir(), NEVER_ZERO.game());
    solve(folder.path(), &game, DOUBLE);
    let stored = solution(folder.path(), &game);
    let all = positions(&game, 1);
    let refused = |found: Result<Vec<f64>, SolutionError>| found.unwrap_err().to_string();
    let mixed = [all[3][0], all[2][0]];
    assert!(refused(stored.values(&mixed, &Work::silent())).contains("different numbers of open boxes"));
    let impossible = [[Standing { total: 99, ..all[4][0][0] }, all[4][0][1]]];
    assert!(refused(stored.values(&impossible, &Work::silent())).contains("cannot occur"));
    let full = stored.turns(&all[0], &Work::silent()).unwrap_err().to_string();
    assert!(full.contains("no open box"), "{full}");
}

fn study_of(stored: &StoredSolution) -> Result<Study, SolutionError> {
    let game = stored.game();
    let player = Engine::in_memory().player(game, &"greedy".parse().unwrap()).unwrap();
    let options = StudyOptions { games: vec![400], exact_games: 2_000, compared_games: 100, seed: 3 };
    study(stored, &*player, &[&*player], &options, &Work::silent())
}

#[test]
fn a_study_needs_only_the_layers_of_the_turns_it_plays() {
    let game = everything(toy::Joker::Forced).game();
    let (whole, opening) = (tempdir(), tempdir());
    solve(whole.path(), &game, SINGLE);
    let keep_from = 5;
    let options = SolveOptions { keep_from, ..SOLVE };
    open(opening.path(), &game, SINGLE).solve(options, &Silent).unwrap();
    let all = study_of(&solution(whole.path(), &game)).unwrap();
    let part = study_of(&solution(opening.path(), &game)).unwrap();
    assert_eq!((all.last_turn, part.last_turn), (1, keep_from + 1));
    assert_eq!(all.value.to_bits(), part.value.to_bits());
    let [whole_turns, part_turns] = [&all, &part].map(|found| &found.strategies[0][0].turns);
    assert_eq!((whole_turns.len(), part_turns.len()), (5, 3));
    assert_eq!(whole_turns[..3], part_turns[..]);
    // In single precision, differences of a few millionths are not counted.
    assert!((2e-6..1e-5).contains(&all.resolution));
    // An object that is needed is missing, though its layer has a manifest.
    let object = fs::read_dir(opening.path().join("layer-05")).unwrap().map(|entry| entry.unwrap().path());
    let last = object.filter(|path| path.extension().is_some_and(|end| end == "blocks")).max().unwrap();
    fs::remove_file(last).unwrap();
    let damaged = study_of(&solution(opening.path(), &game)).unwrap_err().to_string();
    assert!(damaged.contains("layer-05/") && damaged.contains("does not exist"), "{damaged}");
}
