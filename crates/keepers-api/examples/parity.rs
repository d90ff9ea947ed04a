//! Writes the golden file of requests and answers: `cargo run --release -p keepers-api --example parity > tests/golden/parity.jsonl`.
//!
//! The requests are drawn from a fixed seed, so a new run differs only where answers have changed: the diff shows what a
//! change of the code does to every interface.

use keepers::internals::random::RerollTable;
use keepers::{Card, Engine, Game, RandomStream, Rules, Silent, Store};
use keepers_api::Service;
use serde_json::{Value, json};

/// A full card of Yahtzee.
const FULL: &str = "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,y=50,ch=20";

/// A game that is solved in no time: three dice with four faces, an upper bonus, extras and a joker.
const TINY: &str = r#"name = "tiny"
title = "three dice with four faces"
dice = 3
faces = 4
rolls = 2

[upper_bonus]
threshold = 12
points = 10

[extra]
box = "t"
points = 15
joker = "free"

[[box]]
id = "1"
pattern = "face"
face = 1

[[box]]
id = "2"
pattern = "face"
face = 2

[[box]]
id = "3"
pattern = "face"
face = 3

[[box]]
id = "s"
pattern = "straight"
length = 3
pays = 12

[[box]]
id = "t"
pattern = "sets"
of = [3]
pays = 20

[[box]]
id = "c"
pattern = "chance"
"#;

const UTILITY: &str = "score,utility\n0,0\n40,0.5\n60,1\n";

/// Draws positions of random games.
struct Positions {
    game: Game,
    throws: RerollTable,
    chance: RandomStream,
}

impl Positions {
    fn new(rules: &str, seed: u64) -> Positions {
        let read =
            Rules::preset(rules).unwrap_or_else(|_| Rules::from_toml(rules).expect("the rules are valid"));
        let game = Game::new(read);
        let throws = RerollTable::new(game.lattice());
        Positions { game, throws, chance: RandomStream::new(seed, 0) }
    }

    /// A card after this many random turns.
    fn card(&mut self, turns: usize) -> Card {
        let mut card = Card::empty(&self.game);
        for _ in 0..turns {
            let roll = self.throws.throw(0, &mut self.chance);
            let dice = &self.game.lattice().keeps()[usize::from(roll)];
            let entries = card.entries(dice);
            let entry = entries[self.chance.below(entries.len() as u32) as usize];
            card = card.enter(dice, entry.into).expect("the rules allow it");
        }
        card
    }

    /// A card with this many open boxes.
    fn open(&mut self, open: usize) -> String {
        self.card(self.game.space().boxes() - open).to_string()
    }

    fn roll(&mut self) -> String {
        let roll = self.throws.throw(0, &mut self.chance);
        self.game.lattice().roll(roll.into()).to_string()
    }

    /// A keep within a roll.
    fn keep(&mut self, roll: &str) -> String {
        let kept: String = roll.chars().filter(|_| self.chance.below(2) == 1).collect();
        if kept.is_empty() { "-".to_string() } else { kept }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.chance.below(bound as u32) as usize
    }

    fn boxes(&self) -> usize {
        self.game.space().boxes()
    }

    fn rolls(&self) -> usize {
        self.game.rules().rolls().into()
    }
}

fn main() {
    let service = Service::new(Engine::new(Store::none()));
    for (ask, request) in requests() {
        let json = serde_json::to_vec(&request).expect("a request is JSON");
        let line = match service.ask(ask, &json, &Silent) {
            Ok(answer) => {
                let answer: Value = serde_json::from_slice(&answer).expect("an answer is JSON");
                json!({ "ask": ask, "request": request, "answer": answer })
            }
            Err(refusal) => json!({ "ask": ask, "request": request, "refusal": refusal.body() }),
        };
        println!("{}", parity::masked(line));
    }
}

#[path = "../tests/parity/mod.rs"]
mod parity;

fn requests() -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    advice(&mut all);
    whole_games(&mut all);
    several_players(&mut all);
    simple(&mut all);
    reasons(&mut all);
    comparisons(&mut all);
    refused(&mut all);
    all
}

