//! Small games, card by card, against a brute-force solver that shares no code with the library.

mod brute;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use brute::toys::TOYS;
use brute::{Brute, History, Toy, entries, solve_by_force, tuples};
use keepers::internals::{Work, solve};
use keepers::{BoxId, Card, Game, Keep, Rules};

#[test]
fn every_card_of_every_toy_game_has_the_value_of_brute_force() {
    let mut compared = 0;
    for_each_game(|toy, brute, game| {
        let table = solve::expected_scores(game, &Work::silent()).unwrap();
        for (history, card) in cards(toy, game) {
            let index = game.space().index(card.filled(), card.upper_total()).expect("its state exists");
            let ours = f64::from(card.total()) + table[index];
            let value = brute.values[&history];
            let of = format!("{}, {} rolls, card \"{card}\"", toy.name, brute.rolls);
            let allowed = 1e-12 * value.max(1.0);
            assert!((ours - value).abs() <= allowed, "{of}: {ours}, but brute force says {value}");
            compared += 1;
        }
        // The empty card is the last state.
        let start = brute.values[&History::start(toy)];
        assert!((table.last().unwrap() - start).abs() <= 1e-12 * start.max(1.0), "{}", toy.name);
    });
    assert!(compared > 30_000, "only {compared} cards were compared");
}

#[test]
fn every_roll_may_be_entered_exactly_where_the_definitions_allow() {
    for_each_card(|toy, history, card, _| {
        for dice in tuples(toy.dice, toy.faces) {
            let library: BTreeMap<&str, (u32, u32)> = card
                .entries(&keep(&dice))
                .iter()
                .map(|entry| (toy.boxes[entry.into.index()].0, (entry.points.into(), entry.extra.into())))
                .collect();
            let own: BTreeMap<&str, (u32, u32)> = entries(toy, history, &dice)
                .into_iter()
                .map(|(at, points, extra)| (toy.boxes[at].0, (points, extra)))
                .collect();
            assert_eq!(library, own, "{}: {dice:?} on \"{card}\"", toy.name);
        }
    });
}

#[test]
fn every_card_that_occurs_can_be_read_back() {
    let mut refused: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for_each_card(|toy, history, card, game| {
        assert_eq!(card.to_string(), history.text(toy), "{}", toy.name);
        match Card::parse(game, &history.text(toy)) {
            Ok(read) => assert_eq!(read, *card, "{}", toy.name),
            Err(error) => {
                refused.entry(toy.name).or_default().insert(format!("\"{card}\": {error}"));
            }
        }
    });
    let worst: Vec<_> = refused.iter().map(|(toy, cards)| (toy, cards.len(), cards.first())).collect();
    assert!(refused.is_empty(), "refused: {worst:#?}");
}

#[test]
fn no_card_is_accepted_that_cannot_occur() {
    let mut accepted: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for toy in TOYS {
        let game = game_of(toy, 1);
        let cards = cards(toy, &game);
        // Everything that some card holds in a box, in all combinations and with any number of extras.
        let mut candidates = vec![History::start(toy)];
        for at in 0..toy.boxes.len() {
            let seen: BTreeSet<u32> = cards.keys().filter_map(|history| history.points[at]).collect();
            let filled: Vec<History> = candidates
                .iter()
                .flat_map(|history| seen.iter().map(|&points| history.with(at, points, 0)))
                .collect();
            candidates.extend(filled);
        }
        let most = toy.boxes.len() as u32;
        for history in candidates.into_iter().flat_map(|history| {
            (0..=most).map(move |extras| History { points: history.points.clone(), extras })
        }) {
            let text = history.text(toy);
            if !cards.contains_key(&history) && Card::parse(&game, &text).is_ok() {
                accepted.entry(toy.name).or_default().insert(text);
            }
        }
    }
    let worst: Vec<_> = accepted.iter().map(|(toy, cards)| (toy, cards.len(), cards.first())).collect();
    assert!(accepted.is_empty(), "accepted: {worst:#?}");
}

#[test]
fn every_state_of_every_toy_game_is_the_state_of_some_card() {
    // In any order, every upper box can take any number of its face, and every other box a roll for which it pays
    // nothing. So a state that no card has would be superfluous.
    for toy in TOYS {
        let game = game_of(toy, 1);
        let state = |card: &Card| game.space().index(card.filled(), card.upper_total()).unwrap();
        let reached: BTreeSet<usize> = cards(toy, &game).values().map(state).collect();
        assert_eq!(reached, (0..game.space().states()).collect(), "{}", toy.name);
    }
}

#[test]
fn the_toy_games_distinguish_the_four_jokers_and_every_bonus() {
    // If two of these values were equal, the comparisons above would not detect that the games were confused.
    let starts: BTreeMap<&str, f64> =
        TOYS.iter().map(|toy| (toy.name, solve_by_force(toy, 2).values[&History::start(toy)])).collect();
    let names = ["everything, none", "everything, forced", "everything, free", "everything, used"];
    for a in names {
        for b in names.into_iter().filter(|&b| b != a) {
            assert!((starts[a] - starts[b]).abs() > 1e-6, "{a} and {b} are worth the same");
        }
    }
    assert!(starts["everything, no extras"] < starts["everything, none"] - 1e-6);
    assert!(starts["upper without bonus"] < starts["upper with bonus"] - 1e-6);
}

#[test]
fn some_toy_has_more_upper_classes_than_a_block_has_lanes() {
    let most = |toy: &Toy| {
        let game = game_of(toy, 1);
        game.space().groups().iter().map(|group| game.space().states_of(group).len()).max()
    };
    let most = TOYS.iter().filter_map(most).max();
    assert!(most > Some(8), "the largest group has {most:?} states");
}

fn game_of(toy: &Toy, rolls: u8) -> Game {
    Game::new(Rules::from_toml(&toy.toml(rolls)).expect("the toy is a game of the family"))
}

fn for_each_game(mut check: impl FnMut(&Toy, &Brute, &Game)) {
    for toy in TOYS {
        for rolls in 1..=3 {
            check(toy, &solve_by_force(toy, rolls), &game_of(toy, rolls));
        }
    }
}

fn for_each_card(mut check: impl FnMut(&Toy, &History, &Card, &Game)) {
    for toy in TOYS {
        let game = game_of(toy, 1);
        for (history, card) in &cards(toy, &game) {
            check(toy, history, card, &game);
        }
    }
}

/// Every card that can occur: the library's cards, but with the entries of brute force.
fn cards(toy: &Toy, game: &Game) -> HashMap<History, Card> {
    let mut found = HashMap::from([(History::start(toy), Card::empty(game))]);
    let mut todo = vec![History::start(toy)];
    while let Some(history) = todo.pop() {
        let card = found[&history].clone();
        for dice in tuples(toy.dice, toy.faces) {
            for (at, points, extra) in entries(toy, &history, &dice) {
                let next = history.with(at, points, extra);
                let card = card.enter(&keep(&dice), BoxId::at(at)).expect("we may enter it");
                match found.get(&next) {
                    Some(known) => assert_eq!(*known, card, "{}", toy.name),
                    None => {
                        found.insert(next.clone(), card);
                        todo.push(next);
                    }
                }
            }
        }
    }
    found
}

fn keep(dice: &[u8]) -> Keep {
    dice.iter().map(u8::to_string).collect::<String>().parse().expect("these are dice")
}
