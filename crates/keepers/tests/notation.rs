//! Dice, cards and rules can be written and read back.

use std::ops::RangeInclusive;

use keepers::internals::rules::PRESETS;
use keepers::{Card, Face, Game, Joker, Keep, Pattern, Roll, Rules, Setup};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

fn settings(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

fn digits(faces: u8, dice: RangeInclusive<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(1..=faces, dice).prop_map(|dice| dice.iter().map(u8::to_string).collect())
}

proptest! {
    #![proptest_config(settings(256))]

    #[test]
    fn a_keep_is_read_back_as_printed(text in digits(6, 0..=6)) {
        let keep: Keep = if text.is_empty() { Keep::NOTHING } else { text.parse().unwrap() };
        let mut sorted: Vec<char> = text.chars().collect();
        sorted.sort_unstable();
        let sorted: String = sorted.into_iter().collect();
        prop_assert_eq!(keep.to_string(), if text.is_empty() { "-".to_string() } else { sorted });
        prop_assert_eq!(keep.to_string().parse::<Keep>(), Ok(keep));
        prop_assert_eq!(keep.faces().collect::<Keep>(), keep);
        prop_assert_eq!(keep.len(), text.len());
        prop_assert_eq!(u32::from(keep.sum()), text.chars().filter_map(|c| c.to_digit(10)).sum::<u32>());
    }

    #[test]
    fn a_roll_is_read_back_as_printed_and_only_with_all_its_dice(
        (dice, faces, text) in (2u8..=6, 2u8..=6).prop_flat_map(|(dice, faces)| {
            (Just(dice), Just(faces), digits(faces, dice as usize..=dice as usize))
        }),
    ) {
        let roll = Roll::parse(&text, dice, faces).unwrap();
        prop_assert_eq!(Roll::parse(&roll.to_string(), dice, faces), Ok(roll));
        prop_assert_eq!(roll.to_string(), roll.dice().to_string());
        prop_assert!(Roll::parse(&text[1..], dice, faces).is_err(), "a die less");
        prop_assert!(Roll::parse(&format!("{text}1"), dice, faces).is_err(), "a die more");
        let too_high = format!("{}{}", &text[1..], faces + 1);
        prop_assert!(Roll::parse(&too_high, dice, faces).is_err(), "a face too many");
    }

    #[test]
    fn whatever_is_typed_for_a_card_is_read_back_as_printed(
        text in prop_oneof![any::<String>(), "[ a-c1-3=,A-C]{0,24}"],
    ) {
        let Ok(setup) = text.parse::<Setup>();
        let Ok(again) = setup.to_string().parse::<Setup>();
        prop_assert_eq!(&again, &setup);
        prop_assert_eq!(again.to_string(), setup.to_string());
    }
}

/// One turn: a roll, either any dice or all dice equal, and the choice of an entry.
#[derive(Clone, Debug)]
struct Turn {
    dice: Vec<Index>,
    all_equal: bool,
    entry: Index,
}

fn random_game() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (prop::collection::vec(any::<Index>(), 6), prop::bool::weighted(0.4), any::<Index>());
    let turn = turn.prop_map(|(dice, all_equal, entry)| Turn { dice, all_equal, entry });
    prop::collection::vec(turn, 20)
}

/// Plays a game and checks the card after every turn.
fn play(game: &Game, turns: &[Turn]) -> Result<(), TestCaseError> {
    let rules = game.rules();
    let faces: Vec<Face> = Face::all(rules.faces()).collect();
    let (mut sum, mut upper) = (0, 0);
    let mut card = Card::empty(game);
    for turn in turns.iter().take(rules.boxes().values().len()) {
        let die = |at: usize| *turn.dice[if turn.all_equal { 0 } else { at }].get(&faces);
        let dice: Keep = (0..rules.dice() as usize).map(die).collect();
        let entries = card.entries(&dice);
        let entry = *turn.entry.get(&entries);
        card = card.enter(&dice, entry.into).expect("it was offered");

        sum += entry.points + entry.extra;
        upper += rules.upper_face(entry.into).map_or(0, |_| entry.points);
        let bonus = rules.upper_bonus().filter(|bonus| upper >= bonus.threshold);
        prop_assert_eq!(card.total(), sum + bonus.map_or(0, |bonus| bonus.points));
        prop_assert_eq!(card.upper_total(), upper);
        prop_assert_eq!(card.points(entry.into), Some(entry.points));

        let text = card.to_string();
        let read = Card::parse(game, &text);
        prop_assert_eq!(read.as_ref(), Ok(&card), "{} reads \"{}\"", rules.name(), text);
        let mut parts: Vec<&str> = text.split(',').collect();
        parts.reverse();
        let read = Card::parse(game, &parts.join(" , "));
        prop_assert_eq!(read.as_ref(), Ok(&card), "in any order");
        prop_assert!(card.enter(&dice, entry.into).is_err(), "a box is filled once");
    }
    prop_assert!(card.is_finished());
    prop_assert!(card.entries(&Keep::NOTHING).is_empty());
    Ok(())
}

