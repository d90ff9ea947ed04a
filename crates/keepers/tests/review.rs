//! Reviews: the sum of luck and losses is exact, perfect play loses nothing, and luck is fair.

#[allow(dead_code, reason = "only the toys are needed here")]
mod brute;
mod play;

use std::sync::Arc;

use brute::toys::TOYS;
use keepers::answers::{ExpectedTable, Position, UtilityValue, ValueFunction};
use keepers::internals::advise::{ReachValue, advise};
use keepers::internals::plan::TieTolerance;
use keepers::internals::review::{EntryValuation, SolitaireValuation, Valuation, review};
use keepers::internals::solve::best_utility;
use keepers::internals::tournament::win_probability;
use keepers::internals::{Work, evaluate};
use keepers::{
    Action, Card, Game, Grade, Keep, Objective, Record, Review, Rules, Silent, Store, Ties, WorkError,
};
use play::{advised, anything, play};

fn game(name: &str) -> Game {
    Game::new(Rules::preset(name).unwrap())
}

/// Checks that start + luck + others - loss = end.
fn assert_exact(review: &Review) {
    let ledger = review.start + review.luck() + review.others() - review.loss();
    assert!((ledger - review.end).abs() < 1e-9, "{ledger} and {}", review.end);
}

/// Reviews random and perfect games, whole and in part.
fn judge(game: &Game, value_fn: &dyn ValueFunction, worth: &dyn Fn(u16) -> f64, games: u64) {
    let valuation = SolitaireValuation(value_fn);
    for seed in 0..games {
        for rolls in [10 + seed as usize, 1000] {
            let record = play(game, &["Ann", "Bob"], seed, rolls, &mut anything(game));
            for player in 0..2 {
                let review = review(game, &record, player, &valuation).unwrap();
                assert_exact(&review);
                assert_eq!(review.others(), 0.0);
                assert!((review.start - value_fn.value(&Card::empty(game))).abs() < 1e-12);
                assert!(review.moments().all(|moment| moment.decision.loss >= 0.0));
                assert!(review.moments().all(|moment| moment.decision.rank <= moment.decision.choices));
                if rolls == 1000 {
                    assert!(review.is_finished());
                    assert!((review.end - worth(review.card.total())).abs() < 1e-9);
                }
            }
        }
        let record = play(game, &["Ann"], seed, 1000, &mut advised(value_fn));
        let review = review(game, &record, 0, &valuation).unwrap();
        assert_exact(&review);
        assert_eq!(review.loss(), 0.0, "perfect play loses nothing");
        assert!(review.moments().all(|moment| moment.decision.rank == 1));
        assert!((review.end - worth(review.card.total())).abs() < 1e-9);
        assert_eq!(Grade::of(&Objective::Expected, review.error()), Some(Grade::Perfect));
    }
}

#[test]
fn the_ledger_of_expected_scores_is_exact() {
    for name in ["yahtzee", "yahtzee-free-joker", "yatzy", "yacht"] {
        let game = game(name);
        judge(&game, &Store::none().expected(&game, &Silent).unwrap(), &f64::from, 12);
    }
}

#[test]
fn the_ledger_of_a_target_is_exact() {
    let game = game("yacht");
    let table = Arc::new(Store::none().reach(&game, &Silent).unwrap());
    for target in [60, 170, 230] {
        let value_fn = ReachValue { table: Arc::clone(&table), target };
        judge(&game, &value_fn, &|score| f64::from(u8::from(score >= target)), 10);
    }
}

#[test]
fn the_ledger_of_a_utility_is_exact() {
    let game = game("yacht");
    let empty = Card::empty(&game);
    let others = evaluate::evaluate_expected(
        &Store::none().expected(&game, &Silent).unwrap(),
        &empty,
        &Work::silent(),
    )
    .unwrap();
    let jagged: Vec<f64> = (0..=300).map(|score| f64::from(score * score % 37) - 20.0).collect();
    for worth in [win_probability(&others.probability, 10, Ties::Lose), jagged] {
        let table = best_utility(&game, &empty, &worth, &Work::silent()).unwrap();
        let value_fn = UtilityValue { game: game.clone(), table: Arc::new(table) };
        judge(&game, &value_fn, &|score| worth[usize::from(score).min(worth.len() - 1)], 10);
    }
}

