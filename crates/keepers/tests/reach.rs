//! Reach curves, compared with brute force, with double precision, and with the results of strategies.

mod brute;

use std::sync::Arc;

use brute::toys::TOYS;
use brute::{History, Toy, reach_by_force};
use keepers::internals::Work;
use keepers::internals::advise::{ReachValue, advise};
use keepers::internals::evaluate::evaluate_expected;
use keepers::internals::solve::{
    ReachableStates, reach_curves, reach_curves_f64, reach_curves_from, reach_curves_from_f64,
};
use keepers::internals::table::READ_AT_ONCE;
use keepers::{Card, Game, Rules, Silent, Store};

fn game_of(toy: &Toy, rolls: u8) -> Game {
    Game::new(Rules::from_toml(&toy.toml(rolls)).expect("the toy is a game of the family"))
}

#[test]
fn every_target_from_every_card_of_the_toy_games_has_the_probability_of_brute_force() {
    let mut compared = 0;
    for toy in TOYS {
        let game = game_of(toy, 2);
        let (single, double) = (
            reach_curves(&game, &Work::silent()).unwrap(),
            reach_curves_f64(&game, &Work::silent()).unwrap(),
        );
        let most = u32::from(double.curve(game.space().states() - 1).most());
        // Testing every target is slow for many cards. With a stride that has no common factor with the number of
        // scores, all targets occur over the cards.
        for target in (0..=most + 1).step_by(if most > 60 { 7 } else { 1 }) {
            for (history, value) in reach_by_force(toy, 2, target).values {
                let card = Card::parse(&game, &history.text(toy)).expect("a card that occurs");
                let state = game.space().index(card.filled(), card.upper_total()).expect("its state");
                let needed = target as i32 - i32::from(card.total());
                let of = || format!("{}: {target} from \"{card}\"", toy.name);
                let ours = double.curve(state).at(needed);
                assert!((ours - value).abs() <= 1e-12, "{}: {ours}, but brute force says {value}", of());
                let ours = f64::from(single.curve(state).at(needed));
                assert!((ours - value).abs() <= 1e-6, "{}: {ours}, but brute force says {value}", of());
                compared += 1;
            }
        }
        assert!(reach_by_force(toy, 2, most).values[&History::start(toy)] > 0.0, "{}", toy.name);
    }
    assert!(compared > 100_000, "only {compared} were compared");
}

/// Yahtzee with seven boxes, which still has the bonus, extras and jokers.
fn seven_boxes() -> Rules {
    let toml = Rules::preset("yahtzee").unwrap().to_toml();
    let (rest, boxes) = toml.split_once("[[box]]").unwrap();
    let kept = |text: &&str| {
        ["4", "5", "6", "fh", "ss", "y", "ch"].iter().any(|id| text.contains(&format!("id = \"{id}\"")))
    };
    let boxes = boxes.split("[[box]]").filter(kept).map(|text| format!("[[box]]{text}"));
    Rules::from_toml(&(rest.to_string() + &boxes.collect::<String>())).unwrap()
}

#[test]
fn curves_never_rise_and_single_precision_is_close_to_double() {
    let seven = seven_boxes();
    assert!(seven.all_boxes().len() == 7 && seven.extras_pay() && seven.upper_bonus().is_some());
    for rules in [Rules::preset("yacht").unwrap(), seven] {
        compare_precisions(&Game::new(rules));
    }
}

fn state_of(card: &Card) -> usize {
    card.game().space().index(card.filled(), card.upper_total()).expect("the state of a card")
}

#[test]
fn curves_solved_from_a_card_have_the_bits_of_the_curves_of_all_states() {
    let silent = Work::silent();
    for rules in [Rules::preset("yacht").unwrap(), seven_boxes()] {
        let game = Game::new(rules);
        let all = reach_curves(&game, &silent).unwrap();
        let mut solved = 0;
        for text in ["", "4=8", "4=12,ch=22", "4=0,fh=0,6=18,ch=9", "4=12,5=15,6=18,fh=25,y=50,ch=20"] {
            let Ok(card) = Card::parse(&game, text) else { continue };
            let states = ReachableStates::from(&card, &silent).unwrap();
            let count = states.count().unwrap();
            let precise = reach_curves_from_f64(&game, states.clone(), &silent).unwrap();
            let curves = reach_curves_from(&game, states, &silent).unwrap();
            let found: Vec<usize> = (0..game.space().states()).filter(|&state| curves.has(state)).collect();
            assert!(
                found.len() == count
                    && found.contains(&state_of(&card))
                    && (text.is_empty() || count < all.windows().len())
            );
            for &state in &found {
                assert_eq!(curves.curve(state), all.curve(state), "{card} {state}");
                let most = curves.curve(state).most();
                assert!((0..=most).all(|points| {
                    let (single, double) =
                        (curves.curve(state).at(points.into()), precise.curve(state).at(points.into()));
                    (f64::from(single) - double).abs() < 1e-6
                }));
            }
            solved += 1;
        }
        assert!(solved >= 4, "{solved} cards of {}", game.rules().name());
    }
}

