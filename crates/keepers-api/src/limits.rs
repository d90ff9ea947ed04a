//! Upper limits on what a single question may ask for.

/// Upper limits on what a single question may ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Score states of a game given as TOML.
    pub states: usize,
    /// Numbers of opponents in one question about a tournament.
    pub sizes: usize,
    /// Strategies in one question about distributions or measurements.
    pub strategies: usize,
    /// Choices in one outlook.
    pub choices: usize,
    /// Players of one record that are reviewed.
    pub judged: usize,
    /// Records in one comparison.
    pub compared: usize,
    /// Games in one simulation.
    pub simulated: u64,
    /// Games in one match or measurement.
    pub games: u64,
    /// Games in a match that returns its records.
    pub records: u64,
    /// Turns that a player searches ahead in games of two.
    pub depth: u8,
    /// Turns that a player searches ahead in games of more than two.
    pub depth_of_many: u8,
    /// GiB of memory for a duel or a measurement.
    pub memory: u16,
    /// Rounds of an equilibrium.
    pub rounds: u16,
    /// Seconds for exact values against opponents.
    pub seconds: f64,
}

impl Limits {
    /// Limits for a program on the user's own machine, which only typing errors exceed.
    pub const WIDE: Limits = Limits {
        states: usize::MAX,
        sizes: usize::MAX,
        strategies: usize::MAX,
        choices: usize::MAX,
        judged: usize::MAX,
        compared: usize::MAX,
        simulated: 1_000_000_000_000,
        games: 10_000_000,
        records: 10_000_000,
        depth: keepers::internals::players::MAX_DEPTH,
        depth_of_many: keepers::internals::players::MAX_DEPTH,
        memory: u16::MAX,
        rounds: 10_000,
        seconds: 3600.0,
    };

    /// Limits for a server with several users.
    pub const SERVER: Limits = Limits {
        states: 50_000_000,
        sizes: 8,
        strategies: 32,
        choices: 4,
        judged: 32,
        compared: 1000,
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
