//! Simulated games, compared with the exact distributions of the same strategies.

use std::sync::Arc;

use keepers::answers::Statistics;
use keepers::internals::evaluate::{evaluate_expected, evaluate_utility};
use keepers::internals::players::{Expected, Greedy, Random, Utility};
use keepers::internals::simulate::simulate;
use keepers::internals::tournament::win_probability;
use keepers::internals::{Work, solve};
use keepers::{
    Card, Game, Rules, Sample, Silent, Standing, Store, Strategy, Ties, TurnContext, TurnPolicy, WorkError,
};

const GAMES: u64 = 1_000_000;

fn play(game: &Game, strategy: &dyn Strategy, start: &Card, games: u64, seed: u64) -> Sample {
    simulate(game, strategy, &Standing::of(start), games, seed, &Work::silent()).unwrap()
}

/// Checks that every summary is within four standard errors, and the totals by a chi-square test over bins.
fn agrees(sample: &Sample, exact: &Statistics, what: &str) {
    let games = sample.games as f64;
    let near = |found: f64, wanted: f64, error: f64, part: &str| {
        assert!(
            (found - wanted).abs() <= 4.0 * error + 1e-12,
            "{what}, {part}: {found} and {wanted} +- {error}"
        );
    };
    let share_error = |p: f64| (p * (1.0 - p) / games).sqrt().max(1.0 / games);
    near(sample.mean(), exact.mean(), exact.deviation() / games.sqrt(), "mean");
    let moment = |power| -> f64 {
        let spread = |(p, total): (&f64, i32)| p * (f64::from(total) - exact.mean()).powi(power);
        exact.probability.iter().zip(0..).map(spread).sum()
    };
    // The standard error of a variance, from the fourth moment.
    let variance_error = ((moment(4) - moment(2).powi(2)) / games).sqrt();
    near(sample.deviation().powi(2), moment(2), variance_error, "variance");
    near(sample.upper_bonus as f64 / games, exact.upper_bonus, share_error(exact.upper_bonus), "upper bonus");
    for (n, &p) in exact.extras.iter().enumerate() {
        let found = sample.extras.get(n).copied().unwrap_or(0) as f64 / games;
        near(found, p, share_error(p), "extras");
    }
    for (id, of) in exact.boxes.iter() {
        let counts = sample.boxes[id].counts();
        for (points, p) in of.distribution().into_iter().enumerate() {
            let found = counts.get(points).copied().unwrap_or(0) as f64 / games;
            near(found, p, share_error(p), &format!("{points} in box {}", id.index()));
        }
        for (turn, p) in of.turns().into_iter().enumerate() {
            let found = sample.boxes[id].turns().get(turn).copied().unwrap_or(0) as f64 / games;
            near(found, p, share_error(p), &format!("turn {turn} of box {}", id.index()));
        }
    }
    // Bins of at least fifty expected games.
    let (mut chi, mut bins) = (0.0, 0.0);
    let (mut expected, mut found) = (0.0, 0.0);
    for (total, p) in exact.probability.iter().enumerate() {
        expected += p * games;
        found += sample.totals.get(total).copied().unwrap_or(0) as f64;
        if expected >= 50.0 {
            chi += (found - expected).powi(2) / expected;
            bins += 1.0;
            (expected, found) = (0.0, 0.0);
        }
    }
    let freedom: f64 = bins - 1.0;
    assert!(freedom > 20.0, "{what}: {bins} bins");
    assert!(
        (chi - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(),
        "{what}: chi-square {chi} with {freedom} degrees"
    );
}

#[test]
fn a_million_games_agree_with_the_exact_distributions_of_three_strategies() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let empty = Card::empty(&game);
    let expected = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
    let exact = evaluate_expected(&expected.0, &empty, &Work::silent()).unwrap();
    agrees(&play(&game, &expected, &empty, GAMES, 1), &exact, "expected");

    let target: Vec<f64> = (0..=200).map(|score| if score == 200 { 1.0 } else { 0.0 }).collect();
    let prize = win_probability(&exact.probability, 100, Ties::Lose);
    for (worth, what) in [(target, "reach:200"), (prize, "tournament:100")] {
        let table = solve::best_utility(&game, &empty, &worth, &Work::silent()).unwrap();
        let exact = evaluate_utility(&game, &table, &empty, &Work::silent()).unwrap();
        agrees(&play(&game, &Utility(Arc::new(table)), &empty, GAMES, 2), &exact, what);
    }
}

#[test]
fn games_of_yahtzee_with_bonus_jokers_and_extras_agree_too() {
    let game = Game::new(Rules::preset("yahtzee").unwrap());
    let expected = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
    // The card holds a Yahtzee, so extras are frequent.
    let card = Card::parse(&game, "1=2,2=6,3=9,6=18,y=50,ss=30").unwrap();
    let exact = evaluate_expected(&expected.0, &card, &Work::silent()).unwrap();
    agrees(&play(&game, &expected, &card, GAMES, 3), &exact, "official");
    let worth: Vec<f64> = (0..=400).map(|score| f64::from(u8::from(score >= 330))).collect();
    let table = solve::best_utility(&game, &card, &worth, &Work::silent()).unwrap();
    let exact = evaluate_utility(&game, &table, &card, &Work::silent()).unwrap();
    agrees(&play(&game, &Utility(Arc::new(table)), &card, 300_000, 4), &exact, "reach:330");
}

#[test]
fn shared_plans_and_a_plan_for_each_turn_play_the_same_games() {
    struct TurnByTurn(Expected);
    impl Strategy for TurnByTurn {
        fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
            self.0.plan(context)
        }
    }
    for rules in ["yahtzee", "yatzy"] {
        let game = Game::new(Rules::preset(rules).unwrap());
        let empty = Card::empty(&game);
        let expected = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
        let fast = play(&game, &expected, &empty, 2000, 9);
        assert_eq!(fast, play(&game, &TurnByTurn(expected), &empty, 2000, 9), "{rules}");
    }
}

#[test]
fn a_seed_gives_the_same_games_with_any_number_of_threads() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let empty = Card::empty(&game);
    let expected = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
    let worth: Vec<f64> = (0..=200).map(|score| f64::from(u8::from(score >= 190))).collect();
    let reach = Utility(Arc::new(solve::best_utility(&game, &empty, &worth, &Work::silent()).unwrap()));
    let strategies: [(&dyn Strategy, &str); 4] =
        [(&expected, "expected"), (&reach, "reach"), (&Greedy, "greedy"), (&Random, "random")];
    for (strategy, what) in strategies {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| play(&game, strategy, &empty, 5000, 11))
        };
        let one = with(1);
        assert_eq!(one, with(2), "{what}");
        assert_eq!(one, with(3), "{what}");
        assert_ne!(one, play(&game, strategy, &empty, 5000, 12), "{what}");
        assert_eq!(one.games, 5000);
    }
}

#[test]
fn stronger_strategies_score_more() {
    let game = Game::new(Rules::preset("classic").unwrap());
    let empty = Card::empty(&game);
    let mean = |strategy: &dyn Strategy| play(&game, strategy, &empty, 3000, 5).mean();
    let (random, greedy) = (mean(&Random), mean(&Greedy));
    let best = mean(&Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap())));
    assert!(random < 60.0 && random + 50.0 < greedy && greedy + 10.0 < best, "{random} {greedy} {best}");
}