fn compare_precisions(game: &Game) {
    let (single, double) =
        (reach_curves(game, &Work::silent()).unwrap(), reach_curves_f64(game, &Work::silent()).unwrap());
    for state in 0..game.space().states() {
        let (curve, precise) = (single.curve(state), double.curve(state));
        assert_eq!(curve.most(), precise.most());
        assert!(curve.cells.iter().all(|p| 0.0 < *p && *p < 1.0));
        assert!(curve.cells.is_sorted_by(|a, b| a >= b) && precise.cells.is_sorted_by(|a, b| a >= b));
        for points in 0..=i32::from(curve.most()) {
            let (p, wanted) = (f64::from(curve.at(points)), precise.at(points));
            assert!((p - wanted).abs() <= 2e-6, "state {state}, {points}: {p} and {wanted}");
            assert!(
                wanted < 1e-15 || (p / wanted - 1.0).abs() <= 1e-5,
                "state {state}, {points}: {p}, {wanted}"
            );
        }
    }
}

#[test]
fn no_strategy_reaches_a_score_more_often_than_the_curve_allows() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let table = Store::none().expected(&game, &Silent).unwrap();
    let best = reach_curves_f64(&game, &Work::silent()).unwrap();
    for text in ["", "1=2,y=50", "fh=0,ch=18,6=24,5=10"] {
        let card = Card::parse(&game, text).unwrap();
        let statistics = evaluate_expected(&table, &card, &Work::silent()).unwrap();
        let curve = best.curve(game.space().index(card.filled(), card.upper_total()).unwrap());
        let total = usize::from(card.total());
        let mut behind = 0;
        for score in 0..statistics.probability.len() {
            let (got, can) = (statistics.at_least(score), curve.at(score as i32 - total as i32));
            assert!(got <= can + 1e-12, "\"{text}\", {score}: {got} is more than {can}");
            behind += usize::from(got < can - 1e-6);
        }
        assert!(behind > 20, "playing for the mean costs something at most scores");
    }
}

#[test]
fn advice_has_the_value_of_the_curve_even_for_tiny_probabilities() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let reach = Store::none().reach(&game, &Silent).unwrap();
    let card = Card::empty(&game);
    let wanted: Vec<(u16, f64)> = [150, 230, 270, 290, 299]
        .map(|target| (target, f64::from(reach.of(&card).at(target.into()))))
        .to_vec();
    let mut value_fn = ReachValue { table: Arc::new(reach), target: 0 };
    for (target, wanted) in wanted {
        value_fn.target = target;
        let mut mean = 0.0;
        for roll in game.lattice().rolls().map(|roll| game.lattice().roll(roll)) {
            let advice = advise(&value_fn, &card, roll, 2).unwrap();
            let most = advice.choices.iter().map(|choice| choice.value).fold(0.0, f64::max);
            // Values that agree in 18 binary digits are equal in single precision, and then the tie rule decides.
            assert!(
                advice.value >= most * (1.0 - 2f64.powi(-17)),
                "{target} with {roll}: {} of {most}",
                advice.value
            );
            mean += advice.value * f64::from(roll.dice().orders()) / 7776.0;
        }
        assert!((mean / wanted - 1.0).abs() < 1e-5, "{target}: {mean} and {wanted}");
    }
}

#[test]
fn a_stored_table_has_the_same_curves_and_damage_is_repaired() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path());
    let game = Game::new(Rules::preset("yacht").unwrap());
    let solved = store.reach(&game, &Silent).unwrap();
    assert!(!solved.is_stored());
    let stored = store.reach(&game, &Silent).unwrap();
    assert!(stored.is_stored());
    for state in 0..game.space().states() {
        assert_eq!(stored.curve(state), solved.curve(state));
    }
    let path = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let again = store.reach(&game, &Silent).unwrap();
    assert!(!again.is_stored(), "it was found out and solved again");
    assert_eq!(again.curve(4095), solved.curve(4095));
    assert!(store.reach(&game, &Silent).unwrap().is_stored(), "and is whole again");
}

#[test]
fn damage_in_a_mapped_table_is_repaired_when_its_chunk_is_read() {
    // A hundred thousand states with such long curves that the table is mapped and not read at once.
    let boxes: Vec<String> =
        (0..17).map(|n| format!("{{ id = \"b{n}\", pattern = \"sets\", of = [2], pays = 20 }}")).collect();
    let toml = format!("dice = 2\nfaces = 2\nrolls = 1\nbox = [{}]", boxes.join(", "));
    let game = Game::new(Rules::from_toml(&toml).unwrap());
    let last = game.space().states() - 1;
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path());
    let solved = store.reach(&game, &Silent).unwrap();
    assert!(solved.bytes() > READ_AT_ONCE);
    let path = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();

    let stored = store.reach(&game, &Silent).unwrap();
    assert!((0..last).step_by(97).take(1000).all(|state| stored.curve(state) == solved.curve(state)));
    assert!(stored.is_stored(), "what is whole is used");
    assert_eq!(stored.curve(last), solved.curve(last));
    assert!(!stored.is_stored(), "it was found out and solved again");
    let again = store.reach(&game, &Silent).unwrap();
    assert!((0..=last).all(|state| again.curve(state) == solved.curve(state)));
    assert!(again.is_stored(), "and is whole again");
}
