//! Exact duels, compared with brute force and with tables for a single player.

mod brute;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use brute::toys::TOYS;
use brute::{History, Toy, duel, solve_by_force};
use keepers::answers::ValueFunction;
use keepers::errors::DuelError;
use keepers::internals::advise::advise;
use keepers::internals::players::ExactDuels;
use keepers::internals::solve::{Duel, DuelTask, Retain, best_utility};
use keepers::internals::{NoWork, Work};
use keepers::{Action, Card, Game, Observer, Roll, Rules, Silent, Standing, WorkError};

fn solve(game: &Game, mover: &Card, other: &Card, kept: Retain) -> Duel {
    let task = DuelTask::new(game, mover, other, &Work::silent()).unwrap();
    task.solve(kept, &Work::silent()).unwrap()
}

fn preset(name: &str) -> Game {
    Game::new(Rules::preset(name).unwrap())
}

/// Cards with this many open boxes, spread over all that can occur.
fn cards(toy: &Toy, open: usize, wanted: usize) -> Vec<History> {
    let all = solve_by_force(toy, 1).values;
    let is_open = |card: &&History| card.points.iter().filter(|points| points.is_none()).count() == open;
    let mut cards: Vec<History> = all.keys().filter(is_open).cloned().collect();
    cards.sort_by_key(|card| card.text(toy));
    let step = cards.len().div_ceil(wanted);
    cards.into_iter().step_by(step.max(1)).collect()
}

/// The expected result after an entry, against a rival who moves next.
struct DuelValue<'a> {
    duel: &'a Duel,
    rival: &'a Card,
}

impl ValueFunction for DuelValue<'_> {
    fn value(&self, card: &Card) -> f64 {
        self.duel.value_after(card, self.rival).unwrap()
    }
}

#[test]
fn every_position_of_the_toy_games_has_the_value_of_brute_force() {
    let mut compared = 0;
    for toy in TOYS {
        for rolls in 1..=2 {
            let game = Game::new(Rules::from_toml(&toy.toml(rolls)).unwrap());
            for [mover, other] in [[1, 0], [1, 1], [2, 1], [2, 2], [3, 2], [3, 3]] {
                let wanted = if mover == 3 { 1 } else { 4 };
                for (mover, other) in
                    cards(toy, mover, wanted).iter().zip(cards(toy, other, wanted).iter().rev())
                {
                    compared += compare(toy, rolls, &game, mover, other);
                }
            }
        }
    }
    assert!(compared > 100_000, "only {compared} positions were compared");
}

/// Compares all positions that follow from one, to 1e-12.
fn compare(toy: &Toy, rolls: u8, game: &Game, mover: &History, other: &History) -> usize {
    let mut brute = duel::Duel::new(toy, rolls);
    brute.value(mover, other);
    let card = |history: &History| Card::parse(game, &history.text(toy)).unwrap();
    let task = || DuelTask::new(game, &card(mover), &card(other), &Work::silent()).unwrap();
    let duel = task().solve(Retain::Everything, &Work::silent()).unwrap();
    // A solve in small parts, which drops values as for large positions, must give the same bits.
    let in_parts = |kept| task().in_small_parts().solve(kept, &Work::silent()).unwrap();
    assert_eq!(in_parts(Retain::Root).value(), duel.value());
    let in_parts = in_parts(Retain::Everything);
    for (mover, other, value) in &brute.met {
        let (mover, other) = (card(mover), card(other));
        let ours = duel.value_of(&mover, &other).unwrap();
        let of = format!("{}, {rolls} rolls, \"{mover}\" against \"{other}\"", toy.name);
        assert!((ours - value).abs() < 1e-12, "{of}: {ours}, but brute force says {value}");
        assert_eq!(in_parts.value_of(&mover, &other), Some(ours), "{of}");
        // The values of the two players sum to 1.
        assert!((duel.value_after(&other, &mover).unwrap() + ours - 1.0).abs() < 1e-15, "{of}");
    }
    brute.met.len()
}

/// The utility of a final score against a final total.
fn against(total: u16) -> Vec<f64> {
    (0..=total + 1)
        .map(|score| match score.cmp(&total) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        })
        .collect()
}

