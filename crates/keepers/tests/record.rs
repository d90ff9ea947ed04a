//! Records of games: they can be written and read back, and impossible games are refused.

#[allow(dead_code, reason = "only a part is needed here")]
mod play;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use keepers::errors::RecordProblem;
use keepers::internals::record::{MAX_PLAYERS, MAX_PROBLEMS, named_rules};
use keepers::internals::rules::PRESETS;
use keepers::{Game, Record, Roll, Rules};
use play::{anything, play};
use proptest::prelude::*;
use proptest::sample::Index;

/// Every preset as a game, prepared once.
static GAMES: LazyLock<BTreeMap<&str, Game>> = LazyLock::new(|| {
    PRESETS.iter().map(|preset| (preset.name, Game::new(Rules::preset(preset.name).unwrap()))).collect()
});

const NAMES: [&str; 4] = ["Ann", "Bob the 2nd", "Çelik", "22345"];

fn by_chance(preset: usize, players: usize, seed: u64, rolls: usize) -> (&'static Game, Record) {
    let game = &GAMES[PRESETS[preset % PRESETS.len()].name];
    let names = if players == 0 { &["Player"] } else { &NAMES[..players] };
    (game, play(game, names, seed, rolls, &mut anything(game)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn a_record_is_read_back_as_written(
        preset in 0..PRESETS.len(),
        players in 0..=4usize,
        seed in any::<u64>(),
        rolls in prop_oneof![0..60usize, Just(1000)],
        note in "[ -\"$-~é]{0,12}",
        alone in any::<bool>(),
    ) {
        let (game, mut record) = by_chance(preset, players, seed, rolls);
        record.tag("seed", &seed.to_string()).unwrap();
        if record.tag("Note", &note).is_ok() {
            prop_assert_eq!(&record.tags()[1].1, note.trim());
        }
        // Only the last roll of a record can stand alone.
        let kept = record.turns().last().and_then(|turn| turn.rolls.last()).copied();
        if let Some(rolled) = kept.filter(|_| alone) {
            let _ = record.roll(rolled.roll);
        }
        let text = record.to_string();
        prop_assert_eq!(named_rules(&text), Some(game.rules().name()));
        let again = Record::parse(game, &text);
        prop_assert_eq!(again.as_ref(), Ok(&record), "{}", text);
        for text in [
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}{text}"),
            text.replace('\n', " # a note\n"),
        ] {
            let again = Record::parse(game, &text);
            prop_assert_eq!(again.as_ref(), Ok(&record), "{}", text);
        }
    }

    #[test]
    fn damaged_text_is_a_record_or_gets_a_clean_message(
        preset in 0..PRESETS.len(),
        players in 0..=3usize,
        seed in any::<u64>(),
        rolls in 0..80usize,
        edits in proptest::collection::vec(
            (any::<Index>(), 0..12usize, prop_oneof!["[0-9:,#=+\n a-z-]{0,6}", any::<String>()]), 1..4),
    ) {
        let (game, record) = by_chance(preset, players, seed, rolls);
        let mut text: Vec<char> = record.to_string().chars().collect();
        for (at, cut, piece) in edits {
            let start = at.index(text.len());
            text.splice(start..(start + cut).min(text.len()), piece.chars());
        }
        let text: String = text.into_iter().collect();
        let _ = named_rules(&text);
        match Record::parse(game, &text) {
            Ok(record) => {
                prop_assert_eq!(Record::parse(game, &record.to_string()), Ok(record), "{:?}", text);
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(!message.chars().any(char::is_control), "{message:?}");
                prop_assert!(message.len() < 4000, "{} bytes", message.len());
                prop_assert!(error.problems.is_sorted_by_key(|(line, _)| *line));
                let lines = text.replace("\r\n", "\n").split(['\r', '\n']).count();
                prop_assert!(error.problems.iter().all(|(line, _)| (1..=lines).contains(line)), "{message}");
            }
        }
    }
}

/// Checks that every finished game ends with a full card whose total is the sum of its entries.
#[test]
fn points_of_a_record_add_up() {
    for preset in 0..PRESETS.len() {
        for seed in 0..40 {
            let (_, record) = by_chance(preset, 2, seed, 1000);
            assert!(record.position().is_over());
            for (player, card) in record.position().cards.iter().enumerate() {
                let turns = record.turns().iter().skip(player).step_by(2);
                let paid = turns.map(|turn| turn.entry().unwrap()).map(|entry| entry.points + entry.extra);
                assert_eq!(paid.sum::<u16>() + card.upper_bonus(), card.total());
                assert!(card.is_finished());
            }
        }
    }
}

const FULL: &str = "\
11112 1\n11112 1\n11112 1
22223 2=
33334 3=
44445 4=
55556 5=
66661 6=
33344 3k
44442 4k
22233 fh
12346 ss
23456 ls
11111 y
";

#[test]
fn all_ways_to_write_a_record_are_read() {
    let game = &GAMES["yahtzee"];
    let right =
        "rules: yahtzee\nplayers: Ann\ndate: today\n\n33566 66\n24666 666\n16666 6=24\n\n22255 fh=25\n";
    let record = Record::parse(game, right).unwrap();
    assert_eq!(record.to_string(), right);
    for text in [
        // Names, one line or two, and all kept dice written out or not.
        "rules: yahtzee\nplayers: Ann\ndate: today\nAnn: 33566 66\n24666 666\n16666 6\nAnn:\n22255 fh",
        "# first\n\nRULES:yahtzee\nPlayers :Ann\ndate: today # a note\n\n65363 66\n66642 666\n66661 6=\n52522 22255\n52522 FH=25\n",
        "rules: yahtzee\nplayers: Ann\ndate: today\n\n33566 66\n24666 666\n16666 6=24\n22255 22255\n22255 22255\n22255 fh",
    ] {
        assert_eq!(Record::parse(game, text).as_ref(), Ok(&record), "{text}");
    }
    // All dice of a roll may be kept and the next roll used after all.
    let passed = Record::parse(game, "33566 33566\n33566 66\n66611 fh").unwrap();
    assert_eq!(passed.turns()[0].rolls.len(), 3);
    assert!(Record::parse(game, FULL).is_ok());
    for nothing in ["", "\n\n", "# nothing yet\n", "rules: yahtzee", "players: Ann, Bob\n\nAnn:\n"] {
        assert_eq!(Record::parse(game, nothing).unwrap().turns(), [], "{nothing}");
    }
}

#[test]
fn cr_lf_and_crlf_end_a_line() {
    let game = &GAMES["yahtzee"];
    let text = "# A comment ends with its line.\nrules: yahtzee\nplayers: Ann\n\n22255 fh\n# Done.\n33566 66";
    let record = Record::parse(game, text).unwrap();
    assert_eq!(record.turns().len(), 2);
    for line_end in ["\r", "\r\n"] {
        let text = text.replace('\n', line_end);
        assert_eq!(Record::parse(game, &text).as_ref(), Ok(&record), "{text:?}");
        assert_eq!(named_rules(&text), Some("yahtzee"), "{text:?}");
    }
    // Two line ends are an empty line, which ends the header; CR LF is one.
    let error = Record::parse(game, "a: 1\rb: 2\n\rc: 3\r\n22345 zz").unwrap_err();
    assert_eq!(error.problems.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 4, 5]);
}

