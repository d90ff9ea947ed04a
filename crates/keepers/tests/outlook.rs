//! Exact statistics after a choice: their mean over all first rolls equals the statistics of the card.

use std::sync::Arc;

use keepers::answers::{Statistics, UtilityValue, ValueFunction};
use keepers::internals::advise::advise;
use keepers::internals::evaluate::{
    ChosenAction, evaluate_expected, evaluate_expected_after, evaluate_utility_after,
};
use keepers::internals::tournament::{expected_utility, win_probability};
use keepers::internals::{Work, solve};
use keepers::{Card, Engine, Game, Goal, Roll, Rules, Silent, Store, Ties};

/// Cards with few open boxes, on some of which jokers and bonuses are still possible.
fn cards() -> Vec<(Game, Card)> {
    let of = |rules: &str, card: &str| {
        let game = Game::new(Rules::preset(rules).unwrap());
        let card = Card::parse(&game, card).unwrap();
        (game, card)
    };
    vec![
        of("yahtzee", "1=3,2=6,3=9,4=12,5=15,3k=20,4k=0,fh=25,ss=30,y=50,extra=1"),
        of("yahtzee-free-joker", "1=3,2=6,3=9,4=12,6=24,4k=22,fh=25,ss=30,ls=0,ch=20,y=50"),
        of("yatzy", "1=3,2=6,3=9,4=12,5=15,1p=12,2p=18,3k=15,4k=0,ss=15,fh=22,ch=20,y=0"),
        of("yacht", "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30"),
    ]
}

/// All first rolls, each with its probability.
fn first_rolls(game: &Game) -> Vec<(Roll, f64)> {
    let lattice = game.lattice();
    let all: f64 = lattice.rolls().map(|roll| f64::from(lattice.keeps()[roll].orders())).sum();
    lattice.rolls().map(|r| (lattice.roll(r), f64::from(lattice.keeps()[r].orders()) / all)).collect()
}

fn near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-9, "{what}: {a} is not {b}");
}

/// The points on the card plus the expected points of all boxes and bonuses.
fn by_parts(game: &Game, card: &Card, statistics: &Statistics) -> f64 {
    let rules = game.rules();
    let boxes: f64 = statistics.boxes.values().iter().map(|of| of.mean()).sum();
    let bonus = rules.upper_bonus().map_or(0.0, |bonus| f64::from(bonus.points) * statistics.upper_bonus);
    let extra = rules.extra().map_or(0.0, |extra| f64::from(extra.points));
    let extras: f64 = statistics.extras.iter().zip(0..).map(|(p, n)| p * extra * f64::from(n)).sum();
    f64::from(card.total()) + boxes + bonus + extras
}

/// Plays every first roll by the best choice, and compares the mean of the statistics with those of the card.
fn check_first_rolls(
    game: &Game,
    card: &Card,
    value_fn: &dyn ValueFunction,
    whole: &Statistics,
    after: impl Fn(&ChosenAction<'_>) -> Statistics,
) {
    let rolls_left = game.rules().rolls() - 1;
    let mut probability = vec![0.0; whole.probability.len()];
    let (mut bonus, mut boxes) = (0.0, vec![0.0; game.space().boxes()]);
    for (roll, p) in first_rolls(game) {
        let advice = advise(value_fn, card, roll, rolls_left).unwrap();
        let after = after(&ChosenAction { card, rolls_left, action: advice.choices[0].action });
        near(by_parts(game, card, &after), after.mean(), "the parts of the mean");
        after.probability.iter().enumerate().for_each(|(total, mass)| probability[total] += p * mass);
        bonus += p * after.upper_bonus;
        after.boxes.values().iter().zip(&mut boxes).for_each(|(of, sum)| *sum += p * of.mean());
    }
    for (total, (mixed, exact)) in probability.iter().zip(&whole.probability).enumerate() {
        near(*mixed, *exact, &format!("{}, total {total}", game.rules().name()));
    }
    near(bonus, whole.upper_bonus, "the upper bonus");
    for (sum, of) in boxes.iter().zip(whole.boxes.values()) {
        near(*sum, of.mean(), "a box");
    }
}

#[test]
fn the_mean_over_all_first_rolls_is_the_distribution_of_the_card() {
    let engine = Engine::new(Store::none());
    for (game, card) in cards() {
        let table = engine.expected_table(&game).unwrap();
        let (whole, _) = engine.distribution(&card, &Goal::Score).unwrap();
        check_first_rolls(&game, &card, &table, &whole, |chosen| {
            evaluate_expected_after(&table, chosen, &Work::silent()).unwrap()
        });
        let goal = Goal::Target(card.total() + 40);
        let utility = goal.utility(&game, &card).unwrap().unwrap();
        let best = engine.utility_table(&card, &utility).unwrap();
        let (whole, _) = engine.distribution(&card, &goal).unwrap();
        check_first_rolls(&game, &card, &best, &whole, |chosen| {
            evaluate_utility_after(&best, chosen, &Work::silent()).unwrap()
        });
    }
}

/// A table also answers for cards that follow from its own card. Turns must be counted from the card of the choice:
/// counted from the card of the table, they would index a layer of the state space that contains no probability.
#[test]
fn a_table_solved_from_an_earlier_card_gives_the_same_statistics() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let empty = Card::empty(&game);
    let others =
        evaluate_expected(&Store::none().expected(&game, &Silent).unwrap(), &empty, &Work::silent()).unwrap();
    let worth = win_probability(&others.probability, 1, Ties::Share);
    let solved_from = |card: &Card| {
        let table = Arc::new(solve::best_utility(&game, card, &worth, &Work::silent()).unwrap());
        UtilityValue { game: game.clone(), table }
    };
    let earlier = solved_from(&empty);
    for text in ["1=2,2=4,3=6", "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30"] {
        let card = Card::parse(&game, text).unwrap();
        let same = solved_from(&card);
        for (dice, rolls_left) in [("33566", 2), ("12344", 1), ("66666", 0)] {
            let roll = Roll::parse(dice, 5, 6).unwrap();
            let choices = advise(&same, &card, roll, rolls_left).unwrap().choices;
            for choice in choices.iter().take(2) {
                let chosen = ChosenAction { card: &card, rolls_left, action: choice.action };
                let [one, other] = [&earlier, &same]
                    .map(|best| evaluate_utility_after(best, &chosen, &Work::silent()).unwrap());
                assert_same_statistics(&one, &other, &format!("{text}, {dice}, {:?}", choice.action));
                near(expected_utility(&one.probability, &worth), choice.value, "the value of the choice");
            }
        }
    }
}

