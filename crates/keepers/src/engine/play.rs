//! Engine methods about players: create them, ask them for a decision, and let them play.

use std::slice;
use std::sync::Arc;

use super::Engine;
use super::cache::Key;
use super::error::Error;
use super::goal::{Goal, check_target};
use super::tables::BestByUtility;
use crate::analysis::matches::{MatchRules, Outcome, PlayedGame, play_match};
use crate::analysis::measure::{Experiment, Measured, measure};
use crate::dice::Roll;
use crate::dice::random::RandomStream;
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::game::objective::Objective;
use crate::game::rules::Action;
use crate::players::{
    DuelPlayer, EXACT_TURNS, Evaluation, ExactDuels, Expected, FelldinSood, Greedy, HumanLike, Immediate,
    LookAhead, Player, REMEMBERED_BYTES, Random, Reach, Strategy, TurnContext, Utility,
};
use crate::solve;

impl Engine<'_> {
    /// Creates the strategy of a named player, for matches against others.
    ///
    /// `random`, `greedy` and `felldin-sood` need no table. The first call for any other player solves the table that
    /// it needs: expected scores for `expected`; reach curves ([`Engine::reach`]) for `reach:S`, `emp`, `dyns`, `duel`
    /// and `human-like`; a utility table for `tournament:N`.
    ///
    /// ```
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let expected = engine.player(&game, &"expected".parse()?)?;
    /// let sample = engine.simulate_strategy(&game, expected).games(1_000).run()?;
    /// assert!((sample.mean() - 166.988).abs() < 10.0);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the player is for a utility ([`Engine::solitaire`] creates such players) or for `win`, if the target is out
    /// of reach, if a table is too large, or if the call is cancelled.
    pub fn player(&self, game: &Game, player: &Player) -> Result<Arc<dyn Strategy>, Error> {
        if let Player::For(Objective::Reach(target)) = player {
            check_target(*target, solve::max_points(game, &Card::empty(game)))?;
        }
        self.player_from((&[Card::empty(game), Card::empty(game)], 0), player)
    }

    /// Creates the strategy of a named player for the rest of a game, from the cards of all players on: it must not be asked
    /// about other positions. `mover` is the index of the player. Targets that are out of reach are accepted: all choices are
    /// then equal.
    fn player_from(
        &self,
        (cards, mover): (&[Card], usize),
        player: &Player,
    ) -> Result<Arc<dyn Strategy>, Error> {
        let game = cards[mover].game();
        if let Some(player) = without_tables(game, player) {
            return Ok(player);
        }
        Ok(match player {
            Player::DynS(depth) => self.search((cards, mover), Evaluation::DynS, *depth)?,
            Player::Emp(depth) => self.search((cards, mover), Evaluation::Emp, *depth)?,
            Player::EmpImmediate => Arc::new(Immediate::new(&self.reach_table_from(cards)?)),
            Player::Normal(target) => self.normal_player(&Card::empty(game), *target)?,
            Player::Duel => self.duel_player(cards)?,
            Player::HumanLike(weight) => Arc::new(HumanLike::new(&self.reach_table_from(cards)?, *weight)),
            Player::For(Objective::Reach(target)) => {
                let table = self.reach_table_from(slice::from_ref(&cards[mover]))?;
                Arc::new(Reach { table, target: *target })
            }
            Player::For(objective) => {
                let goal = self.goal(game, objective)?;
                self.solitaire(&Card::empty(game), &goal)?
            }
            Player::Random | Player::Greedy | Player::FelldinSood => {
                unreachable!("players without tables were returned above")
            }
        })
    }

    /// Creates a player that searches the next turns, if the search of a turn from these cards fits into memory.
    fn search(
        &self,
        (cards, mover): (&[Card], usize),
        by: Evaluation,
        depth: u8,
    ) -> Result<Arc<dyn Strategy>, Error> {
        let search = LookAhead::new(&self.reach_table_from(cards)?, by, depth);
        if let [_, _] = cards {
            let [own, rival] = [mover, 1 - mover].map(|player| Standing::of(&cards[player]));
            let bytes = search.bytes_of_turn(&own, &rival, self.observer)?;
            self.check_size(search.game(), "look-ahead search", bytes)?;
        }
        Ok(Arc::new(search))
    }

    /// Creates a player that plays for a target as if the points still to come were normally distributed
    /// ([`Engine::normal_approximation`]).
    fn normal_player(&self, card: &Card, target: u16) -> Result<Arc<dyn Strategy>, Error> {
        check_target(target, solve::max_points(card.game(), card))?;
        Ok(Arc::new(Utility(self.normal_approximation(card, target)?)))
    }

    /// Returns the player `duel`. The positions that it has solved are cached, but not the player itself: it would hold the
    /// curves after the cache has dropped them.
    fn duel_player(&self, cards: &[Card]) -> Result<Arc<dyn Strategy>, Error> {
        let game = cards[0].game();
        let duels = self.get_or_make(
            &Key::ExactDuels(*game.fingerprint()),
            |_| true,
            |engine| {
                let duels = ExactDuels::up_to(game, EXACT_TURNS);
                Ok((Arc::new(duels.with_solutions(engine.shared.solutions.clone())), REMEMBERED_BYTES))
            },
        )?;
        Ok(Arc::new(DuelPlayer::remembering(&self.reach_table_from(cards)?, &duels)))
    }

    /// Creates a strategy that plays alone for a goal, starting from a card.
    ///
    /// The first call for a goal solves a table: expected scores for [`Goal::Score`], a utility table for all others. If
    /// that is too large, targets use the reach curves, which are in single precision, and utilities a stored table.
    ///
    /// # Errors
    /// If the target is out of reach from the card, if a table is too large, or if the call is cancelled.
    pub fn solitaire(&self, card: &Card, goal: &Goal) -> Result<Arc<dyn Strategy>, Error> {
        let game = card.game();
        Ok(match goal.utility(game, card)? {
            None => Arc::new(Expected(self.expected_table(game)?)),
            Some(utility) => match (self.best_by_utility(card, &utility), goal) {
                // Stored reach curves are not limited by memory.
                (Err(Error::TooLarge { .. }), Goal::Target(target)) => {
                    Arc::new(Reach { table: self.reach_for(card, *target)?, target: *target })
                }
                (best, _) => match best? {
                    BestByUtility::Solved(best) => Arc::new(Utility(Arc::clone(&best.table))),
                    BestByUtility::Stored(best) => best,
                },
            },
        })
    }

    /// Creates the strategy of a named player that plays alone, starting from a card. Its cost is that of
    /// [`Engine::solitaire`]; `random`, `greedy` and `felldin-sood` need no table.
    ///
    /// # Errors
    /// If the player needs opponents (`emp`, `dyns`, `duel` and `human-like` do), if it is for a utility
    /// ([`Engine::solitaire`] creates such players), or as [`Engine::solitaire`].
    pub fn solitaire_player(&self, card: &Card, player: &Player) -> Result<Arc<dyn Strategy>, Error> {
        let game = card.game();
        if let Some(player) = without_tables(game, player) {
            return Ok(player);
        }
        if let Player::Normal(target) = player {
            return self.normal_player(card, *target);
        }
        let Player::For(objective) = player else {
            return Err(Error::PlaysAgainstOthers(player.to_string()));
        };
        self.solitaire(card, &self.goal(game, objective)?)
    }

    /// Returns what a player does with a roll. `cards` are the cards of all players in the order of play, and `mover`
    /// is the index of the player to move. Equal arguments, including the seed, give equal decisions.
    ///
    /// The first call for a player solves the tables that it needs ([`Engine::player`]). Reach curves of cards that lead to
    /// few states are solved alone ([`Engine::reach`]).
    ///
    /// # Errors
    /// The same as [`Engine::player`], except that `reach:S` accepts a target that is out of reach. Other objectives also
    /// fail as [`Engine::advise`] does.
    ///
    /// # Panics
    /// If `mover` is not an index of `cards`, or if the player needs opponents (`emp`, `dyns`, `duel` and `human-like`
    /// do) and there are not 2 to 8 cards.
    pub fn choose(
        &self,
        player: &Player,
        (cards, mover): (&[Card], usize),
        (roll, rolls_left): (Roll, u8),
        seed: u64,
    ) -> Result<Action, Error> {
        let game = cards[mover].game();
        let strategy = match player {
            // A running game must be able to continue when the target is out of reach, so `reach:S` is not advised.
            Player::For(objective) if !matches!(objective, Objective::Reach(_)) => {
                let goal = self.goal(game, objective)?;
                let advice = self.advise(&cards[mover], roll, rolls_left, &goal)?;
                return Ok(advice.choices[0].action);
            }
            player => self.player_from((cards, mover), player)?,
        };
        let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
        let mut plan =
            strategy.plan(&TurnContext { game, standings: &standings, mover, observer: self.observer })?;
        // Each decision has its own random stream, derived from the position, so that it does not depend on the calls
        // made before.
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        let moment = format!("{mover} {roll} {rolls_left} {}", texts.join(";"));
        let stream = blake3::hash(moment.as_bytes());
        let stream = u64::from_le_bytes(*stream.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        let mut random = RandomStream::new(seed, stream);
        Ok(match rolls_left {
            0 => Action::Score(plan.enter(roll, &mut random)),
            left => Action::Keep(plan.keep(roll, left, &mut random)),
        })
    }

    /// Plays a match and returns the outcome of each player. `watch` receives every game with its number, in any order
    /// and from any thread.
    ///
    /// ```
    /// use keepers::answers::MatchRules;
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let players = [engine.player(&game, &"expected".parse()?)?, engine.player(&game, &"greedy".parse()?)?];
    /// let rules = MatchRules { games: 100, seed: 1, same_dice: true };
    /// let outcomes = engine.play_match(&game, &players, rules, &|_, _| ())?;
    /// assert!(outcomes[0].wins > outcomes[1].wins);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the call is cancelled, or if an allocation fails.
    ///
    /// # Panics
    /// If a player needs opponents and there are not 2 to 8 players.
    pub fn play_match(
        &self,
        game: &Game,
        players: &[Arc<dyn Strategy>],
        rules: MatchRules,
        watch: &(dyn Fn(u64, &PlayedGame) + Sync),
    ) -> Result<Vec<Outcome>, Error> {
        let _reserved = self.reserve(0)?;
        let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
        Ok(play_match(game, &players, rules, &self.work("playing games"), watch)?)
    }

    /// Measures the mean loss of each player's decisions against exact play, in the last turns of games of two. Element
    /// `[n - 1][p]` is for player `p` in positions with `n` open boxes on both cards together.
    ///
    /// The first call for a game solves its reach curves ([`Engine::reach`]).
    ///
    /// # Errors
    /// If a table is too large, or if the call is cancelled.
    pub fn measure(
        &self,
        game: &Game,
        players: &[Arc<dyn Strategy>],
        experiment: Experiment,
    ) -> Result<Vec<Vec<Measured>>, Error> {
        let reach = self.reach_table(game)?;
        let memory = experiment.memory.min(self.shared.budget.bytes());
        let _reserved = self.reserve(memory)?;
        let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
        let experiment = Experiment { memory, ..experiment };
        let solutions = self.shared.solutions.as_deref();
        Ok(measure(&reach, &players, experiment, solutions, &self.work("judging games"))?)
    }
}

/// Creates a player that needs no table. Returns `None` for all others.
fn without_tables(game: &Game, player: &Player) -> Option<Arc<dyn Strategy>> {
    Some(match player {
        Player::Random => Arc::new(Random),
        Player::Greedy => Arc::new(Greedy),
        Player::FelldinSood => Arc::new(FelldinSood::new(game)),
        _ => return None,
    })
}
