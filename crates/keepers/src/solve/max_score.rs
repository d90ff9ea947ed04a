//! The most points that a card can end with.
//!
//! More points in a box never lead to fewer in the end: the same boxes stay open, the upper bonus is no further away, and
//! a Yahtzee box that holds points is worth no less than one that holds none. So of all entries into a box only those
//! count that no other one beats in points and in extra bonus, and few upper totals are left of each set of filled boxes.
//! Without a rule for further Yahtzees it does not even matter in which order boxes are filled.

use std::collections::HashMap;

use crate::game::Game;
use crate::game::card::Card;
use crate::game::card::Standing;
use crate::game::rules::{ByBox, Entry, Filled};

/// The most points that a card can end with, what is on it included.
///
/// ```
/// use keepers::{Card, Game, Rules};
/// use keepers::internals::solve;
/// let game = Game::new(Rules::preset("yahtzee").unwrap());
/// assert_eq!(solve::max_points(&game, &Card::empty(&game)), 1575);
/// ```
pub fn max_points(game: &Game, card: &Card) -> u16 {
    let mut search = Search { game, natural: natural(game), known: HashMap::new() };
    let mut at = Standing::of(card);
    if game.rules().extra().is_none() {
        let entries = search.entries(at.filled);
        entries.into_iter().for_each(|entry| at = at.after(game, entry));
        return at.total;
    }
    at.total + search.most_from(&at)
}

/// What each box pays at most, by any roll and by one whose dice are not all equal.
fn natural(game: &Game) -> ByBox<(u16, u16)> {
    let lattice = game.lattice();
    let equal: Vec<bool> = lattice.rolls().map(|roll| lattice.keeps()[roll].all_equal().is_some()).collect();
    let most = |scores: &crate::game::BoxScores| {
        let paid = scores.of_roll.iter().map(|&place| scores.amounts[usize::from(place)]);
        let others = paid.clone().zip(&equal).filter(|(_, equal)| !**equal).map(|(points, _)| points);
        (paid.max().unwrap_or(0), others.max().unwrap_or(0))
    };
    game.scores().values().iter().map(most).collect()
}

struct Search<'g> {
    game: &'g Game,
    natural: ByBox<(u16, u16)>,
    known: HashMap<(Filled, u16), u16>,
}

impl Search<'_> {
    fn most_from(&mut self, at: &Standing) -> u16 {
        let key = (at.filled, at.upper_total);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut most = 0;
        for entry in self.entries(at.filled) {
            let next = at.after(self.game, entry);
            most = most.max(next.total - at.total + self.most_from(&next));
        }
        self.known.insert(key, most);
        most
    }

    /// The entries that no other one into the same box beats.
    fn entries(&self, filled: Filled) -> Vec<Entry> {
        let rules = self.game.rules();
        let special = rules.extra_yahtzees_apply(filled);
        let open = rules.all_boxes().minus(filled.boxes);
        let plain = open.iter().map(|into| {
            let (any, unequal) = self.natural[into];
            Entry { into, points: if special { unequal } else { any }, extra: 0 }
        });
        let mut entries: Vec<Entry> = plain.collect();
        self.game.extra_yahtzee_entries(filled, |_, entry| entries.push(entry));
        let beats = |a: &Entry, b: &Entry| {
            a.into == b.into
                && a.points >= b.points
                && a.extra >= b.extra
                && (a.points, a.extra) != (b.points, b.extra)
        };
        let unbeaten = |entry: &&Entry| !entries.iter().any(|other| beats(other, entry));
        let mut left: Vec<Entry> = entries.iter().filter(unbeaten).copied().collect();
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

    /// Cards of random games, held against the walk over all states.
    fn check(rules: Rules, games: u64) {
        let game = Game::new(rules);
        let bounds = crate::solve::reach::bounds(&game, &crate::work::Work::silent()).unwrap();
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
                    // Jokers and extras are rare otherwise.
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
