//! Positions of several players near the end of the game, compared with exact duels.

use std::time::Duration;

use keepers::internals::Work;
use keepers::internals::multiplayer::Multiplayer;
use keepers::internals::solve::{DuelTask, Retain};
use keepers::{Card, Game, Rules, Silent, Standing};

/// Judges positions without reach curves: fails if an estimate is needed.
fn judge(game: &Game) -> Multiplayer<'static> {
    Multiplayer::within(game, Duration::ZERO, || panic!("nothing has to be estimated here"), &Silent)
}

fn stand(game: &Game, card: &str) -> Standing {
    Standing::of(&Card::parse(game, card).unwrap())
}

const FULL: &str = "1=3,2=6,3=9,4=12,5=15,6=18,fh=24,4k=16,ls=30,bs=0,ch=20,y=0";

/// A card without some boxes.
fn without(card: &str, boxes: &[&str]) -> String {
    let kept = card.split(',').filter(|entry| !boxes.contains(&entry.split('=').next().unwrap()));
    kept.collect::<Vec<_>>().join(",")
}

#[test]
fn a_player_who_always_wins_or_always_loses_does_not_affect_the_other_two() {
    let game = Game::new(Rules::preset("yacht").unwrap());
    let lowest = stand(&game, "1=0,2=0,3=0,4=0,5=0,6=0,fh=0,4k=0,ls=0,bs=0,ch=5,y=0");
    let highest = stand(&game, "1=5,2=10,3=15,4=20,5=25,6=30,fh=28,4k=24,ls=30,bs=30,ch=30,y=50");
    for [own, rival] in [[&["6"][..], &["y"]], [&["ch"], &["fh"]], [&["ch", "4k"], &["1"]], [&["6"], &[]]] {
        let [own, rival] = [own, rival].map(|boxes| stand(&game, &without(FULL, boxes)));
        let duel = DuelTask::from_standings(&game, &own, &rival, &Work::silent()).unwrap();
        let duel = duel.solve(Retain::Root, &Work::silent()).unwrap();
        for (third, beaten) in [(lowest, 1.0), (highest, 0.0)] {
            let judge = judge(&game);
            let standings = [own, rival, third];
            let judged = judge.entries(&standings, 0).unwrap();
            assert!(judged.exact);
            let value = judge.value_of(&standings, 0, &judged);
            assert!((value - (duel.value() + beaten) / 2.0).abs() < 1e-12, "{value}, {}", duel.value());
            let values: Vec<f64> = (0..3).map(|player| judge.value(&standings, 0, player).unwrap()).collect();
            assert!((values[0] - value).abs() < 1e-12);
            assert!((values[1] - (1.0 - duel.value() + beaten) / 2.0).abs() < 1e-12);
            assert_eq!(values[2], 1.0 - beaten);
        }
    }
}

#[test]
fn the_values_of_three_players_have_a_constant_sum() {
    let game = Game::new(Rules::preset("yahtzee").unwrap());
    let card = "1=2,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=0,y=50,ch=22";
    let standings = ["6", "ch", "fh"].map(|open| stand(&game, &without(card, &[open])));
    let judge = judge(&game);
    let values: Vec<f64> = (0..3).map(|player| judge.value(&standings, 0, player).unwrap()).collect();
    // Each of the three pairs of players shares one point, and values are shares of two opponents.
    assert!((values.iter().sum::<f64>() - 1.5).abs() < 1e-12, "{values:?}");
    assert!(values.iter().all(|value| (0.05..0.95).contains(value)), "{values:?}");
    let judged = judge.entries(&standings, 0).unwrap();
    assert!(judged.exact && (judge.value_of(&standings, 0, &judged) - values[0]).abs() < 1e-12);
    let (settled, value) = judge.settled(&standings, 0, &judged);
    assert_eq!(value, judge.value_of(&standings, 0, &judged));
    let own = Card::parse(&game, &without(card, &["6"])).unwrap();
    for roll in game.lattice().rolls().map(|roll| game.lattice().roll(roll)) {
        let after = Standing::of(&own.enter(roll.dice(), own.open_boxes().iter().next().unwrap()).unwrap());
        assert_eq!(settled.value_after(&after), judged.value_after(&after));
    }
    // The last player cannot affect the others any more, so more points are never worse.
    let last = [standings[2], stand(&game, card), stand(&game, card)];
    let value =
        |points: u16| judge.entries(&last, 0).unwrap().value_after(&Standing { total: points, ..last[1] });
    assert!(value(100) <= value(209) && value(209) <= value(300) && value(300) == 1.0);
}