/// Empty sums are positive zeros: a negative one is shown as "-0.000" and written to JSON as -0.0.
#[test]
fn no_sum_is_a_negative_zero() {
    let game = game("yacht");
    let table = Store::none().expected(&game, &Silent).unwrap();
    for text in ["", "22345", "players: Ann, Bob\n\n", "players: Ann, Bob\n\nAnn: 22345", "22345 -\n22345"] {
        let record = Record::parse(&game, text).unwrap();
        for player in 0..record.players().len() {
            let review = review(&game, &record, player, &SolitaireValuation(&table)).unwrap();
            let rolls = || review.turns.iter().flat_map(|turn| &turn.rolls);
            let of_turns = review.turns.iter().flat_map(|turn| [turn.luck(), turn.loss(), turn.others]);
            let sums = [review.luck(), review.loss(), review.others(), review.others_after, review.error()];
            for sum in sums.into_iter().chain(of_turns).chain(rolls().map(|roll| roll.loss())) {
                assert!(sum != 0.0 || sum.is_sign_positive(), "{text:?}: {sum:?}");
            }
            let decisions = rolls().map(|roll| roll.decisions.len()).sum::<usize>();
            assert!(decisions > 0 || format!("{:.3}", review.loss()) == "0.000");
        }
    }
}

/// Advice folds each turn again for the rolls that are left; review and advice must agree on every choice.
#[test]
fn every_loss_is_that_of_advice() {
    for name in ["yahtzee", "yatzy"] {
        let game = game(name);
        let table = Store::none().expected(&game, &Silent).unwrap();
        for seed in 0..5 {
            let record = play(&game, &["Ann"], seed, 1000, &mut anything(&game));
            let review = review(&game, &record, 0, &SolitaireValuation(&table)).unwrap();
            for turn in &review.turns {
                for roll in &turn.rolls {
                    let told = advise(&table, &turn.card, roll.roll, roll.rolls_left).unwrap();
                    assert!((told.value - roll.value).abs() < 1e-9);
                    let first = &roll.decisions[0];
                    assert_eq!(first.best, told.choices[0].action);
                    assert_eq!(first.choices, told.choices.len());
                    let choice = told.choices.iter().find(|choice| choice.action == first.action).unwrap();
                    if roll.decisions.len() == 1 {
                        assert!((choice.loss - first.loss).abs() < 1e-9);
                        assert!((choice.value - first.value).abs() < 1e-9);
                        let better = told.choices.iter().filter(|other| other.loss < choice.loss - 1e-9);
                        assert_eq!(first.rank, 1 + better.count());
                    } else {
                        // A player who scores has no rolls left.
                        let told = advise(&table, &turn.card, roll.roll, 0).unwrap();
                        assert!((first.value - told.value).abs() < 1e-9);
                        assert!(first.loss >= choice.loss - 1e-9, "a passed roll could still be used");
                        let second = &roll.decisions[1];
                        let choice =
                            told.choices.iter().find(|choice| choice.action == second.action).unwrap();
                        assert!((choice.loss - second.loss).abs() < 1e-9);
                    }
                }
            }
        }
    }
}

/// The expected luck over all possible rolls is zero.
#[test]
fn luck_is_fair() {
    for toy in TOYS {
        let game = Game::new(Rules::from_toml(&toy.toml(2)).unwrap());
        let table = Store::none().expected(&game, &Silent).unwrap();
        let lattice = game.lattice();
        let total = f64::from(lattice.faces()).powi(i32::from(lattice.dice()));
        let first = game.lattice().roll(lattice.rolls().start);
        for keep in lattice.keeps().iter().filter(|keep| keep.is_within(first.dice())) {
            let (mut start_luck, mut next_luck) = (0.0, 0.0);
            for index in lattice.rolls() {
                let roll = lattice.roll(index);
                let mut record = Record::new(&game, &["Ann"]).unwrap();
                record.roll(roll).unwrap();
                let luck = |record: &Record| {
                    review(&game, record, 0, &SolitaireValuation(&table)).unwrap().turns[0]
                        .rolls
                        .last()
                        .unwrap()
                        .luck
                };
                start_luck += f64::from(roll.dice().orders()) / total * luck(&record);
                if keep.is_within(roll.dice()) {
                    let mut record = Record::new(&game, &["Ann"]).unwrap();
                    record.roll(first).unwrap();
                    record.keep(*keep).unwrap();
                    record.roll(roll).unwrap();
                    let rolled = keep.faces().fold(*roll.dice(), |dice, face| dice.without(face).unwrap());
                    let all = f64::from(lattice.faces()).powi(rolled.len() as i32);
                    let orders = if rolled == Keep::NOTHING { 1 } else { rolled.orders() };
                    next_luck += f64::from(orders) / all * luck(&record);
                }
            }
            assert!(
                start_luck.abs() < 1e-10 && next_luck.abs() < 1e-10,
                "{}: {start_luck}, {next_luck}",
                toy.name
            );
        }
    }
}