/// Values, advice, cards and outlooks of many games and objectives.
fn advice(all: &mut Vec<(&'static str, Value)>) {
    for (nth, rules) in
        ["yahtzee", "yatzy", "yacht", "buddies", "yahtzee-free-joker", TINY].iter().enumerate()
    {
        let mut at = Positions::new(rules, nth as u64);
        for _ in 0..8 {
            let filled = at.below(at.boxes());
            let (card, roll, left) = (at.card(filled).to_string(), at.roll(), at.below(at.rolls()));
            all.push(("value", json!({ "rules": rules, "card": card })));
            all.push(("advise", json!({ "rules": rules, "card": card, "roll": roll, "rolls_left": left })));
            all.push(("card", json!({ "rules": rules, "card": card, "roll": roll })));
        }
    }
    for rules in ["yacht", TINY] {
        let mut at = Positions::new(rules, 100);
        for open in 1..=4 {
            let (card, roll) = (at.open(open), at.roll());
            for objective in ["reach:30", "reach:2", "tournament:3"] {
                all.push(("value", json!({ "rules": rules, "card": card, "objective": objective })));
                let left = at.below(at.rolls());
                all.push((
                    "advise",
                    json!({ "rules": rules, "card": card, "roll": roll, "rolls_left": left, "objective": objective }),
                ));
            }
            let keeps = [at.keep(&roll), at.keep(&roll)];
            let choices = json!([{ "keep": keeps[0] }, { "keep": keeps[1] }]);
            for objective in ["expected", "tournament:2", "reach:20"] {
                all.push((
                    "outlook",
                    json!({ "rules": rules, "card": card, "roll": roll, "objective": objective, "choices": choices }),
                ));
            }
            all.push(("reach", json!({ "rules": rules, "card": card })));
            all.push(("reach", json!({ "rules": rules, "card": card, "roll": roll, "rolls_left": 1 })));
        }
        let (card, roll) = (at.open(2), at.roll());
        for (ask, extra) in [("value", json!({})), ("advise", json!({ "roll": roll }))] {
            let mut request =
                json!({ "rules": rules, "card": card, "objective": "utility", "utility": UTILITY });
            request
                .as_object_mut()
                .expect("an object")
                .extend(extra.as_object().cloned().unwrap_or_default());
            all.push((ask, request));
        }
    }
    all.push(("reach", json!({ "rules": TINY, "precise": true })));
}

/// Exact statistics, tournaments, simulations and counts.
fn whole_games(all: &mut Vec<(&'static str, Value)>) {
    for strategy in ["expected", "reach:40", "tournament:5", "expected,reach:30..50:10"] {
        all.push(("distribution", json!({ "rules": TINY, "strategy": strategy })));
    }
    let mut at = Positions::new("yacht", 7);
    for open in [1, 3, 5] {
        all.push((
            "distribution",
            json!({ "rules": "yacht", "card": at.open(open), "strategy": "expected" }),
        ));
    }
    all.push(("distribution", json!({ "rules": TINY, "strategy": "utility", "utility": UTILITY })));
    all.push((
        "distribution",
        json!({ "rules": TINY, "strategy": "utility:a,expected", "utilities": { "a": UTILITY } }),
    ));
    all.push(("distribution", json!({ "rules": TINY, "judge": TINY, "card": at_tiny(3) })));
    all.push(("likeness", json!({ "rules": TINY, "strategy": "reach:40", "other": "expected" })));
    all.push((
        "likeness",
        json!({ "rules": TINY, "card": at_tiny(2), "strategy": "expected", "other": "tournament:3" }),
    ));
    all.push(("likeness", json!({ "rules": TINY, "strategy": "expected", "other": "reach:9999" })));
    all.push(("likeness", json!({ "rules": TINY, "strategy": "greedy", "other": "felldin-sood" })));
    all.push(("likeness", json!({ "rules": TINY, "strategy": "normal:40", "other": "greedy" })));
    all.push(("likeness", json!({ "rules": TINY, "strategy": "random", "other": "emp:1" })));
    all.push(("tournament", json!({ "rules": TINY, "given": "expected*2,reach:40*1", "ties": "share" })));
    all.push(("tournament", json!({ "rules": TINY, "given": "expected*0" })));
    all.push((
        "tournament",
        json!({ "rules": TINY, "given": "expected*2,reach:40*1", "ties": "share", "same_dice": 300 }),
    ));
    all.push(("tournament", json!({ "rules": TINY, "opponents": [2], "same_dice": 500, "seed": 3 })));
    all.push((
        "tournament",
        json!({ "rules": TINY, "opponents": [1], "opponent": "expected:0.5,reach:40:0.5", "same_dice": 9 }),
    ));
    all.push(("tournament", json!({ "rules": TINY, "opponents": [1], "seed": 3 })));
    all.push(("tournament", json!({ "rules": TINY, "opponents": [1, 10] })));
    all.push((
        "tournament",
        json!({ "rules": TINY, "opponents": [3], "opponent": "expected:0.5,reach:40:0.5" }),
    ));
    all.push((
        "tournament",
        json!({ "rules": TINY, "opponents": [2], "opponent_scores": "30\n40\n50\n", "ties": "share" }),
    ));
    for ties in ["lose", "share"] {
        all.push((
            "equilibrium",
            json!({ "rules": TINY, "opponents": [1, 4], "ties": ties, "rounds": 3, "gap": 0.0, "afresh": true }),
        ));
    }
    for strategy in ["expected", "reach:40", "tournament:5", "greedy", "random", "felldin-sood"] {
        all.push(("simulate", json!({ "rules": "yacht", "strategy": "greedy", "games": 50, "seed": 7 })));
        let rules = if strategy == "felldin-sood" { "classic" } else { TINY };
        all.push(("simulate", json!({ "rules": rules, "strategy": strategy, "games": 300, "seed": "12" })));
    }
    all.push((
        "simulate",
        json!({ "rules": TINY, "card": at_tiny(4), "strategy": "utility", "utility": UTILITY, "games": 1 }),
    ));
    for rules in ["yahtzee", "yatzy", "yacht", TINY] {
        all.push(("states", json!({ "rules": rules })));
        all.push(("solve", json!({ "rules": rules })));
    }
    all.push(("states", json!({ "rules": "yahtzee-used-joker", "players": 2 })));
    all.push(("states", json!({ "rules": TINY, "players": 2 })));
    all.push(("solve", json!({ "rules": TINY, "objective": "reach", "afresh": true })));
}

fn at_tiny(filled: usize) -> String {
    Positions::new(TINY, 55).card(filled).to_string()
}

/// Positions, duels, matches, measurements, reviews and computer players.
fn several_players(all: &mut Vec<(&'static str, Value)>) {
    for rules in ["yacht", "yahtzee", TINY] {
        let mut at = Positions::new(rules, 200);
        for open in 1..=2 {
            let (own, other, roll) = (at.open(open), at.open(open), at.roll());
            all.push(("duel", json!({ "rules": rules, "to_move": own, "other": other })));
            all.push(("duel", json!({ "rules": rules, "to_move": own, "other": other, "roll": roll })));
            let against = json!([other]);
            all.push((
                "advise",
                json!({ "rules": rules, "card": own, "roll": roll, "objective": "win", "against": against, "seconds": 60 }),
            ));
            all.push((
                "value",
                json!({ "rules": rules, "card": own, "objective": "win", "against": against, "seconds": 60 }),
            ));
        }
        let three: Vec<String> = (0..3).map(|_| at.open(1)).collect();
        let roll = at.roll();
        all.push((
            "advise",
            json!({ "rules": rules, "card": three[0], "roll": roll, "objective": "win", "against": three[1..] }),
        ));
    }
    let over = ["1=1,2=2,3=3,s=0,t=0,c=6", "1=2,2=2,3=3,s=0,t=0,c=6", "1=1,2=2,3=3,s=0,t=0,c=6"];
    all.push(("value", json!({ "rules": TINY, "card": over[0], "objective": "win", "against": over[1..2] })));
    all.push(("value", json!({ "rules": TINY, "card": over[0], "objective": "win", "against": over[1..] })));
    for rules in ["yacht", TINY] {
        let mut at = Positions::new(rules, 300);
        for player in
            ["expected", "emp:0", "emp:1", "dyns:1", "duel", "human-like:50", "reach:35", "greedy", "random"]
        {
            let cards = [at.open(2), at.open(2)];
            let (roll, left) = (at.roll(), at.below(at.rolls()));
            all.push((
                "choose",
                json!({ "rules": rules, "player": player, "cards": cards, "roll": roll, "rolls_left": left, "seed": 5 }),
            ));
        }
        let players = json!(["emp:1", "expected", "greedy"]);
        all.push(("match", json!({ "rules": TINY, "players": players, "games": 6, "seed": 3 })));
        all.push((
            "match",
            json!({ "rules": rules, "players": ["greedy", "random"], "games": 4, "same_dice": true }),
        ));
    }
    all.push((
        "match",
        json!({ "rules": TINY, "players": ["greedy", "random", "expected"], "games": 4, "league": true }),
    ));
    all.push((
        "match",
        json!({ "rules": "yacht", "players": ["greedy", "greedy"], "games": 2, "records": true }),
    ));
    all.push((
        "match",
        json!({ "rules": TINY, "players": ["utility:a", "duel"], "games": 2, "utilities": { "a": UTILITY } }),
    ));
    all.push((
        "measure",
        json!({ "rules": TINY, "strategies": ["emp:0..1", "greedy"], "depth": "1..4", "games": 4, "seed": 2 }),
    ));
    all.push(("measure", json!({ "rules": TINY, "strategies": ["expected"], "games": 2 })));
    let short = "rules: yahtzee\nplayers: Ann\n\n33566 66\n22266 fh=25\n";
    for objective in ["expected", "reach:2", "utility"] {
        let utility = if objective == "utility" { Some(UTILITY) } else { None };
        let record = short.replace("yahtzee", "yacht").replace("22266 fh=25", "22266 fh=18");
        all.push((
            "review",
            json!({ "record": record, "objective": objective, "utility": utility, "file": "short.game" }),
        ));
    }
    all.push(("review", json!({ "record": short })));
    all.push(("review", json!({ "record": short, "player": "Ann" })));
}

/// Rules, dice and puzzles.
fn simple(all: &mut Vec<(&'static str, Value)>) {
    all.push(("players", json!({})));
    all.push(("rules-list", json!({})));
    for rules in ["yahtzee", "yatzy", "maxi-yatzy", TINY] {
        all.push(("rules", json!({ "rules": rules })));
    }
    for seed in 1..=3 {
        for difficulty in ["easy", "medium", "hard"] {
            all.push(("puzzle", json!({ "rules": "yahtzee", "seed": seed, "difficulty": difficulty })));
        }
        all.push(("puzzle", json!({ "rules": "yacht", "seed": format!("1844674407370955161{seed}") })));
        for turn in 0..4 {
            let number = turn % 3;
            let keep = if number == 0 { "-" } else { "6" };
            all.push((
                "roll",
                json!({ "seed": seed, "stream": turn % 2, "turn": turn, "number": number, "keep": keep }),
            ));
        }
    }
}

/// Advice, reviews and puzzles with reasons.
fn reasons(all: &mut Vec<(&'static str, Value)>) {
    for (nth, rules) in ["yahtzee", "yatzy", "yacht", TINY].iter().enumerate() {
        let mut at = Positions::new(rules, 400 + nth as u64);
        for filled in [0, 2, at.boxes() / 2, at.boxes() - 1] {
            for left in 0..at.rolls() {
                let (card, roll) = (at.card(filled).to_string(), at.roll());
                let mut request =
                    json!({ "rules": rules, "card": card, "roll": roll, "rolls_left": left, "why": true });
                if left > 0 && filled % 4 == 2 {
                    request["chosen"] = json!({ "keep": at.keep(&roll) });
                }
                all.push(("advise", request));
            }
        }
    }
    let mut at = Positions::new(TINY, 410);
    for objective in ["reach:40", "tournament:3"] {
        for left in 0..2 {
            let (card, roll) = (at.open(4), at.roll());
            all.push((
                "advise",
                json!({ "rules": TINY, "card": card, "roll": roll, "rolls_left": left, "objective": objective, "why": true }),
            ));
        }
    }
    let (card, roll) = (at.open(2), at.roll());
    all.push((
        "advise",
        json!({ "rules": TINY, "card": card, "roll": roll, "objective": "utility", "utility": UTILITY, "why": true }),
    ));
    let (own, other) = (at.open(2), at.open(2));
    all.push((
        "advise",
        json!({ "rules": TINY, "card": own, "roll": roll, "objective": "win", "against": [other], "seconds": 60, "why": true }),
    ));
    let record = "rules: yacht\nplayers: Ann\n\n33566 3366\n33366 fh=21\n11234 4=4\n";
    all.push(("review", json!({ "record": record, "why": true })));
    for seed in 1..=2 {
        all.push(("puzzle", json!({ "rules": "yacht", "seed": seed, "why": true })));
    }
    for theme in ["bonus", "straights", "yahtzee", "first-turns", "last-turns"] {
        for (rules, difficulty) in [("yahtzee", "medium"), ("yatzy", "easy"), (TINY, "hard")] {
            let about =
                json!({ "rules": rules, "seed": 3, "difficulty": difficulty, "theme": theme, "why": true });
            all.push(("puzzle", about));
        }
    }
}

/// Players compared over several games.
fn comparisons(all: &mut Vec<(&'static str, Value)>) {
    let game = Game::new(Rules::from_toml(TINY).expect("the rules are valid"));
    let throws = RerollTable::new(game.lattice());
    let mut chance = RandomStream::new(500, 0);
    // Every player keeps nothing and takes a random box.
    let mut played = |players: &str, turns: usize| {
        let names: Vec<&str> = players.split(", ").collect();
        let mut cards = vec![Card::empty(&game); names.len()];
        let mut text = format!("rules: tiny\nplayers: {players}\n\n");
        for turn in 0..turns {
            let mover = turn % names.len();
            let card = &mut cards[mover];
            let roll = game.lattice().roll(throws.throw(0, &mut chance).into());
            let entries = card.entries(roll.dice());
            let entry = entries[chance.below(entries.len() as u32) as usize];
            *card = card.enter(roll.dice(), entry.into).expect("the rules allow it");
            let id = &game.rules().boxes()[entry.into].id;
            text += &format!("{}: {roll} {id}={}\n", names[mover], entry.points);
        }
        text
    };
    let together: Vec<String> = (0..4).map(|_| played("Ann, Bob", 12)).collect();
    let mut mixed = vec![played("Ann", 6), played("Bob", 6), played("Ann", 6), played("Bob", 6)];
    mixed.push(played("Cleo, Ann", 5));
    all.push(("compare", json!({ "rules": TINY, "records": together })));
    all.push(("compare", json!({ "rules": TINY, "records": mixed })));
    all.push(("compare", json!({ "rules": TINY, "records": together[..1] })));
}

/// Requests that must be refused, each in its own way.
fn refused(all: &mut Vec<(&'static str, Value)>) {
    let bad: &[(&'static str, Value)] = &[
        ("value", json!({ "card": "fh=24,zz=1" })),
        ("value", json!({ "rules": "chess" })),
        ("value", json!({ "rules": "dice = 9\n" })),
        ("value", json!({ "objective": "luck" })),
        ("cost", json!({ "card": FULL, "objective": "win", "against": [FULL] })),
        ("cost", json!({ "objective": "luck" })),
        ("cost", json!({ "card": FULL, "objective": "win", "against": [FULL], "distribution": true })),
        ("cost", json!({ "card": "1=9", "objective": "win" })),
        ("value", json!({ "objective": "reach:9999" })),
        ("value", json!({ "objective": "reach:many" })),
        ("value", json!({ "objective": "tournament:0" })),
        ("value", json!({ "objective": "utility" })),
        ("value", json!({ "objective": "utility", "utility": "a,b\nx\n" })),
        ("value", json!({ "objective": "win" })),
        ("value", json!({ "objective": "win", "against": ["1=3", "2=6,3=9"] })),
        ("value", json!({ "utility": "1,2" })),
        ("value", json!({ "against": ["1=3"] })),
        ("advise", json!({ "roll": "2234" })),
        ("advise", json!({ "roll": "22347", "rolls_left": 3 })),
        ("advise", json!({ "roll": "22345", "card": "1=9", "rolls_left": 9, "objective": "luck" })),
        ("advise", json!({ "rules": TINY, "roll": "123", "card": "1=1,2=2,3=3,s=0,t=0,c=6" })),
        ("advise", json!({ "roll": "22345", "objective": "win", "against": [] })),
        ("advise", json!({ "roll": "22345", "chosen": { "keep": "2" } })),
        ("advise", json!({ "roll": "22345", "why": true, "chosen": { "keep": "66" } })),
        ("advise", json!({ "roll": "22345", "why": true, "chosen": { "score": "ch" } })),
        ("compare", json!({ "records": [] })),
        ("compare", json!({ "records": ["rules: yahtzee\n\n33566 66\n", "rules: yacht\n\n33566 66\n"] })),
        ("compare", json!({ "records": ["rules: yahtzee\n\n33566 77\n"] })),
        ("review", json!({ "record": "rules: yahtzee\n\n33566 66\n", "objective": "win", "why": true })),
        ("card", json!({ "card": "1=3", "roll": "1" })),
        ("card", json!({ "card": "y=50,y=50" })),
        ("outlook", json!({ "rules": TINY, "roll": "123", "choices": [] })),
        (
            "outlook",
            json!({ "rules": TINY, "roll": "123", "choices": [{ "keep": "44" }, { "score": "zz" }] }),
        ),
        ("outlook", json!({ "rules": TINY, "roll": "123", "rolls_left": 0, "choices": [{ "keep": "1" }] })),
        ("reach", json!({ "rules": TINY, "rolls_left": 1 })),
        ("reach", json!({ "rules": TINY, "roll": "123", "precise": true })),
        ("distribution", json!({ "rules": TINY, "strategy": "reach:9..1" })),
        ("distribution", json!({ "rules": TINY, "strategy": "reach:900,reach:901" })),
        ("distribution", json!({ "rules": TINY, "strategy": "win" })),
        ("distribution", json!({ "rules": TINY, "strategy": "utility:none" })),
        ("tournament", json!({ "rules": TINY, "opponents": [1], "opponent": "expected:0.7" })),
        ("tournament", json!({ "rules": TINY, "opponents": [1], "opponent_scores": "ten\n" })),
        ("equilibrium", json!({ "rules": TINY, "opponents": [1], "gap": 2.0 })),
        ("review", json!({ "record": "rules: yahtzee\n\n33566 77\n22266 fh=24\n" })),
        ("review", json!({ "record": "rules: yahtzee\n\n33566 66\n", "objective": "win" })),
        ("review", json!({ "record": "rules: yahtzee\nplayers: Ann\n\n33566 66\n", "player": "Bob" })),
        ("choose", json!({ "rules": TINY, "cards": ["", ""], "mover": 2, "roll": "123", "seed": 1 })),
        ("choose", json!({ "rules": TINY, "player": "emp:1", "cards": [""], "roll": "123", "seed": 1 })),
        ("choose", json!({ "rules": TINY, "cards": ["1=1", ""], "roll": "123", "seed": 1 })),
        ("choose", json!({ "rules": TINY, "player": "chess", "cards": [""], "roll": "123", "seed": "x" })),
        ("puzzle", json!({ "seed": -1 })),
        ("puzzle", json!({ "seed": "18446744073709551616" })),
        ("puzzle", json!({ "seed": 1, "objective": "reach:300" })),
        ("puzzle", json!({ "seed": 1, "difficulty": "brutal" })),
        ("puzzle", json!({ "seed": 1, "theme": "luck" })),
        ("puzzle", json!({ "rules": "yacht", "seed": 1, "theme": "bonus" })),
        ("roll", json!({ "seed": 1, "turn": 13 })),
        ("roll", json!({ "seed": 1, "number": 3, "keep": "9" })),
        ("roll", json!({ "seed": 1, "keep": "1" })),
        ("simulate", json!({ "rules": TINY, "strategy": "emp:1", "games": 1 })),
        ("simulate", json!({ "rules": TINY, "strategy": "chess" })),
        ("match", json!({ "rules": TINY, "players": ["greedy"] })),
        ("match", json!({ "rules": TINY, "players": ["greedy", "chess"], "games": 1 })),
        ("match", json!({ "rules": TINY, "players": ["greedy", "random"], "league": true, "records": true })),
        ("measure", json!({ "rules": TINY, "strategies": ["emp:4..1"] })),
        ("measure", json!({ "rules": TINY, "strategies": ["greedy"], "depth": "0..99" })),
        ("duel", json!({ "rules": TINY, "to_move": "1=1", "other": "" })),
        ("duel", json!({ "rules": TINY, "to_move": "1=9", "other": "zz", "roll": "12" })),
        ("states", json!({ "players": 3 })),
        ("solve", json!({ "rules": TINY, "objective": "luck" })),
        (
            "rules",
            json!({ "rules": "dice = 5\nfaces = 6\nrolls = 3\n[[box]]\nid = \"a b\"\npattern = \"what\"\n" }),
        ),
        ("value", json!({ "card": 7 })),
        ("value", json!({ "colour": "red" })),
        ("advise", json!({})),
    ];
    all.extend(bad.iter().cloned());
}
