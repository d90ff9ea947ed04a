//! How much a single question may ask for.

/// How much a single question may ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Score states of a game.
    pub states: usize,
    /// Sizes of a tournament in one question.
    pub sizes: usize,
    /// Strategies of a distribution, or of a measurement, in one question.
    pub strategies: usize,
    /// Choices of an outlook.
    pub choices: usize,
    /// Players of a record that are judged.
    pub judged: usize,
    /// Games that are simulated.
    pub simulated: u64,
    /// Games of a match, or of a measurement.
    pub games: u64,
    /// Records of a match that are returned.
    pub records: u64,
    /// Turns that a player searches ahead in games of two.
    pub depth: u8,
    /// Turns that a player searches ahead in games of more than two.
    pub depth_of_many: u8,
    /// GiB of memory that a duel or a measurement may ask for.
    pub memory: u16,
    /// Rounds of an equilibrium.
    pub rounds: u16,
    /// Seconds that exact values against others may take.
    pub seconds: f64,
}

impl Limits {
    /// What a program on one's own machine may be asked for: only typing errors exceed it.
    pub const WIDE: Limits = Limits {
        states: usize::MAX,
        sizes: usize::MAX,
        strategies: usize::MAX,
        choices: usize::MAX,
        judged: usize::MAX,
        simulated: 1_000_000_000_000,
        games: 10_000_000,
        records: 10_000_000,
        depth: keepers::internals::players::MAX_DEPTH,
        depth_of_many: keepers::internals::players::MAX_DEPTH,
        memory: u16::MAX,
        rounds: 10_000,
        seconds: 3600.0,
    };

    /// What a server can do for several users.
    pub const SERVER: Limits = Limits {
        states: 50_000_000,
        sizes: 8,
        strategies: 32,
        choices: 4,
        judged: 32,
        simulated: 100_000_000,
        games: 100_000,
        records: 100,
        depth: 2,
        depth_of_many: 1,
        memory: 8,
        rounds: 100,
        seconds: 60.0,
    };
}
