// Familiar names of games, boxes and players. The API has them in English; presets and common boxes have one in each
// language, and what somebody made has the name that they gave it.

import type { RulesName, RulesView } from '../api/types'
import { t } from '../lang'

/** A game by its name, with the API's title as a last resort. */
export const gameName = ({ name, title }: { name: string; title: string }): string => t.games[name]?.name ?? title

export const gameAbout = ({ name, summary }: { name: string; summary: string }): string => t.games[name]?.about ?? summary

const POPULAR = ['yahtzee', 'yatzy', 'maxi-yatzy', 'yacht', 'buddies']
const RESEARCH = ['yahtzee-used-joker', 'buddies-published', 'classic']

/** Games in groups: those that people know, house rules, and those of papers. */
export function gameGroups(all: readonly RulesName[]): { title: string; games: RulesName[] }[] {
  const popular = POPULAR.flatMap((name) => all.filter((game) => game.name === name))
  const research = all.filter(({ name }) => RESEARCH.includes(name))
  const others = all.filter((game) => !popular.includes(game) && !research.includes(game))
  return [
    { title: t.gamesPopular, games: popular },
    { title: t.gamesVariants, games: others },
    { title: t.gamesResearch, games: research },
  ].filter(({ games }) => games.length > 0)
}

/** The rules with the names of their boxes, and of the game itself, in the language of the page. */
export function named(view: RulesView): RulesView {
  return {
    ...view,
    title: gameName(view),
    boxes: view.boxes.map((box) => ({ ...box, name: t.boxes[box.name] ?? box.name, description: t.boxTexts[box.description] ?? box.description })),
    extra: view.extra && { ...view.extra, name: t.boxes[view.extra.name] ?? view.extra.name },
  }
}