#[test]
fn messages_for_bad_records_list_all_problems_with_their_lines() {
    let boxes = "1, 2, 3, 4, 5, 6, 3k, 4k, fh, ss, ls, y, ch";
    let joker = "55555 y=50\n55555 5=25+100\n";
    let cases: &[(&str, &str)] = &[
        ("2234 22", "line 1: \"2234\" has 4 dice, but this game rolls 5"),
        ("223456 22", "line 1: \"223456\" has 6 dice, but this game rolls 5"),
        (
            "22347 22",
            "line 1: \"22347\" is not a set of dice: write each die as a digit from 1 to 6, like 12345",
        ),
        (
            "22345 6",
            "line 1: 6 cannot be kept: 22345 does not contain it; to score in 6 before the last roll write 6=",
        ),
        (
            "66666 6\n12345 ls",
            "line 2: 12345 is impossible: it must contain 6, which was kept; \
             to score in 6 before the last roll write 6=",
        ),
        ("22345 222", "line 1: 222 cannot be kept: 22345 does not contain it"),
        ("22345 22\n12345 ls", "line 2: 12345 is impossible: it must contain 22, which was kept"),
        (
            "22345 22\n22666 666\n11222 7",
            "line 3: 11222 is impossible: it must contain 666, which was kept; \
             line 3: there is no box \"7\": the boxes are BOXES",
        ),
        ("22345 zz", "line 1: \"zz\" is neither dice to keep nor a box: the boxes are BOXES"),
        ("22345 zz=3", "line 1: there is no box \"zz\": the boxes are BOXES"),
        (
            "22345 227",
            "line 1: \"227\" is not a set of dice: write each die as a digit from 1 to 6, like 22 (- for no dice)",
        ),
        ("22233 fh=30", "line 1: fh=30 is wrong: these dice make fh=25"),
        ("22233 fh=25+100", "line 1: fh=25+100 is wrong: these dice make fh=25"),
        ("22233 fh=many", "line 1: fh=many is wrong: these dice make fh=25"),
        (
            "22233 fh\n33322 fh",
            "line 2: fh is already filled: the open boxes are 1, 2, 3, 4, 5, 6, 3k, 4k, ss, ls, y, ch",
        ),
        (
            "JOKER55555 6=",
            "line 3: 55555 cannot be scored in 6 now: the rules allow only 3k, 4k, fh, ss, ls, ch",
        ),
        ("JOKER55555 fh=25+50", "line 3: fh=25+50 is wrong: these dice make fh=25+100"),
        (
            "22345 22 ss",
            "line 1: \"22345 22 ss\" has too many words: write a roll, then the dice kept or a box, like 12345 1 or 12345 ch",
        ),
        (
            "22345\n22345 ss",
            "line 1: 22345 has no action: write the dice kept or the box after it; only the last roll of a record may have no action",
        ),
        (
            "rules:\n22345 ss",
            "line 1: rules: has no value: write the name of a preset or the path of a TOML file",
        ),
        (
            "rules: a\nrules: b\nplayers: A\nplayers: B",
            "line 2: rules is given twice; line 4: players is given twice",
        ),
        (
            "players: Ann, Ann",
            "line 1: \"Ann\" cannot be a player's name: names must differ, must not contain : or #, and must not be \"rules\" or \"players\"",
        ),
        (
            "players: Ann,",
            "line 1: \"\" cannot be a player's name: names must differ, must not contain : or #, and must not be \"rules\" or \"players\"",
        ),
        (
            "players: Ann, Bob\n\nBob: 22345 ss",
            "line 3: it is the turn of Ann, not of Bob: players take turns in order",
        ),
        (
            "players: Ann, Bob\n\nAnn: 22345 ss\nAnn: 22345 ch",
            "line 4: it is the turn of Bob, not of Ann: players take turns in order",
        ),
        (
            "players: Ann, Bob\n\nAnn: 22345 ss\nBib: 22345 ss",
            "line 4: \"Bib\" is not a player: the players are Ann, Bob",
        ),
        (
            "players: Ann, Bob\n\nAnn: 22345 ss\n22345 ss",
            "line 4: the turn must start with the name of its player: write Bob: before the roll",
        ),
        (
            "players: Ann, Bob\n\nAnn: 22345 22\nBob: 22345 ss",
            "line 4: the turn of Ann has not ended: its last roll must be scored in a box",
        ),
        (
            "Ann: 22345 22\n22345 ss",
            "line 1: \"Ann\" is not a player: the players are not named; write players: and the names, separated by commas, at the top",
        ),
        ("FULL12345 ch\n22345 ss", "line 16: the game is over: every box of every card is filled"),
        (
            "2234 22\n22345 zz\n\n11122 fh=2\n11122 fh",
            "line 1: \"2234\" has 4 dice, but this game rolls 5; \
             line 2: \"zz\" is neither dice to keep nor a box: the boxes are BOXES; \
             line 4: fh=2 is wrong: these dice make fh=25; \
             line 5: fh is already filled: the open boxes are 1, 2, 3, 4, 5, 6, 3k, 4k, ss, ls, y, ch",
        ),
    ];
    let game = &GAMES["yahtzee"];
    let mut wrong = String::new();
    for (text, message) in cases {
        let text = text.replace("JOKER", joker).replace("FULL", FULL);
        let message = message.replace("BOXES", boxes);
        let found = match Record::parse(game, &text) {
            Ok(record) => format!("(accepted as {:?})", record.to_string()),
            Err(error) => error.to_string(),
        };
        if found != message {
            wrong += &format!("{text:?}\n  found:  {found}\n  wanted: {message}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn garbage_has_a_short_message() {
    let game = &GAMES["yahtzee"];
    let error = Record::parse(game, &"nonsense\n".repeat(100_000)).unwrap_err();
    assert_eq!((error.problems.len(), error.more), (MAX_PROBLEMS, 100_000 - MAX_PROBLEMS));
    assert!(error.to_string().len() < 2000 && error.to_string().ends_with(" (and 99992 more problems)"));
    let error = Record::parse(game, &"nonsense\n".repeat(9)).unwrap_err();
    assert!(error.to_string().ends_with("like 12345 (and 1 more problem)"), "{error}");
    let error = Record::parse(game, &"nonsense\n".repeat(8)).unwrap_err();
    assert!(error.to_string().ends_with("like 12345"), "{error}");
    let long = "x".repeat(1 << 20);
    for text in
        [long.clone(), format!("22345 {long}"), format!("{long}: 22345 22"), format!("22345 fh={long}")]
    {
        let message = Record::parse(game, &text).unwrap_err().to_string();
        assert!(message.len() < 1000, "{} bytes", message.len());
    }
    for turns in
        [format!("{long}: 22345 ss\nB: 22345 22\n"), "B: 22345 22\nA: 22345 22\nC: 22345 22\n".into()]
    {
        let text = format!("players: {long}, A, B\n\n{turns}");
        let message = Record::parse(game, &text).unwrap_err().to_string();
        assert!(message.len() < 1000, "{} bytes", message.len());
    }
}

/// A quadratic reader would take minutes for a million names.
#[test]
fn too_many_players_are_refused_before_anything_else_is_read() {
    let game = &GAMES["yahtzee"];
    let names = |number: usize| (0..number).map(|player| format!("P{player}")).collect::<Vec<_>>();
    for number in [MAX_PLAYERS + 1, 1_000_000] {
        let refused = format!("{number} players are too many: a record has at most {MAX_PLAYERS}");
        let text = format!("rules: yahtzee\nplayers: {}\n\n{}", names(number).join(", "), "zz\n".repeat(100));
        let error = Record::parse(game, &text).unwrap_err();
        assert_eq!(error.to_string(), format!("line 2: {refused}"));
        assert_eq!(Record::new(game, &names(number)).unwrap_err().to_string(), refused);
    }
    let mut record = Record::new(game, &names(MAX_PLAYERS)).unwrap();
    for _ in 0..MAX_PLAYERS + 1 {
        record.roll(Roll::parse("22345", 5, 6).unwrap()).unwrap();
        let open = record.position().card().open_boxes().iter().last().unwrap();
        record.score(open).unwrap();
    }
    assert_eq!(Record::parse(game, &record.to_string()), Ok(record));
}

#[test]
fn impossible_actions_cannot_be_recorded() {
    let game = &GAMES["yahtzee"];
    let roll = |text| Roll::parse(text, 5, 6).unwrap();
    let id = |id| game.rules().box_by_id(id).unwrap();
    let mut record = Record::new(game, &["Ann", "Bob"]).unwrap();
    assert_eq!(record.keep("1".parse().unwrap()), Err(RecordProblem::NoRoll));
    assert_eq!(record.score(id("fh")), Err(RecordProblem::NoRoll));
    record.roll(roll("22345")).unwrap();
    assert!(matches!(record.roll(roll("22345")), Err(RecordProblem::Undecided(_))));
    assert!(matches!(record.keep("6".parse().unwrap()), Err(RecordProblem::NotRolled { .. })));
    record.keep("22".parse().unwrap()).unwrap();
    assert!(matches!(record.roll(roll("12345")), Err(RecordProblem::KeptDiceMissing { .. })));
    record.roll(roll("22222")).unwrap();
    record.keep("2".parse().unwrap()).unwrap();
    record.roll(roll("22222")).unwrap();
    assert_eq!(record.keep("2".parse().unwrap()), Err(RecordProblem::NoRollLeft(roll("22222"))));
    record.score(id("y")).unwrap();
    record.roll(roll("22222")).unwrap();
    record.score(id("y")).unwrap();
    record.roll(roll("22222")).unwrap();
    assert!(matches!(record.score(id("y")), Err(RecordProblem::Filled(..))));
    assert!(matches!(record.score(id("1")), Err(RecordProblem::NotAllowed(_))));
    assert_eq!(record.score(id("2")).map(|entry| entry.extra), Ok(100));
    // A player who keeps all dice may score at once.
    record.roll(roll("22255")).unwrap();
    record.keep("22255".parse().unwrap()).unwrap();
    record.score(id("fh")).unwrap();
    assert_eq!(record.turns().last().map(|turn| turn.rolls.len()), Some(1));
    for names in [&["Ann", "Ann"][..], &["a:b"], &["a,b"], &["#1"], &[""], &["rules"], &[], &["a\nb"]] {
        assert!(matches!(Record::new(game, names), Err(RecordProblem::BadName(_))), "{names:?}");
    }
    for (key, value) in
        [("Ann", "x"), ("rules", "x"), ("a:b", ""), ("", ""), ("a", "#"), ("a", "22345 2"), ("a", "x\ny")]
    {
        assert!(matches!(record.tag(key, value), Err(RecordProblem::BadTag(_))), "{key}: {value}");
    }
    assert!(record.name_rules(" ").is_err() && record.name_rules("a\nb").is_err());
    record.name_rules("ours.toml").unwrap();
    assert_eq!(named_rules(&record.to_string()), Some("ours.toml"));
}
