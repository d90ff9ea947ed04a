//! The most points that a card can end with: `M(x) = max over entries e of paid(e) + M(x·e)`, over all rolls. Exact
//! integers; there are no lanes.
//!
//! More points in a box never lead to fewer points in the end: the same boxes stay open, the upper bonus is no further
//! away, and a Yahtzee box with points allows at least what one with zero allows. It is therefore enough to consider
//! entries that no other entry into the same box dominates in points and in extra bonus, which leaves few upper totals
//! per set of filled boxes. Without a rule for extra Yahtzees, the order in which boxes are filled does not matter
//! either, and one pass over the open boxes is enough.

use std::collections::HashMap;

use crate::game::Game;
use crate::game::card::Card;
use crate::game::card::Standing;
use crate::game::rules::{ByBox, Entry, Filled};

/// Returns the most points that a card can end with, including those that it has.
///
/// ```
/// use keepers::{Card, Game, Rules};
/// use keepers::internals::solve;
/// let game = Game::new(Rules::preset("yahtzee").unwrap());
/// assert_eq!(solve::max_points(&game, &Card::empty(&game)), 1575);
/// ```
pub fn max_points(game: &Game, card: &Card) -> u16 {
    let mut search = Search { game, most_paid: most_paid(game), memo: HashMap::new() };
    let mut at = Standing::of(card);
    if game.rules().extra().is_none() {
        let entries = search.entries(at.filled);
        entries.into_iter().for_each(|entry| at = at.after(game, entry));
        return at.total;
    }
    at.total + search.most_from(&at)
}

/// Returns the most points that each box pays: for any roll, and for rolls whose dice are not all equal.
fn most_paid(game: &Game) -> ByBox<(u16, u16)> {
    let lattice = game.lattice();
    let equal: Vec<bool> = lattice.rolls().map(|roll| lattice.keeps()[roll].all_equal().is_some()).collect();
    let most = |scores: &crate::game::BoxScores| {
        let paid = scores.of_roll.iter().map(|&index| scores.amounts[usize::from(index)]);
        let others = paid.clone().zip(&equal).filter(|(_, equal)| !**equal).map(|(points, _)| points);
        (paid.max().unwrap_or(0), others.max().unwrap_or(0))
    };
    game.scores().values().iter().map(most).collect()
}

struct Search<'g> {
    game: &'g Game,
    most_paid: ByBox<(u16, u16)>,
    memo: HashMap<(Filled, u16), u16>,
}

impl Search<'_> {
    fn most_from(&mut self, at: &Standing) -> u16 {
        let key = (at.filled, at.upper_total);
        if let Some(&most) = self.memo.get(&key) {
            return most;
        }
        let mut most = 0;
        for entry in self.entries(at.filled) {
            let next = at.after(self.game, entry);
            most = most.max(next.total - at.total + self.most_from(&next));
        }
        self.memo.insert(key, most);
        most
    }

    /// Returns the entries that no other entry into the same box dominates.
    fn entries(&self, filled: Filled) -> Vec<Entry> {
        let rules = self.game.rules();
        let extra_yahtzees = rules.extra_yahtzees_apply(filled);
        let open = rules.all_boxes().minus(filled.boxes);
        let plain = open.iter().map(|into| {
            let (any, unequal) = self.most_paid[into];
            Entry { into, points: if extra_yahtzees { unequal } else { any }, extra: 0 }
        });
        let mut entries: Vec<Entry> = plain.collect();
        self.game.extra_yahtzee_entries(filled, |_, entry| entries.push(entry));
        let dominates = |a: &Entry, b: &Entry| {
            a.into == b.into
                && a.points >= b.points
                && a.extra >= b.extra
                && (a.points, a.extra) != (b.points, b.extra)
        };
        let undominated = |entry: &&Entry| !entries.iter().any(|other| dominates(other, entry));
        let mut left: Vec<Entry> = entries.iter().filter(undominated).copied().collect();
        left.sort_by_key(|entry| (entry.into, entry.points));
        left.dedup();
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::random::{RandomStream, RerollTable};
    use crate::game::rules::{PRESETS, Rules};

    /// Compares `max_points` with the bounds of the reach solver, which visits all states, on the cards of random
    /// games.
    fn check(rules: Rules, games: u64) {
        let game = Game::new(rules);
        let bounds = crate::solve::reach::bounds(
            &game,
            &crate::solve::ReachableStates::all(),
            &crate::work::Work::silent(),
        )
        .unwrap();
        let throws = RerollTable::new(game.lattice());
        for seed in 0..games {
            let mut random = RandomStream::new(seed, 0);
            let mut card = Card::empty(&game);
            loop {
                let state = game.space().index(card.filled(), card.upper_total()).unwrap();
                let most = card.total() + bounds[state].1 as u16;
                assert_eq!(max_points(&game, &card), most, "{}: {card}", game.rules().name());
                if card.is_finished() {
                    break;
                }
                let all_equal = random.below(4) == 0;
                let roll = match all_equal {
                    // Jokers and extra bonuses would be rare otherwise.
                    true => game.lattice().all_equal(
                        crate::dice::Face::new(1 + random.below(game.rules().faces().into()) as u8).unwrap(),
                    ),
                    false => throws.throw(0, &mut random).into(),
                };
                let entries = card.entries(&game.lattice().keeps()[roll]);
                card = card.with(entries[random.below(entries.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn the_most_points_are_those_of_the_walk_over_all_states() {
        for preset in PRESETS.iter().filter(|preset| preset.name != "maxi-yatzy") {
            check(Rules::preset(preset.name).unwrap(), 8);
        }
    }

    #[test]
    fn toys_have_the_same_most_points_too() {
        let boxes = "[[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n[[box]]\nid = \"2\"\npattern = \"face\"\nface = 2\n\
                     [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [2]\npays = 5\n[[box]]\nid = \"s\"\npattern = \"straight\"\n\
                     length = 2\npays = 9\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";
        for joker in ["none", "forced", "free", "used"] {
            for (extra, threshold) in [(0, 6), (1, 5), (7, 4), (20, 6)] {
                let rules = format!(
                    "dice = 2\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = {threshold}\npoints = 4\n\
                     [extra]\nbox = \"y\"\npoints = {extra}\njoker = \"{joker}\"\n{boxes}"
                );
                check(Rules::from_toml(&rules).unwrap(), 40);
            }
        }
    }
}
