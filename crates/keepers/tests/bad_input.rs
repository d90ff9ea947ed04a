//! Invalid input and its messages: the golden files contain the exact text.

use std::collections::{BTreeMap, HashSet};
use std::panic::catch_unwind;
use std::sync::LazyLock;

use keepers::internals::rules::PRESETS;
use keepers::{Card, Game, Joker, Keep, Roll, Rules};
use proptest::prelude::*;
use toml::de::{DeTable, DeValue};

/// A table of a golden file: its strings and numbers.
type Case = BTreeMap<String, String>;

fn golden(name: &str) -> String {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn texts(table: &DeTable<'_>) -> Case {
    let text = |value: &DeValue<'_>| match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_string(),
        other => panic!("neither text nor number: {other:?}"),
    };
    table.iter().map(|(key, value)| (key.get_ref().to_string(), text(value.get_ref()))).collect()
}

/// The cases of a golden file, and the rules that they use in addition to the presets.
fn cases(file: &str) -> (Vec<Case>, Case) {
    let document = DeTable::parse(file).unwrap();
    let cases = document.get_ref().get("case").unwrap().get_ref().as_array().unwrap();
    let cases = cases.iter().map(|case| texts(case.get_ref().as_table().unwrap())).collect();
    let rules = document.get_ref().get("rules").map(|rules| texts(rules.get_ref().as_table().unwrap()));
    (cases, rules.unwrap_or_default())
}

