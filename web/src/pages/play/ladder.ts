// Computer players by their strength, each with a name. What they lose and how often they win was measured in Yahtzee:
// `keepers match --players PLAYER,expected --games N --seed 1`; the loss is 254.59 (the mean of perfect play) minus the mean.

export interface Rung {
  /** As the API names the player. */
  player: string
  /** The kind in the API's list. */
  kind: string
  name: string
  /** Points a game behind perfect play, and the share of games won against it; null for perfect play itself. */
  loss: number | null
  wins: number | null
  games: number
}

/** The weakest first. */
export const LADDER: Rung[] = [
  { player: 'random', kind: 'random', name: 'Rory', loss: 208.5, wins: 0, games: 20_000 },
  { player: 'greedy', kind: 'greedy', name: 'Greta', loss: 37.1, wins: 0.2736, games: 20_000 },
  { player: 'human-like:100', kind: 'human-like', name: 'Hugo', loss: 70.4, wins: 0.324, games: 1000 },
  { player: 'felldin-sood', kind: 'felldin-sood', name: 'Felix', loss: 24.8, wins: 0.3443, games: 20_000 },
  { player: 'expected', kind: 'expected', name: 'Ada', loss: 0, wins: null, games: 0 },
  { player: 'emp:1', kind: 'emp', name: 'Emma', loss: 14.3, wins: 0.527, games: 1000 },
]

/** Who sits down when any computer player will do: Greta first, then whoever is not at the table yet. */
export const nextRung = (seated: readonly (string | null)[]): Rung =>
  [...LADDER.slice(1), LADDER[0]!].find(({ player }) => !seated.includes(player)) ?? LADDER[1]!

export const rungOf = (kind: string): Rung | undefined => LADDER.find((rung) => rung.kind === kind)