/// A card of Yahtzee with a single open box.
fn all_but(game: &Game, open: &str) -> Card {
    let full = "1=2,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=0,y=50,ch=22";
    let kept: Vec<&str> = full.split(',').filter(|part| part.split('=').next() != Some(open)).collect();
    Card::parse(game, &kept.join(",")).unwrap()
}

const BOXES: [&str; 13] = ["1", "2", "3", "4", "5", "6", "3k", "4k", "fh", "ss", "ls", "y", "ch"];

#[test]
fn against_a_full_card_a_duel_is_the_utility_of_beating_its_total() {
    let game = preset("yahtzee");
    for open in BOXES {
        let mover = all_but(&game, open);
        for other in [
            "1=3,2=6,3=9,4=8,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,y=0,ch=22",
            "1=3,2=6,3=9,4=12,5=10,6=18,3k=24,4k=24,fh=25,ss=30,ls=0,y=50,ch=12",
        ] {
            let other = Card::parse(&game, other).unwrap();
            let duel = solve(&game, &mover, &other, Retain::Root);
            let alone =
                best_utility(&game, &mover, &against(other.total()), &Work::silent()).unwrap().value();
            assert!((duel.value() - alone).abs() < 1e-12, "{open}: {} and {alone}", duel.value());
        }
    }
}

/// The value of the last entry if the rival then has one box to fill, computed from a table for the rival alone.
struct RivalAlone<'a> {
    game: &'a Game,
    rival: &'a Card,
}

impl ValueFunction for RivalAlone<'_> {
    fn value(&self, card: &Card) -> f64 {
        1.0 - best_utility(self.game, self.rival, &against(card.total()), &Work::silent()).unwrap().value()
    }
}

#[test]
fn advice_for_the_last_round_agrees_with_tables_for_the_rival_alone() {
    let game = preset("classic");
    let rival = Card::parse(&game, "1=3,2=6,3=9,4=8,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=0,y=0").unwrap();
    let mover = Card::parse(&game, "1=2,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,ss=30,ls=0,y=0,ch=22").unwrap();
    let duel = solve(&game, &mover, &rival, Retain::Root);
    let value_fn = DuelValue { duel: &duel, rival: &rival };
    for (dice, left) in [("22335", 2), ("22335", 1), ("33355", 0), ("12346", 0)] {
        let roll = Roll::parse(dice, 5, 6).unwrap();
        let ours = advise(&value_fn, &mover, roll, left).unwrap();
        let theirs = advise(&RivalAlone { game: &game, rival: &rival }, &mover, roll, left).unwrap();
        assert!((ours.value - theirs.value).abs() < 1e-12, "{dice}: {} and {}", ours.value, theirs.value);
        for choice in &ours.choices {
            let same = theirs.choices.iter().find(|other| other.action == choice.action).unwrap();
            assert!((choice.value - same.value).abs() < 1e-12, "{dice}: {choice:?} and {same:?}");
        }
        assert_eq!(ours.choices.len(), theirs.choices.len());
    }
}

fn card(game: &Game, text: String) -> Card {
    Card::parse(game, &text).unwrap()
}

/// A full card with the fewest possible points.
fn without_points(full: &Card) -> String {
    let boxes = full.rules().boxes();
    let fewest = |id: &str| if id == "ch" { 6 } else { 0 };
    boxes
        .values()
        .iter()
        .map(|rule| format!("{}={}", rule.id, fewest(&rule.id)))
        .collect::<Vec<_>>()
        .join(",")
}

/// Late positions of several games.
fn late() -> Vec<(Game, Card, Card)> {
    let position = |rules: &str, mover: &str, other: &str| {
        let game = preset(rules);
        let [mover, other] = [mover, other].map(|card| Card::parse(&game, card).unwrap());
        (game, mover, other)
    };
    vec![
        position(
            "yahtzee",
            "1=3,2=6,3=9,4=12,5=15,3k=20,4k=0,fh=25,ss=30,y=50",
            "2=6,3=9,4=8,5=15,6=18,3k=24,4k=16,ss=30,ls=40,y=50,extra=1",
        ),
        position(
            "yatzy",
            "1=3,2=6,3=9,4=12,5=15,1p=12,2p=18,3k=15,4k=0,ss=15,ls=0,y=0",
            "2=6,3=9,4=8,5=15,6=18,1p=10,2p=22,3k=12,ss=15,ls=20,fh=22,y=0",
        ),
        position(
            "yacht",
            "1=3,2=6,3=9,4=12,5=15,fh=24,4k=16,ls=30,bs=0",
            "2=6,3=9,4=8,5=15,6=18,4k=0,ls=30,bs=30,ch=20",
        ),
        position(
            "maxi-yatzy",
            "1=3,2=6,3=9,4=12,5=15,6=24,1p=12,2p=18,3p=0,3k=15,4k=0,5k=0,ss=15,ls=0,fs=0,fh=0,vi=0,to=0",
            "2=6,3=9,4=8,5=15,6=18,1p=10,2p=22,3p=0,3k=12,4k=16,5k=0,ss=15,ls=20,fs=21,fh=22,vi=0,to=0,ch=22,y=0",
        ),
    ]
}

