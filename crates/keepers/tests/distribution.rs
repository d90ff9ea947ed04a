//! Exact statistics of the strategy with the best expected score.

use std::collections::HashMap;

use keepers::answers::{ExpectedTable, Statistics};
use keepers::internals::Work;
use keepers::internals::advise::advise;
use keepers::internals::evaluate::evaluate_expected;
use keepers::{Action, Card, Engine, Face, Game, Keep, Roll, Rules, Silent, Store};

fn solved(rules: Rules) -> ExpectedTable {
    Store::none().expected(&Game::new(rules), &Silent).unwrap()
}

fn statistics(table: &ExpectedTable, card: &Card) -> Statistics {
    evaluate_expected(table, card, &Work::silent()).unwrap()
}

/// The distribution of the final score if every roll is played as advised.
fn by_following_advice(table: &ExpectedTable, card: &Card) -> HashMap<u16, f64> {
    if card.is_finished() {
        return HashMap::from([(card.total(), 1.0)]);
    }
    let mut found = HashMap::new();
    play(table, card, &Keep::NOTHING, table.game().rules().rolls(), 1.0, &mut found);
    found
}

/// Rolls the dice that are not kept in all possible ways, and continues as advised.
fn play(table: &ExpectedTable, card: &Card, kept: &Keep, rolls: u8, p: f64, found: &mut HashMap<u16, f64>) {
    let game = table.game();
    let (dice, faces) = (game.rules().dice(), game.rules().faces());
    let mut hands = vec![(*kept, p)];
    for _ in kept.len()..dice as usize {
        let each = |(hand, p): (Keep, f64)| {
            Face::all(faces).map(move |face| (hand.with(face), p / f64::from(faces)))
        };
        hands = hands.into_iter().flat_map(each).collect();
    }
    for (hand, p) in hands {
        let roll = Roll::parse(&hand.to_string(), dice, faces).unwrap();
        match advise(table, card, roll, rolls - 1).unwrap().choices[0].action {
            Action::Keep(keep) => play(table, card, &keep, rolls - 1, p, found),
            Action::Score(entry) => {
                for (total, q) in by_following_advice(table, &card.enter(&hand, entry.into).unwrap()) {
                    *found.entry(total).or_default() += p * q;
                }
            }
        }
    }
}