#[test]
fn cards_of_random_games_are_read_back_and_add_up() {
    for preset in PRESETS {
        let game = Game::new(Rules::preset(preset.name).unwrap());
        let mut runner = proptest::test_runner::TestRunner::new(settings(64));
        let result = runner.run(&random_game(), |turns| play(&game, &turns));
        assert!(result.is_ok(), "{}: {}", preset.name, result.unwrap_err());
    }
}

#[test]
fn a_card_with_an_extra_bonus_for_a_zero_in_a_lower_box_is_read_back() {
    // A free joker need not be used: while Ones is open, five ones score 0 in the small straight and still earn the
    // 100. Once all upper boxes are filled, that 0 would be impossible.
    let game = Game::new(Rules::preset("yahtzee-free-joker").unwrap());
    let turns = [
        ("66666", "y"),
        ("11111", "ss"),
        ("12345", "1"),
        ("12345", "2"),
        ("12345", "3"),
        ("12345", "4"),
        ("12345", "5"),
        ("23456", "6"),
    ];
    let card = turns.iter().fold(Card::empty(&game), |card, (dice, id)| {
        card.enter(&dice.parse().unwrap(), game.rules().box_by_id(id).unwrap()).unwrap()
    });
    assert_eq!(card.to_string(), "1=1,2=2,3=3,4=4,5=5,6=6,ss=0,y=50,extra=1");
    assert_eq!(Card::parse(&game, &card.to_string()), Ok(card));
}

/// The pattern of a box in a rules file.
fn pattern(dice: u8, faces: u8) -> impl Strategy<Value = String> {
    let pays = || {
        prop_oneof![
            Just("\"all\"".to_string()),
            Just("\"matching\"".into()),
            (1..=1000u16).prop_map(|n| n.to_string())
        ]
    };
    let of = prop::collection::vec(2..=dice, 1..=3)
        .prop_filter("the sets need dice", move |of| of.iter().sum::<u8>() <= dice);
    let same_face = select(vec!["", "same_face = true\n", "same_face = false\n"]);
    let sets = (of, same_face, pays()).prop_map(|(of, same_face, pays)| {
        format!("pattern = \"sets\"\nof = {of:?}\n{same_face}pays = {pays}\n")
    });
    let straight =
        (2..=dice.min(faces), any::<Option<Index>>(), pays()).prop_map(move |(length, from, pays)| {
            let from = from.map_or(String::new(), |at| {
                format!("from = {}\n", 1 + at.index((faces + 1 - length).into()))
            });
            format!("pattern = \"straight\"\nlength = {length}\n{from}pays = {pays}\n")
        });
    prop_oneof![3 => sets, 2 => straight, 1 => Just("pattern = \"chance\"\n".to_string())]
}

/// Any text on one line, often text that TOML must escape.
fn names() -> impl Strategy<Value = String> {
    let any_line = any::<String>().prop_map(|text| text.replace(char::is_control, ""));
    prop_oneof![any_line, "[\"\\\\'#a ]{0,6}"]
}

/// A string in double quotes with every character escaped.
fn quoted(text: &str) -> String {
    let escaped: String = text.chars().map(|c| format!("\\U{:08X}", c as u32)).collect();
    format!("\"{escaped}\"")
}