#[test]
fn the_value_before_a_roll_is_the_mean_over_the_rolls() {
    for (game, mover, other) in late() {
        let duel = solve(&game, &mover, &other, Retain::Root);
        let value_fn = DuelValue { duel: &duel, rival: &other };
        let rolls = game.rules().rolls();
        let mut mean = 0.0;
        let mut all = 0.0;
        for index in game.lattice().rolls() {
            let roll = game.lattice().roll(index);
            let orders = f64::from(roll.dice().orders());
            mean += orders * advise(&value_fn, &mover, roll, rolls - 1).unwrap().value;
            all += orders;
        }
        assert!((mean / all - duel.value()).abs() < 1e-12, "{}", game.rules().name());
    }
}

#[test]
fn what_one_player_wins_the_other_loses() {
    for (game, mover, other) in late() {
        let duel = solve(&game, &mover, &other, Retain::Root);
        let roll = game.lattice().roll(game.lattice().rolls().start + 17);
        for into in mover.open_boxes().iter() {
            let Ok(next) = mover.enter(roll.dice(), into) else { continue };
            let own = duel.after(&Standing::of(&next), &Standing::of(&other)).unwrap();
            // The same position, solved separately from the other player's side.
            let others = solve(&game, &other, &next, Retain::Root).value();
            assert!((own + others - 1.0).abs() < 1e-13, "{}: {own} and {others}", game.rules().name());
        }
    }
}

#[test]
fn all_retained_values_agree_with_a_solve_of_that_position() {
    for (game, mover, other) in late() {
        let duel = solve(&game, &mover, &other, Retain::Everything);
        assert_eq!(duel.value_of(&mover, &other), Some(duel.value()));
        let dice = if game.rules().dice() == 6 { "333661" } else { "33366" };
        let roll = Roll::parse(dice, game.rules().dice(), 6).unwrap();
        let (mut to_move, mut rival) = (mover, other);
        while !to_move.is_finished() {
            let value_fn = DuelValue { duel: &duel, rival: &rival };
            let advice = advise(&value_fn, &to_move, roll, 0).unwrap();
            let Action::Score(best) = advice.choices[0].action else { unreachable!("no roll is left") };
            let next = to_move.enter(roll.dice(), best.into).unwrap();
            (to_move, rival) = (rival, next);
            // The bits must be equal: a player's choices must not depend on what was solved before.
            let fresh = solve(&game, &to_move, &rival, Retain::Root).value();
            assert_eq!(duel.value_of(&to_move, &rival), Some(fresh), "{}", game.rules().name());
        }
        // Positions that do not follow have no value.
        assert_eq!(duel.value_of(&Card::empty(&game), &rival), None);
        let less = duel.value_of(&card(&game, without_points(&to_move)), &rival);
        assert_eq!(less, None, "{}: fewer points than there were", game.rules().name());
    }
}

/// A position of Yahtzee with five open boxes each.
fn five_each(game: &Game) -> [Card; 2] {
    ["1=2,3=9,6=18,3k=20,4k=0,ss=30,ls=40,y=50", "1=3,2=6,5=15,fh=25,3k=17,ss=30,ls=0,ch=21"]
        .map(|text| Card::parse(game, text).unwrap())
}