#[test]
fn the_distribution_is_that_of_a_player_who_follows_every_advice() {
    let toy = "dice = 2\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 5\npoints = 9\n\
               [extra]\nbox = \"y\"\npoints = 20\njoker = \"forced\"\n\
               [[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n\
               [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [2]\npays = 10\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";
    for (from, to) in [("rolls = 2", "rolls = 2"), ("\"forced\"", "\"free\""), ("\"forced\"", "\"none\"")] {
        let table = solved(Rules::from_toml(&toy.replace(from, to)).unwrap());
        for text in ["", "y=10", "1=1,c=4"] {
            let card = Card::parse(table.game(), text).unwrap();
            let ours = statistics(&table, &card);
            let wanted = by_following_advice(&table, &card);
            assert!((ours.probability.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            for (total, p) in ours.probability.iter().enumerate() {
                let wanted = wanted.get(&(total as u16)).copied().unwrap_or(0.0);
                assert!((p - wanted).abs() < 1e-12, "{to}, \"{text}\", {total}: {p} and {wanted}");
            }
        }
    }
}

/// Checks that all probabilities add up: each box is filled once, each turn fills one box, and the means of the parts
/// sum to the mean of the total.
fn adds_up(ours: &Statistics, card: &Card) {
    let rules = card.rules();
    assert!((ours.probability.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!((ours.extras.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    for turn in 0..card.open_boxes().len() {
        let filled: f64 = card.open_boxes().iter().map(|id| ours.boxes[id].turns()[turn]).sum();
        assert!((filled - 1.0).abs() < 1e-12, "turn {turn}: {filled}");
    }
    let mut sum = f64::from(card.total());
    for id in card.open_boxes().iter() {
        let of = &ours.boxes[id];
        assert!((of.turns().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((of.rolls.iter().flatten().sum::<f64>() - 1.0).abs() < 1e-12);
        sum += of.mean();
    }
    sum += ours.upper_bonus * rules.upper_bonus().map_or(0.0, |bonus| f64::from(bonus.points));
    let extras: f64 = ours.extras.iter().zip(0..).map(|(p, n)| p * f64::from(n)).sum();
    sum += extras * rules.extra().map_or(0.0, |extra| f64::from(extra.points));
    assert!((ours.mean() - sum).abs() < 1e-9, "{} and {sum}", ours.mean());
}

#[test]
fn from_any_card_the_parts_add_up_to_the_solved_value() {
    let table = solved(Rules::preset("yahtzee").unwrap());
    for text in
        ["1=3,2=6,3=9,4=12,3k=20,4k=0,fh=25,ss=30,y=50,extra=1", "1=2,2=4,4k=18,y=0,ls=40,ss=30,6=24,fh=25"]
    {
        let card = Card::parse(table.game(), text).unwrap();
        let ours = statistics(&table, &card);
        adds_up(&ours, &card);
        let value = keepers::answers::ValueFunction::value(&table, &card);
        assert!((ours.mean() - value).abs() < 1e-9, "{} and {value}", ours.mean());
        assert!(ours.probability[..usize::from(card.total())].iter().all(|p| *p == 0.0));
    }
}

#[test]
fn distributions_of_other_objectives_add_up_and_stay_below_the_reach_curves() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let engine = Engine::new(Store::none());
    let card = Card::empty(&game);
    let best = engine.reach_table(&game).unwrap();
    for objective in ["reach:150", "reach:250", "tournament:1", "tournament:100"] {
        let goal = engine.goal(&game, &objective.parse().unwrap()).unwrap();
        let (ours, _) = engine.distribution(&card, &goal).unwrap();
        adds_up(&ours, &card);
        for score in 0..ours.probability.len() {
            let (got, can) = (ours.at_least(score), f64::from(best.of(&card).at(score as i32)));
            assert!(got <= can + 1e-6, "{objective}, {score}: {got} is more than {can}");
        }
    }
}

/// Verhoeff, "Optimal solitaire Yahtzee": the strategy's averages under the free joker, as printed.
#[test]
fn the_published_averages_are_reproduced() {
    let table = solved(Rules::preset("yahtzee-free-joker").unwrap());
    let card = Card::empty(table.game());
    let ours = statistics(&table, &card);
    adds_up(&ours, &card);
    let round = |value: f64, digits: i32| (value * 10f64.powi(digits)).round() / 10f64.powi(digits);
    assert_eq!(round(ours.mean(), 4), 254.5896);
    assert_eq!(round(ours.deviation(), 4), 59.6117);
    let printed = [
        ("1", 1.88),
        ("2", 5.28),
        ("3", 8.57),
        ("4", 12.16),
        ("5", 15.69),
        ("6", 19.19),
        ("3k", 21.66),
        ("4k", 13.10),
        ("fh", 22.59),
        ("ss", 29.46),
        ("ls", 32.71),
        ("y", 16.87),
        ("ch", 22.01),
    ];
    for (id, mean) in printed {
        assert_eq!(round(ours.boxes[card.rules().box_by_id(id).unwrap()].mean(), 2), mean, "{id}");
    }
    assert_eq!(round(35.0 * ours.upper_bonus, 2), 23.84);
    let extras: f64 = ours.extras.iter().zip(0..).map(|(p, n)| p * f64::from(n)).sum();
    assert_eq!(round(100.0 * extras, 2), 9.58);

    // Cremers, table 6.1, second column: five million simulated games, in percent. It lists no game of 750 points or
    // more, where about 25 would be expected; the published count seems to end before.
    let cremers = [
        (100, 99.9988),
        (150, 99.1317),
        (200, 86.3585),
        (250, 48.3703),
        (300, 14.3102),
        (350, 7.2382),
        (400, 3.83678),
        (450, 1.1382),
        (500, 0.72162),
        (550, 0.11814),
        (600, 0.09072),
        (650, 0.0088),
        (700, 0.00738),
    ];
    for (score, percent) in cremers {
        let p = ours.at_least(score);
        let error = (p * (1.0 - p) / 5e6).sqrt();
        assert!((percent / 100.0 - p).abs() < 4.0 * error, "{score}: {percent} and {}", 100.0 * p);
    }
}