/// A random rules file, with the numbers of dice, faces and rolls.
fn rules_file() -> impl Strategy<Value = (u8, u8, u8, String)> {
    let dice_and_faces = (2u8..=6, 2u8..=6);
    dice_and_faces.prop_flat_map(|(dice, faces)| {
        let upper = subsequence((1..=faces).collect::<Vec<_>>(), 0..=faces as usize);
        let lower = prop::collection::vec((names(), pattern(dice, faces)), 1..=6);
        let extra = prop::option::of((0u16..=1000, select(Joker::ALL.map(|(name, _)| name).to_vec())));
        let bonus = prop::option::of((any::<Index>(), 1u16..=1000));
        (1u8..=10, names(), names(), upper, lower, extra, bonus).prop_map(
            move |(rolls, name, title, upper, lower, extra, bonus)| {
                let (name, title) = (quoted(&name), quoted(&title));
                let mut text = format!(
                    "name = {name}\ntitle = {title}\ndice = {dice}\nfaces = {faces}\nrolls = {rolls}\n"
                );
                let most: u16 = upper.iter().map(|&face| u16::from(face * dice)).sum();
                if let Some((threshold, points)) = bonus.filter(|_| most > 0) {
                    let threshold = 1 + threshold.index(most.into());
                    text += &format!("[upper_bonus]\nthreshold = {threshold}\npoints = {points}\n");
                }
                if let Some((points, joker)) = extra {
                    text += &format!("[extra]\nbox = \"y\"\npoints = {points}\njoker = \"{joker}\"\n");
                }
                for face in upper {
                    text += &format!("[[box]]\nid = \"{face}\"\npattern = \"face\"\nface = {face}\n");
                }
                for (at, (name, pattern)) in lower.iter().enumerate() {
                    text += &format!("[[box]]\nid = \"b{at}\"\nname = {}\n{pattern}", quoted(name));
                }
                text += &format!("[[box]]\nid = \"y\"\npattern = \"sets\"\nof = [{dice}]\npays = 50\n");
                (dice, faces, rolls, text)
            },
        )
    })
}

proptest! {
    #![proptest_config(settings(256))]

    #[test]
    fn rules_are_read_back_as_printed((dice, faces, rolls, text) in rules_file()) {
        let rules = Rules::from_toml(&text).unwrap();
        prop_assert_eq!((rules.dice(), rules.faces(), rules.rolls()), (dice, faces, rolls));
        prop_assert_eq!(rules.boxes().values().len(), text.matches("[[box]]").count());
        prop_assert_eq!(rules.extra().is_some(), text.contains("[extra]"));
        prop_assert_eq!(rules.upper_bonus().is_some(), text.contains("[upper_bonus]"));

        let printed = rules.to_toml();
        let again = Rules::from_toml(&printed);
        prop_assert_eq!(again.as_ref(), Ok(&rules), "{}", &printed);
        prop_assert_eq!(again.unwrap().to_toml(), printed);
    }

    #[test]
    fn a_fingerprint_depends_on_everything_that_affects_values_and_nothing_else((_, _, rolls, text) in rules_file()) {
        let fingerprint = |text: &str| Rules::from_toml(text).unwrap().fingerprint();
        let of = fingerprint(&text);
        let renamed = format!("name = \"other\"\n{}", text.split_once('\n').unwrap().1);
        prop_assert_eq!(fingerprint(&renamed), of);
        prop_assert_eq!(fingerprint(&text.replace("id = \"y\"", "id = \"z\"").replace("box = \"y\"", "box = \"z\"")), of);
        let other = if rolls == 1 { 2 } else { rolls - 1 };
        prop_assert_ne!(fingerprint(&text.replace(&format!("rolls = {rolls}\n"), &format!("rolls = {other}\n"))), of);
        prop_assert_ne!(fingerprint(&text.replace("pays = 50\n", "pays = 49\n")), of);
    }
}

#[test]
fn presets_are_read_back_as_printed() {
    for preset in PRESETS {
        let rules = Rules::preset(preset.name).unwrap();
        assert_eq!(rules.name(), preset.name);
        assert_eq!(Rules::from_toml(&rules.to_toml()).as_ref(), Ok(&rules));
        for alias in preset.aliases {
            assert_eq!(Rules::preset(alias).as_ref(), Ok(&rules), "{alias}");
        }
        let upper = rules.upper_boxes().iter().map(|id| rules.boxes()[id].pattern.clone());
        assert_eq!(upper.collect::<Vec<_>>(), Face::all(6).map(Pattern::Face).collect::<Vec<_>>());
    }
}