/// Checks that every case has exactly its message, and shows all differences at once.
fn judge(cases: &[Case], read: impl Fn(&Case) -> Result<String, String> + std::panic::RefUnwindSafe) {
    let mut wrong = Vec::new();
    for case in cases {
        let found = match catch_unwind(|| read(case)) {
            Ok(Ok(accepted)) => format!("(accepted as {accepted:?})"),
            Ok(Err(message)) => message,
            Err(_) => "(a panic)".to_string(),
        };
        if found != case["message"] {
            let input = case.get("card").unwrap_or_else(|| &case["text"]);
            wrong.push(format!("{input:?}\n  found:  {found}\n  wanted: {}", case["message"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Every preset as a game, prepared once.
static GAMES: LazyLock<BTreeMap<&str, Game>> = LazyLock::new(|| {
    PRESETS.iter().map(|preset| (preset.name, Game::new(Rules::preset(preset.name).unwrap()))).collect()
});

#[test]
fn messages_for_bad_cards_list_all_problems() {
    let file = golden("bad_cards.toml");
    let (cases, rules) = cases(&file);
    assert!(cases.len() >= 30);
    let ours: BTreeMap<&str, Game> = rules
        .iter()
        .map(|(name, text)| (name.as_str(), Game::new(Rules::from_toml(text).unwrap())))
        .collect();
    judge(&cases, |case| {
        let name = case["game"].as_str();
        let card = Card::parse(ours.get(name).unwrap_or_else(|| &GAMES[name]), &case["card"]);
        card.map(|card| card.to_string()).map_err(|error| error.to_string())
    });
}

#[test]
fn messages_for_bad_dice_show_how_to_write_them() {
    let file = golden("bad_rolls.toml");
    let (cases, _) = cases(&file);
    assert!(cases.len() >= 15);
    judge(&cases, |case| {
        let number = |key: &str| case[key].parse::<u8>().unwrap();
        let read = if case.contains_key("dice") {
            Roll::parse(&case["text"], number("dice"), number("faces")).map(|roll| roll.to_string())
        } else {
            case["text"].parse::<Keep>().map(|keep| keep.to_string())
        };
        read.map_err(|error| error.to_string())
    });
}

#[test]
fn messages_for_bad_rules_list_all_problems_with_their_lines() {
    let file = golden("bad_rules.toml");
    let (cases, _) = cases(&file);
    assert!(cases.len() >= 30);
    judge(&cases, |case| {
        let rules = Rules::from_toml(&case["text"]);
        rules.map(|rules| rules.to_toml()).map_err(|error| error.to_string())
    });
}

#[test]
fn line_numbers_are_right_for_all_line_endings() {
    let text = "dice = 5\nfaces = 9 # é\nrolls = 3\n[[box]]\nid = \"ch\"\npattern = \"chance\"\n";
    let right = "line 2: faces must be a whole number from 2 to 6, not 9";
    for text in [text.to_string(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        assert_eq!(Rules::from_toml(&text).unwrap_err().to_string(), right, "{text:?}");
    }
}

#[test]
fn spaces_capitals_and_order_of_a_card_do_not_matter() {
    let game = &GAMES["yahtzee"];
    let right = "1=5,6=18,fh=25,y=50,extra=1";
    for text in [
        right,
        "extra=1,y=50,fh=25,6=18,1=5",
        " Y = 50 ,\tFH=25, 6= 18,1 =5,EXTRA=1 ",
        "1=05,6=18,fh=25,y=50,extra=01",
    ] {
        assert_eq!(Card::parse(game, text).map(|card| card.to_string()), Ok(right.to_string()), "{text:?}");
    }
    for text in ["", " ", "\t\n"] {
        assert_eq!(Card::parse(game, text).map(|card| card.to_string()), Ok(String::new()), "{text:?}");
    }
}

#[test]
fn cards_that_can_just_occur_are_accepted() {
    for (name, text) in [
        ("yahtzee", "1=5,y=50,extra=1"),
        ("yahtzee", "6=18,3k=30,y=50,extra=1"),
        ("yahtzee", "6=30,fh=25,y=50,extra=2"),
        // All lower boxes are filled, so a joker goes to another upper box for zero.
        ("yahtzee", "1=0,6=18,3k=30,4k=30,fh=25,ss=30,ls=40,y=50,ch=30,extra=7"),
        ("yahtzee-free-joker", "ls=0,y=50,extra=1"),
        ("yahtzee-free-joker", "y=50,ch=5,extra=1"),
        ("yahtzee-free-joker", "1=3,ls=40,y=50,extra=1"),
        // The full house came for zero while the box of that face was open; it was filled later.
        ("yahtzee-free-joker", "1=3,2=6,3=9,4=12,5=15,6=18,fh=0,y=50,extra=1"),
        ("yahtzee-used-joker", "1=3,y=50,ch=5,extra=1"),
        ("yahtzee-no-joker", "1=5,fh=25,ss=0,y=50,extra=2"),
        ("buddies-published", "4k=25,y=50,ch=12,extra=1"),
    ] {
        let card = Card::parse(&GAMES[name], text);
        assert_eq!(
            card.map(|card| card.to_string()).map_err(|error| error.to_string()),
            Ok(text.into()),
            "{name}"
        );
    }
}

/// A game small enough to list all its cards: two dice of three faces.
fn small(straight_pays: &str, points: u16, joker: &str) -> Game {
    let text = format!(
        r#"
        dice = 2
        faces = 3
        rolls = 1
        extra = {{ box = "p", points = {points}, joker = "{joker}" }}
        box = [
            {{ id = "1", pattern = "face", face = 1 }},
            {{ id = "2", pattern = "face", face = 2 }},
            {{ id = "s", pattern = "straight", length = 2, pays = {straight_pays} }},
            {{ id = "p", pattern = "sets", of = [2], pays = 10 }},
            {{ id = "c", pattern = "chance" }},
        ]"#
    );
    Game::new(Rules::from_toml(&text).unwrap())
}

/// Every card that play can reach, as text.
fn reachable(game: &Game) -> HashSet<String> {
    let mut found = HashSet::from([String::new()]);
    let mut open = vec![Card::empty(game)];
    while let Some(card) = open.pop() {
        for roll in game.lattice().rolls() {
            let dice = &game.lattice().keeps()[roll];
            for entry in card.entries(dice) {
                let next = card.enter(dice, entry.into).unwrap();
                if found.insert(next.to_string()) {
                    open.push(next);
                }
            }
        }
    }
    found
}

/// Every way to write possible points into the boxes, and 0 to 5 extras.
fn writable(game: &Game) -> Vec<String> {
    let mut cards = vec![Vec::new()];
    for (id, rule) in game.rules().boxes().iter() {
        let with = |card: &Vec<String>, points: u16| [&card[..], &[format!("{}={points}", rule.id)]].concat();
        let more = |card: &Vec<String>| game.possible_points(id).into_iter().map(|n| with(card, n)).collect();
        let filled: Vec<_> = cards.iter().flat_map(|card| -> Vec<_> { more(card) }).collect();
        cards.extend(filled);
    }
    let extras = |card: &Vec<String>, n| [&card[..], &[format!("extra={n}")]].concat().join(",");
    let with_extras = cards.iter().flat_map(|card| (1..=5).map(|n| extras(card, n)).collect::<Vec<_>>());
    cards.iter().map(|card| card.join(",")).chain(with_extras).collect()
}

fn accepted_exactly_when_reachable(straight_pays: &str) {
    let mut wrong = String::new();
    for (joker, points) in Joker::ALL.iter().flat_map(|(joker, _)| [(*joker, 100), (*joker, 0)]) {
        let game = small(straight_pays, points, joker);
        let (reachable, writable) = (reachable(&game), writable(&game));
        assert!(reachable.len() > 500 && writable.len() > 5000, "{joker}");
        let accepted = |text: &String| Card::parse(&game, text).is_ok();
        for (what, occurs) in [("refused although it occurs", true), ("accepted but cannot occur", false)] {
            let texts = writable.iter().filter(|text| reachable.contains(*text) == occurs);
            let texts: Vec<&String> = texts.filter(|text| accepted(text) != occurs).collect();
            if let Some(first) = texts.first() {
                wrong += &format!("joker {joker}, {points}: {first} and {} more {what}\n", texts.len() - 1);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_card_is_accepted_exactly_when_play_can_reach_it() {
    accepted_exactly_when_reachable("5");
}

/// A straight of 2, 4 or 6 points can only be a joker here, so that the number of extras also has a lower limit.
#[test]
fn a_card_with_points_of_jokers_is_accepted_exactly_when_play_can_reach_it() {
    accepted_exactly_when_reachable("\"all\"");
}

#[test]
fn very_long_input_has_a_short_message() {
    let game = &GAMES["yahtzee"];
    let long = |text: &str| text.repeat(100_000 / text.len());
    let header = "dice = 5\nfaces = 6\nrolls = 3\n";
    let card = |text: &str| Card::parse(game, text).unwrap_err().to_string();
    let rules = |text: &str| Rules::from_toml(text).unwrap_err().to_string();
    let answers = [
        card(&long("x")),
        card(&format!("{}=1", long("é"))),
        card(&format!("1={}", long("9"))),
        card(&format!("extra={}", long("9"))),
        card(&long(",")),
        card(&long("1=3,")),
        Roll::parse(&long("x"), 5, 6).unwrap_err().to_string(),
        Roll::parse(&long("1"), 5, 6).unwrap_err().to_string(),
        long("1").parse::<Keep>().unwrap_err().to_string(),
        rules(&long("x")),
        rules(&long("[")),
        rules(&long("a.")),
        rules(&format!("{header}{} = 1", long("x"))),
        rules(&format!("{header}[[box]]\nid = \"{}\"\npattern = \"chance\"", long("x"))),
        rules(&format!("{header}[[box]]\nid = \"a\"\npattern = \"{}\"", long("x"))),
    ];
    let too_long: Vec<String> = answers
        .iter()
        .filter(|answer| answer.len() > 1000)
        .map(|answer| format!("{} bytes: {} ...", answer.len(), answer.chars().take(80).collect::<String>()))
        .collect();
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn rules_with_thousands_of_problems_list_the_first_and_count_the_others() {
    let keys: String = (0..10_000).map(|key| format!("k{key} = 1\n")).collect();
    let boxes: String = (0..10_000).map(|id| format!("[[box]]\nid = \"{id}\"\npattern = \"?\"\n")).collect();
    let header = "dice = 2\nfaces = 2\nrolls = 1\n";
    let chance = "[[box]]\nid = \"ch\"\npattern = \"chance\"\n";
    let error = Rules::from_toml(&format!("{keys}{header}{chance}")).unwrap_err();
    assert_eq!((error.problems.len(), error.more), (100, 9900));
    let message = error.to_string();
    assert!(message.starts_with("line 1: \"k0\" does not belong in a rules file"), "{message}");
    assert!(message.ends_with(" (and 9980 more problems)") && message.len() < 4000, "{message}");
    let error = Rules::from_toml(&format!("{header}{boxes}")).unwrap_err();
    assert!(
        error.to_string().starts_with("line 4: a card has 1 to 22 boxes, not 10000; line 6: "),
        "{error}"
    );
    assert_eq!((error.problems.len(), error.more), (23, 0));
    let syntax = Rules::from_toml(&"= =\n".repeat(10_000)).unwrap_err();
    assert!(syntax.to_string().len() < 4000 && syntax.problems.len() <= 100);
}

/// Text that is almost valid, or completely different.
fn typed(nearly: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![2 => nearly, 1 => any::<String>(), 1 => "[ -~\t\n\r]{0,40}"]
}

/// The rules file of a preset with a few positions overwritten.
fn edited_rules() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[0-9\"\\[\\]{}=,.#\n a-z-]{0,6}",
        any::<String>(),
        Just("\\u0007".to_string()),
        Just("\"\"\"\n\n\"\"\"".to_string())
    ];
    let edits = proptest::collection::vec((any::<prop::sample::Index>(), 0..8usize, piece), 0..4);
    (0..PRESETS.len(), edits).prop_map(|(preset, edits)| {
        let rules = Rules::preset(PRESETS[preset].name).unwrap().to_toml();
        let mut text: Vec<char> = rules.chars().collect();
        for (at, cut, piece) in edits {
            let start = at.index(text.len());
            text.splice(start..(start + cut).min(text.len()), piece.chars());
        }
        text.into_iter().collect()
    })
}

/// Checks that an error message is not empty and has no control characters.
fn is_clean<T, E: std::fmt::Display>(read: Result<T, E>) -> Result<(), TestCaseError> {
    if let Err(error) = read {
        let message = error.to_string();
        prop_assert!(!message.trim().is_empty());
        prop_assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    Ok(())
}

proptest! {
    // Failures are not stored in a file: the message of a failure shows its input.
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_card_or_gets_a_clean_message(
        preset in 0..PRESETS.len(),
        text in typed("(([1-6]|fh|3k|y|ch|ss|extra|[a-z]{1,2}) ?=[-+]?[0-9]{0,3},?){0,14}"),
    ) {
        let game = &GAMES[PRESETS[preset].name];
        let card = Card::parse(game, &text);
        if let Ok(card) = &card {
            prop_assert_eq!(Card::parse(game, &card.to_string()), Ok(card.clone()));
        }
        is_clean(card)?;
    }

    #[test]
    fn any_text_is_dice_or_gets_a_clean_message(
        text in typed("[0-7]{0,8}"),
        dice in 2..=6u8,
        faces in 2..=6u8,
    ) {
        let roll = Roll::parse(&text, dice, faces);
        if let Ok(roll) = roll {
            prop_assert_eq!(Roll::parse(&roll.to_string(), dice, faces), Ok(roll));
        }
        is_clean(roll)?;
        let keep = text.parse::<Keep>();
        if let Ok(keep) = keep {
            prop_assert_eq!(keep.to_string().parse(), Ok(keep));
        }
        is_clean(keep)?;
    }

    #[test]
    fn any_text_is_rules_or_gets_a_clean_message(
        text in prop_oneof![3 => edited_rules(), 1 => typed("[a-z]{1,5} = [0-9\"a-z]{0,5}\n")],
    ) {
        let rules = Rules::from_toml(&text);
        if let Ok(rules) = &rules {
            prop_assert_eq!(&Rules::from_toml(&rules.to_toml()), &Ok(rules.clone()));
        }
        is_clean(rules)?;
    }
}
