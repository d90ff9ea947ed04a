//! Reproduces the figures of Felldin and Sood for `papers/felldin-sood-2012`: a million games with their rules, then
//! the effect of each part of the heuristic, then other games.
//!
//! `cargo run --release -p keepers --example felldin_sood [GAMES]`

use keepers::answers::{BoxRule, BoxSample, BoxSet};
use keepers::internals::Work;
use keepers::internals::players::felldin_sood::{Ingredients, Range};
use keepers::internals::players::{FelldinSood, Greedy, Random};
use keepers::internals::simulate::simulate;
use keepers::{Game, Rules, Standing, Strategy};

fn main() {
    let games = std::env::args().nth(1).map_or(1_000_000, |games| games.parse().expect("a number of games"));
    let classic = Game::new(Rules::preset("classic").expect("a preset"));
    let whole = Ingredients::default();
    let full_house = classic.rules().box_by_id("fh").expect("a box of Yahtzee");
    let left_to_luck = BoxSet::NONE.with(full_house);
    for (title, with) in [
        ("as it is", whole),
        ("the full house left to luck", Ingredients { left_to_luck, ..whole }),
        ("without equation 4", Ingredients { both_rerolls: false, ..whole }),
        ("without mutual benefit", Ingredients { mutual_benefit: false, ..whole }),
        ("whole expected points, not what is added", Ingredients { gain: false, ..whole }),
        ("neither of the last two", Ingredients { gain: false, mutual_benefit: false, ..whole }),
        ("without the bonus", Ingredients { bonus: false, ..whole }),
        ("without the range", Ingredients { range: Range::Ignored, ..whole }),
    ] {
        show(title, &classic, &FelldinSood::with(&classic, with), games, with == whole);
    }
    for name in ["yahtzee", "yatzy", "maxi-yatzy", "yacht", "buddies"] {
        let game = Game::new(Rules::preset(name).expect("a preset"));
        show(name, &game, &FelldinSood::new(&game), games / 10, false);
    }
    show("greedy, classic", &classic, &Greedy, games / 1000, false);
    show("random, classic", &classic, &Random, games / 10, false);
}

fn show(title: &str, game: &Game, player: &dyn Strategy, games: u64, histogram: bool) {
    let sample = simulate(game, player, &Standing::default(), games, 2012, &Work::silent());
    let sample = sample.expect("nobody cancels it");
    let (least, median, most) = (sample.least(), sample.percentile(0.5), sample.most());
    println!("\n{title}: {:.3} +- {:.3}, deviation {:.2}", sample.mean(), sample.error(), sample.deviation());
    println!("  {games} games, least {least}, median {median}, most {most}");
    let boxes = game.rules().boxes().values().iter().zip(sample.boxes.values());
    let mean = |(rule, of): (&BoxRule, &BoxSample)| format!("{} {:.3}", rule.id, of.mean_and_deviation().0);
    let bonus = game.rules().upper_bonus().map_or(0.0, |bonus| f64::from(bonus.points));
    let earned = sample.upper_bonus as f64 / sample.games as f64;
    println!("  {}, bonus {:.3}", boxes.map(mean).collect::<Vec<_>>().join(", "), bonus * earned);
    if !histogram {
        return;
    }
    let share =
        |from: usize, to: usize| 100.0 * sample.frequencies().iter().take(to + 1).skip(from).sum::<f64>();
    for from in (0..most).step_by(20) {
        println!("  {from:3} to {:3}: {:6.3} %", from + 19, share(from, from + 19));
    }
    println!("  200 or more {:.2} %, more than 200 {:.2} %", share(200, most), share(201, most));
    println!("  up to 119 {:.2} %, 180 to 279 {:.2} %", share(0, 119), share(180, 279));
}
