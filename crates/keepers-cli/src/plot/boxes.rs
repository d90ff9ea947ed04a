//! Draws how often a strategy scores each box well and badly in each turn (Perkins, figure 4).

use keepers::answers::{BoxRule, Statistics};
use keepers::{Card, Game, Pattern, Rules};
use keepers_plot::{Grid, Picture};

use super::{from_card, provenance};

/// Returns the pattern that decides whether a box is scored well: that of the box with the same id in `judge`.
fn judged<'a>(rule: &'a BoxRule, judge: &'a Rules) -> &'a Pattern {
    judge.box_by_id(&rule.id).map_or(&rule.pattern, |id| &judge.boxes()[id].pattern)
}

/// Draws the grid of a strategy: a row per open box of the card, a column per turn.
pub(super) fn grid(game: &Game, card: &Card, judge: &Rules, statistics: &Statistics) -> Grid {
    let open = card.open_boxes();
    let turns = open.iter().count();
    let mut grid = Grid::new((1..=turns).map(|turn| turn.to_string()))
        .titles("turn", "whole game")
        .names("scored well", "scored badly");
    for id in open.iter() {
        let rule = &game.rules().boxes()[id];
        let cells = statistics.boxes[id].well_and_badly(game, judged(rule, judge));
        grid = grid.row(rule.name.clone(), cells);
    }
    grid
}

/// Draws the grid of one strategy as a picture.
pub fn strategy_grid(
    game: &Game,
    card: &Card,
    judge: &Rules,
    strategy: &str,
    statistics: &Statistics,
) -> Picture {
    let rules = game.rules().name();
    Picture::new(format!("When each box of {rules} is filled with the strategy {strategy}"))
        .subtitle(EXPLAINED)
        .description(describe(game, card, judge, statistics))
        .provenance(provenance(
            game,
            &format!("{}, {}computed exactly", from_card(card), judged_by(game, judge)),
        ))
        .panel(grid(game, card, judge, statistics).cell_size(36.0, 24.0).with_tips())
}

/// An explanation of the grid for its readers.
pub(super) const EXPLAINED: &str = "Green: the box is scored well in this turn; red: badly. Each row is scaled to its \
largest value. Right: the probability of scoring well.";

/// Names the rules that decide whether a box is scored well, if they are not those of the game.
pub(super) fn judged_by(game: &Game, judge: &Rules) -> String {
    if judge.fingerprint() == game.rules().fingerprint() {
        return String::new();
    }
    format!("scored well by the rules {}, ", judge.name())
}

fn describe(game: &Game, card: &Card, judge: &Rules, statistics: &Statistics) -> String {
    let boxes = card.open_boxes().iter().map(|id| {
        let rule = &game.rules().boxes()[id];
        let cells = statistics.boxes[id].well_and_badly(game, judged(rule, judge));
        let well: f64 = cells.iter().map(|cell| cell[0]).sum();
        format!("{} {:.1} %", rule.name, 100.0 * well)
    });
    format!("The probability of scoring each box well: {}.", boxes.collect::<Vec<_>>().join(", "))
}