/// Values a position by the lead in expected score.
struct Lead(ExpectedTable);

impl Valuation for Lead {
    fn value(&self, at: &Position, player: usize) -> Result<f64, WorkError> {
        let others = at.cards.iter().enumerate().filter(|(other, _)| *other != player);
        let best = others.map(|(_, card)| self.0.value(card)).fold(f64::NEG_INFINITY, f64::max);
        Ok(self.0.value(&at.cards[player]) - best)
    }

    fn entries<'a>(&'a self, at: &'a Position) -> Result<EntryValuation<'a>, WorkError> {
        let value = |entry| self.value(&at.after(entry), at.to_move).unwrap();
        Ok(EntryValuation { value: Box::new(value), exact: true })
    }

    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::Points
    }
}

#[test]
fn the_effect_of_other_players_is_in_the_ledger() {
    let game = game("yacht");
    let lead = Lead(Store::none().expected(&game, &Silent).unwrap());
    for (seed, rolls) in [(1, 1000), (2, 1000), (3, 17), (4, 20), (5, 0)] {
        let record = play(&game, &["Ann", "Bob", "Cem"], seed, rolls, &mut anything(&game));
        for player in 0..3 {
            let of_lead = review(&game, &record, player, &lead).unwrap();
            let alone = review(&game, &record, player, &SolitaireValuation(&lead.0)).unwrap();
            assert_exact(&of_lead);
            // The lead changes by as much as the player's own value, so luck and loss are those of the score.
            assert!((of_lead.luck() - alone.luck()).abs() < 1e-9);
            assert!((of_lead.loss() - alone.loss()).abs() < 1e-9);
            if rolls == 1000 {
                let total = |card: &Card| f64::from(card.total());
                let others = record.position().cards.iter().enumerate().filter(|(other, _)| *other != player);
                let best = others.map(|(_, card)| total(card)).fold(0.0, f64::max);
                assert!((of_lead.end - (total(&of_lead.card) - best)).abs() < 1e-9);
                assert!(of_lead.others() != 0.0);
            }
        }
    }
}

#[test]
fn decisions_without_a_choice_do_not_count() {
    let game = game("yacht");
    let table = Store::none().expected(&game, &Silent).unwrap();
    let record = play(&game, &["Ann"], 9, 1000, &mut advised(&table));
    let review = review(&game, &record, 0, &SolitaireValuation(&table)).unwrap();
    let all = review.moments().count();
    assert_eq!(review.decisions(), all - 1, "the last box takes what comes");
    let last = review.moments().last().unwrap();
    assert!(matches!(last.decision.action, Action::Score(_)));
    assert_eq!((last.decision.choices, last.decision.rank), (1, 1));
}

#[test]
fn grades_follow_the_average_loss() {
    let of = |objective, error| Grade::of(&objective, error);
    assert_eq!(of(Objective::Expected, 0.3), Some(Grade::Advanced));
    assert_eq!(of(Objective::Reach(200), 0.3 * Grade::PROBABILITY_OF_A_POINT), Some(Grade::Advanced));
    assert_eq!(of(Objective::Tournament(1), 0.3 * Grade::PROBABILITY_OF_A_POINT), Some(Grade::Advanced));
    assert_eq!(of(Objective::Tournament(199), 0.003 * Grade::PROBABILITY_OF_A_POINT), Some(Grade::Advanced));
    assert_eq!(of(Objective::Utility("a".into()), 1.0), None);
    assert!(Grade::POINTS.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
}