/// With five open boxes each, the work is divided into parts, and turns with few open boxes are compiled.
#[test]
fn a_position_solved_in_parts_agrees_with_solves_of_later_positions() {
    let game = preset("yahtzee");
    let [mover, other] = five_each(&game);
    let duel = solve(&game, &mover, &other, Retain::Everything);
    assert!(duel.cost().turns > 50_000);
    assert_eq!(solve(&game, &mover, &other, Retain::Root).value(), duel.value());
    let task = DuelTask::new(&game, &mover, &other, &Work::silent()).unwrap().in_small_parts().alone();
    assert_eq!(task.solve(Retain::Root, &Work::silent()).unwrap().value(), duel.value());
    for [movers, others] in
        [["2=6", "3=6"], ["ch=20", "y=0"], ["fh=25,2=8", "4=12,6=24"], ["5=20,ch=9", "y=50,4=4"]]
    {
        let [mover, other] = [(&mover, movers), (&other, others)]
            .map(|(card, more)| Card::parse(&game, &format!("{card},{more}")).unwrap());
        assert_eq!(duel.value_of(&mover, &other), Some(solve(&game, &mover, &other, Retain::Root).value()));
    }
}

/// The points of the boxes are so far apart that the totals form more and more intervals.
#[test]
fn totals_far_apart_agree_with_solves_of_later_positions() {
    let boxes: Vec<String> = (0..7)
        .map(|nth| format!("[[box]]\nid = \"b{nth}\"\npattern = \"sets\"\nof = [2]\npays = {}\n", 10 << nth))
        .collect();
    let toml = format!("dice = 3\nfaces = 3\nrolls = 2\n{}", boxes.concat());
    let game = Game::new(Rules::from_toml(&toml).unwrap());
    let empty = Card::empty(&game);
    let duel = solve(&game, &empty, &empty, Retain::Everything);
    for [movers, others] in [
        ["b0=10,b2=0,b4=160,b6=640", "b1=20,b2=40,b3=0,b6=640"],
        ["b0=0,b1=0,b2=40,b3=80,b4=160", "b6=640,b1=20,b2=40,b5=0,b4=160"],
        ["b0=10,b1=20,b2=40,b3=80,b4=160,b5=320", "b0=10,b1=20,b2=40,b3=80,b4=160,b6=0"],
    ] {
        let [mover, other] = [movers, others].map(|text| Card::parse(&game, text).unwrap());
        assert_eq!(duel.value_of(&mover, &other), Some(solve(&game, &mover, &other, Retain::Root).value()));
    }
}

#[test]
fn impossible_and_too_large_positions_are_refused() {
    let game = preset("yahtzee");
    let (empty, one) = (Card::empty(&game), Card::parse(&game, "ch=20").unwrap());
    let two = Card::parse(&game, "ch=20,1=3").unwrap();
    let refused = |mover: &Card, other: &Card| {
        DuelTask::new(&game, mover, other, &Work::silent()).err().map(|error| error.to_string())
    };
    assert_eq!(
        refused(&one, &empty).as_deref(),
        Some(
            "the player to move has 12 open boxes and the other 13: players take turns, so the one to move \
             has as many open boxes as the other or one more"
        )
    );
    assert!(refused(&empty, &two).is_some());
    assert!(refused(&empty, &one).is_none());

    let task = DuelTask::new(&game, &empty, &empty, &Work::silent()).unwrap();
    let error = task.check_memory(Retain::Root, 8 << 30, &Work::silent()).unwrap_err();
    assert!(matches!(error, DuelError::TooLarge { needed, .. } if needed > 1 << 40), "{error}");
    assert!(error.to_string().ends_with(" TiB of memory, but the limit is 8.0 GiB"), "{error}");

    let maxi = preset("maxi-yatzy");
    let empty = Card::empty(&maxi);
    let error = DuelTask::new(&maxi, &empty, &empty, &Work::silent()).err().unwrap();
    assert_eq!(error, DuelError::TooManyBoxes(20));
    assert!(error.to_string().starts_with("20 open boxes on a card are too many for a duel"), "{error}");
    let empty = Standing::of(&empty);
    assert!(
        ExactDuels::within(&maxi, Duration::from_secs(3600)).of(&empty, &empty, &Silent).unwrap().is_none()
    );
}

/// Checks and stores progress, and cancels after `patience` calls of `is_cancelled`.
#[derive(Default)]
struct Patient {
    lanes: usize,
    patience: usize,
    most: AtomicUsize,
    asked: AtomicUsize,
}

