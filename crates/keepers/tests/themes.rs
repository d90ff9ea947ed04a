//! Themes of decisions, checked against descriptions written with other means, for every preset and a small game.

use keepers::internals::theme::{has_theme, themes};
use keepers::{Action, Card, Difficulty, Engine, Game, Objective, Roll, Rules, Theme};

const DIFFICULTIES: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];

fn decision(game: &Game, card: &str, roll: &str, actions: [&str; 2]) -> (Card, Roll, [Action; 2]) {
    let rules = game.rules();
    let card = game.card(card).unwrap();
    let roll = Roll::parse(roll, rules.dice(), rules.faces()).unwrap();
    let action = |text: &str| match text.strip_prefix("score ") {
        Some(id) => Action::Score(card.entry(roll.dice(), rules.box_by_id(id).unwrap()).unwrap()),
        None => Action::Keep(text.parse().unwrap()),
    };
    let actions = actions.map(action);
    (card, roll, actions)
}

fn names(game: &Game, card: &str, roll: &str, actions: [&str; 2]) -> Vec<&'static str> {
    let (card, roll, actions) = decision(game, card, roll, actions);
    themes(&card, roll, actions).into_iter().map(Theme::name).collect()
}

#[test]
fn themes_follow_from_the_two_choices() {
    let game = Game::preset("yahtzee").unwrap();
    let middle = "1=2,3k=20,4k=0,fh=25,ch=21";
    assert_eq!(names(&game, middle, "33566", ["66", "33"]), ["bonus"]);
    assert_eq!(names(&game, middle, "33566", ["66", "66"]), [""; 0]);
    assert_eq!(names(&game, middle, "23456", ["3456", "6"]), ["bonus", "straights"]);
    assert_eq!(names(&game, middle, "33366", ["333", "33366"]), ["bonus", "yahtzee"]);
    assert_eq!(names(&game, middle, "12346", ["score ss", "score ls"]), ["straights"]);
    assert_eq!(names(&game, middle, "12246", ["score y", "score ls"]), ["straights", "yahtzee"]);
    assert_eq!(names(&game, "", "12246", ["22", "24"]), ["bonus", "first-turns"]);
    // The bonus is earned: upper boxes are boxes like others.
    let earned = "1=3,2=6,3=9,4=16,5=20,6=24,ch=21,fh=25,4k=0";
    assert_eq!(names(&game, earned, "11366", ["66", "11"]), ["last-turns"]);
    // An extra Yahtzee is a joker, whatever is chosen.
    assert_eq!(names(&game, "6=18,5=15,4=12,y=50", "66666", ["score 3k", "score fh"]), ["yahtzee"]);
    assert_eq!(names(&game, "6=18,5=15,4=12,y=50", "55566", ["555", "55566"]), [""; 0]);
}

#[test]
fn a_game_has_the_themes_that_its_rules_have() {
    let has = |toml: &str| -> Vec<&str> {
        let rules = Rules::from_toml(toml).unwrap();
        Theme::ALL.into_iter().filter(|theme| theme.is_in(&rules)).map(Theme::name).collect()
    };
    let chance = "name = \"n\"\ntitle = \"t\"\ndice = 3\nfaces = 4\nrolls = 2\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";
    assert_eq!(has(chance), ["first-turns", "last-turns"]);
    for (name, bonus) in [("yahtzee", true), ("yacht", false), ("yatzy", true), ("maxi-yatzy", true)] {
        let rules = Rules::preset(name).unwrap();
        assert_eq!(Theme::Bonus.is_in(&rules), bonus, "{name}");
        assert!(Theme::Straights.is_in(&rules) && Theme::Yahtzee.is_in(&rules), "{name}");
    }
}

#[test]
fn puzzles_have_their_theme_in_every_game() {
    let engine = Engine::in_memory();
    for name in ["yahtzee", "yacht", "yatzy"] {
        let game = Game::preset(name).unwrap();
        for theme in Theme::ALL {
            for (seed, difficulty) in (1..).zip(DIFFICULTIES) {
                let found = engine.puzzle(&game, seed, difficulty, Some(theme));
                if !theme.is_in(game.rules()) {
                    assert!(found.unwrap_err().to_string().contains("choose another theme"));
                    continue;
                }
                let puzzle = found.unwrap_or_else(|error| panic!("{name}, {theme}, {difficulty:?}: {error}"));
                let (card, roll) = (&puzzle.card, puzzle.roll);
                let advice = engine.advise(card, roll, puzzle.rolls_left, &Objective::Expected).unwrap();
                let second = advice.choices.iter().find(|choice| choice.loss > 0.0).unwrap();
                let actions = [advice.choices[0].action, second.action];
                assert!(has_theme(card, roll, actions, theme), "{name}, {theme}: {puzzle}");
            }
        }
    }
}
