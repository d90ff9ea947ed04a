//! The best strategy for any utility of the final score, and its exact statistics.

mod brute;

use std::sync::Arc;

use brute::toys::TOYS;
use brute::{History, jagged, jagged_by_force};
use keepers::answers::{UtilityValue, ValueFunction};
use keepers::internals::Work;
use keepers::internals::evaluate::{evaluate_expected, evaluate_utility};
use keepers::internals::solve::{best_utility, max_points, reach_curves_f64};
use keepers::internals::tournament::{best_of, expected_utility, win_probability};
use keepers::{Card, Game, Rules, Silent, Store, Ties};

#[test]
fn every_card_of_every_toy_game_has_the_value_of_brute_force() {
    let mut compared = 0;
    for toy in TOYS {
        for rolls in 1..=2 {
            let game = Game::new(Rules::from_toml(&toy.toml(rolls)).unwrap());
            let empty = Card::empty(&game);
            let worth: Vec<f64> = (0..=u32::from(max_points(&game, &empty))).map(jagged).collect();
            let table = best_utility(&game, &empty, &worth, &Work::silent()).unwrap();
            let start = table.value();
            let statistics = evaluate_utility(&game, &table, &empty, &Work::silent()).unwrap();
            let got = expected_utility(&statistics.probability, &worth);
            assert!((got - start).abs() < 1e-10, "{}: the strategy gets {got}, not {start}", toy.name);
            assert!((statistics.probability.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let brute = jagged_by_force(toy, rolls);
            assert!((start - brute.values[&History::start(toy)]).abs() < 1e-10, "{}", toy.name);
            let value_fn = UtilityValue { game: game.clone(), table: Arc::new(table) };
            for (history, value) in brute.values {
                let card = Card::parse(&game, &history.text(toy)).unwrap();
                let ours = value_fn.value(&card);
                assert!((ours - value).abs() < 1e-10, "{}, \"{card}\": {ours} and {value}", toy.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000, "only {compared} were compared");
}

#[test]
fn a_target_is_a_step_function_and_the_score_the_identity() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let empty = Card::empty(&game);
    let reach = reach_curves_f64(&game, &Work::silent()).unwrap();
    for target in [90u16, 170, 240] {
        let step: Vec<f64> = (0..=target).map(|score| f64::from(u8::from(score == target))).collect();
        let table = best_utility(&game, &empty, &step, &Work::silent()).unwrap();
        let wanted = reach.curve(game.space().states() - 1).at(target.into());
        assert!((table.value() - wanted).abs() < 1e-12, "{target}");
        let statistics = evaluate_utility(&game, &table, &empty, &Work::silent()).unwrap();
        assert!((statistics.at_least(target.into()) - wanted).abs() < 1e-12, "{target}");
        // The probabilities of each box add up to 1.
        for id in empty.open_boxes().iter() {
            assert!((statistics.boxes[id].turns().iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((statistics.boxes[id].rolls.iter().flatten().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
    let identity: Vec<f64> = (0..=300).map(f64::from).collect();
    let table = best_utility(&game, &empty, &identity, &Work::silent()).unwrap();
    let expected = Store::none().expected(&game, &Silent).unwrap();
    assert!((table.value() - expected.start()).abs() < 1e-9);
    assert!(
        (evaluate_utility(&game, &table, &empty, &Work::silent()).unwrap().mean() - expected.start()).abs()
            < 1e-9
    );
}

#[test]
fn both_passes_count_the_same_extras_and_upper_bonuses() {
    // From this card, ties do not affect these two counts: each of the last boxes affects only its own points.
    let game = Game::new(Rules::preset("yahtzee").unwrap());
    let card = Card::parse(&game, "1=3,2=6,3=9,4=12,5=15,3k=20,4k=0,fh=25,ss=30,y=50,extra=1").unwrap();
    let expected =
        evaluate_expected(&Store::none().expected(&game, &Silent).unwrap(), &card, &Work::silent()).unwrap();
    let identity: Vec<f64> = (0..=2000).map(f64::from).collect();
    let utility = evaluate_utility(
        &game,
        &best_utility(&game, &card, &identity, &Work::silent()).unwrap(),
        &card,
        &Work::silent(),
    )
    .unwrap();
    assert!((expected.mean() - utility.mean()).abs() < 1e-9);
    assert!((expected.upper_bonus - utility.upper_bonus).abs() < 1e-12 && expected.upper_bonus > 0.3);
    assert!(expected.extras[1] > 1e-3);
    for (a, b) in expected.extras.iter().zip(&utility.extras) {
        assert!((a - b).abs() < 1e-12, "{:?} and {:?}", expected.extras, utility.extras);
    }
}

#[test]
fn the_best_tournament_strategy_has_an_advantage_and_sharing_ties_is_fair() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let empty = Card::empty(&game);
    let others = evaluate_expected(&Store::none().expected(&game, &Silent).unwrap(), &empty, &Work::silent())
        .unwrap()
        .probability;
    let mut last = 0.0;
    for opponents in [1, 10, 100, 1000] {
        let worth = win_probability(&others, opponents, Ties::Lose);
        let table = best_utility(&game, &empty, &worth, &Work::silent()).unwrap();
        let as_others = expected_utility(&others, &worth);
        let advantage = table.value() / as_others - 1.0;
        assert!(advantage > last, "the advantage grows: {advantage} against {opponents}");
        last = advantage;
        let best = evaluate_utility(&game, &table, &empty, &Work::silent()).unwrap();
        assert!((expected_utility(&best.probability, &worth) - table.value()).abs() < 1e-12);
        // Players with the same strategy have equal shares.
        let share = expected_utility(&others, &win_probability(&others, opponents, Ties::Share));
        assert!((share - 1.0 / f64::from(opponents + 1)).abs() < 1e-10, "{share}");
        assert!((best_of(&others, opponents).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn messages_for_bad_utility_files_list_all_problems_with_their_lines() {
    let cases = [
        ("", "line 1: the file has no scores: write score,utility on a line, like 300,1"),
        ("# nothing\n\n", "line 1: the file has no scores: write score,utility on a line, like 300,1"),
        ("score,utility\n", "line 1: the file has no scores: write score,utility on a line, like 300,1"),
        ("10,1\n10,2", "line 2: 10 is not higher than the score before it: scores must increase"),
        (
            "10,1\n5,2\n7,3",
            "line 2: 5 is not higher than the score before it: scores must increase; \
                           line 3: 7 is not higher than the score before it: scores must increase",
        ),
        (
            "1,NaN",
            "line 1: \"1,NaN\" is not a score and its utility: write score,utility with a whole score from 0 to 65535 and a utility from -1e100 to 1e100, like 300,1",
        ),
        (
            "step\n-3,1",
            "line 2: \"-3,1\" is not a score and its utility: write score,utility with a whole score from 0 to 65535 and a utility from -1e100 to 1e100, like 300,1",
        ),
        (
            "1;2",
            "line 1: \"1;2\" is not a score and its utility: write score,utility with a whole score from 0 to 65535 and a utility from -1e100 to 1e100, like 300,1",
        ),
        (
            "1.5,2",
            "line 1: \"1.5,2\" is not a score and its utility: write score,utility with a whole score from 0 to 65535 and a utility from -1e100 to 1e100, like 300,1",
        ),
        (
            "2,inf",
            "line 1: \"2,inf\" is not a score and its utility: write score,utility with a whole score from 0 to 65535 and a utility from -1e100 to 1e100, like 300,1",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(keepers::internals::utility::parse(text).unwrap_err().to_string(), message, "{text:?}");
    }
}