fn assert_same_statistics(one: &Statistics, other: &Statistics, what: &str) {
    let same = |one: &[f64], other: &[f64]| {
        assert_eq!(one.len(), other.len(), "{what}");
        let differs = one.iter().zip(other).any(|(a, b)| (a - b).abs() > 1e-12);
        assert!(!differs, "{what}: {one:?} and {other:?}");
    };
    same(&one.probability, &other.probability);
    same(&[one.upper_bonus], &[other.upper_bonus]);
    same(&one.extras, &other.extras);
    for (one, other) in one.boxes.values().iter().zip(other.boxes.values()) {
        same(&one.rolls.concat(), &other.rolls.concat());
        same(&one.points.concat(), &other.points.concat());
    }
}

#[test]
fn the_mean_after_every_choice_is_its_value() {
    let engine = Engine::new(Store::none());
    for (_, card) in cards() {
        let value_fn = engine.value_function(&card, &Goal::Score).unwrap();
        for (dice, rolls_left) in [("11345", 2), ("44444", 1), ("23456", 0), ("66666", 0), ("11111", 2)] {
            let roll = Roll::parse(dice, 5, 6).unwrap();
            let advice = advise(&*value_fn, &card, roll, rolls_left).unwrap();
            let actions: Vec<_> = advice.choices.iter().map(|choice| choice.action).collect();
            let outlooks = engine.outlooks(&card, (roll, rolls_left), &actions, &Goal::Score).unwrap();
            assert_eq!(outlooks.len(), actions.len());
            for (choice, (value, outlook)) in advice.choices.iter().zip(&outlooks) {
                near(outlook.mean(), choice.value, &format!("{dice} {:?}", choice.action));
                near(*value, choice.value, &format!("{dice} {:?}", choice.action));
                near(outlook.probability.iter().sum(), 1.0, "all probability");
            }
        }
    }
}

#[test]
fn the_mean_of_the_odds_after_all_first_rolls_is_the_reach_curve() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let table = Store::none().reach(&game, &Silent).unwrap();
    for card in ["", "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30"] {
        let card = Card::parse(&game, card).unwrap();
        let curve = table.of(&card).probabilities(&card);
        let mut mixed = vec![0.0; curve.len()];
        for (roll, p) in first_rolls(&game) {
            let after = table.probabilities_after(&card, &roll, 2);
            after.iter().zip(&mut mixed).for_each(|(chance, sum)| *sum += p * chance);
            let stopped = table.probabilities_after(&card, &roll, 0);
            assert!(after.len() >= stopped.len());
            assert!(stopped.iter().zip(&after).all(|(stopped, after)| *stopped <= after + 1e-6));
        }
        for (score, (mixed, exact)) in mixed.iter().zip(&curve).enumerate() {
            assert!((mixed - exact).abs() < 2e-6, "{score}: {mixed} is not {exact}");
        }
    }
}

#[test]
fn a_target_out_of_reach_is_an_error() {
    let engine = Engine::new(Store::none());
    let game = Game::new(Rules::preset("yacht").unwrap());
    let card = Card::empty(&game);
    let error = engine.value_function(&card, &Goal::Target(5000)).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("5000 is out of reach: at most "), "{error}");
}