impl Observer for Patient {
    fn progress(&self, _: &str, done: usize, all: usize) {
        assert!(done <= all && all == self.lanes);
        self.most.fetch_max(done, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn a_solve_reports_its_progress_and_can_be_cancelled() {
    let (game, mover, other) = late().swap_remove(0);
    let task = || DuelTask::new(&game, &mover, &other, &Work::silent()).unwrap();
    let cost = task().cost(Retain::Everything, &Work::silent()).unwrap();
    let patient = |patience| Patient { lanes: cost.lanes, patience, ..Patient::default() };
    let observer = patient(usize::MAX);
    let duel = task().solve(Retain::Everything, &Work::new(&observer, "")).unwrap();
    assert_eq!(observer.most.into_inner(), cost.lanes);
    assert_eq!(duel.cost(), cost);
    assert!(cost.bytes > task().cost(Retain::Root, &Work::silent()).unwrap().bytes);
    assert_eq!(cost.pairs, task().pairs());
    // The bytes equal the estimate, except for three rows and a number in some chunks.
    let chunks = 7;
    assert!(
        (cost.bytes..cost.bytes + chunks * (3 * 64 + 4) + 1).contains(&duel.bytes()),
        "{} {}",
        duel.bytes(),
        cost.bytes
    );

    let cancelled = |observer: &dyn Observer| task().solve(Retain::Root, &Work::new(observer, "")).err();
    assert_eq!(cancelled(&patient(observer.asked.into_inner() / 2)), Some(WorkError::Cancelled));
    assert_eq!(cancelled(&NoWork), Some(WorkError::Cancelled));
}

#[test]
fn positions_are_solved_only_within_their_limits() {
    let (game, mover, other) = late().swap_remove(0);
    let [own, rival] = [&mover, &other].map(Standing::of);
    let duel = ExactDuels::within(&game, Duration::from_secs(3600)).of(&own, &rival, &Silent).unwrap();
    let duel = Arc::clone(duel.expect("an hour is enough").duel().unwrap());
    assert_eq!(duel.value(), solve(&game, &mover, &other, Retain::Root).value());
    let turns = duel.cost().turns;
    let [larger, too] = five_each(&game).map(|card| Standing::of(&card));
    assert!(ExactDuels::within(&game, Duration::ZERO).of(&larger, &too, &Silent).unwrap().is_none());
    assert!(
        ExactDuels::within(&game, Duration::from_millis(1)).of(&larger, &too, &Silent).unwrap().is_none()
    );
    assert!(ExactDuels::up_to(&game, turns - 1).of(&own, &rival, &Silent).unwrap().is_none());
    assert!(ExactDuels::up_to(&game, turns).of(&own, &rival, &Silent).unwrap().is_some());
    // Retains the values after the next turn only.
    let turn = ExactDuels::within(&game, Duration::from_secs(3600))
        .for_a_turn()
        .of(&own, &rival, &Silent)
        .unwrap()
        .unwrap();
    let turn = turn.duel().unwrap();
    assert_eq!(turn.value(), duel.value());
    assert!(turn.bytes() < duel.bytes() && duel.knows_turn(&own, &rival) && turn.knows_turn(&own, &rival));
    let roll = Roll::parse("12346", 5, 6).unwrap();
    let after = Standing::of(&mover.enter(roll.dice(), mover.open_boxes().iter().next().unwrap()).unwrap());
    assert_eq!(turn.after(&after, &rival), duel.after(&after, &rival));
    assert!(duel.knows_turn(&rival, &after) && !turn.knows_turn(&rival, &after));
    // Tiny positions are solved even without time.
    let (mover, other) = (all_but(&game, "fh"), all_but(&game, "6"));
    let [own, rival] = [&mover, &other].map(Standing::of);
    assert!(ExactDuels::within(&game, Duration::ZERO).of(&own, &rival, &Silent).unwrap().is_some());
}

#[test]
fn a_finished_game_is_won_drawn_or_lost() {
    let game = preset("yacht");
    let full =
        |ones: u16| card(&game, format!("1={ones},2=6,3=9,4=12,5=15,6=18,fh=24,4k=16,ls=30,bs=0,ch=20,y=0"));
    for (mover, other, value) in [(3, 2, 1.0), (2, 2, 0.5), (2, 3, 0.0)] {
        assert_eq!(solve(&game, &full(mover), &full(other), Retain::Root).value(), value);
    }
}
