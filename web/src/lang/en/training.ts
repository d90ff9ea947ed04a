// Texts of themes, kinds of mistakes, the day and the lessons in English.

import { list, s } from './words'

const nth = (n: number) => ['first', 'second', 'third'][n - 1] ?? `${n}th`

export const training = {
  practice: 'Practice',
  today: 'Today',
  lessons: 'Lessons',

  // Themes and kinds of mistakes
  trainTheme: 'Theme',
  anyTheme: 'Anything',
  themeNames: { bonus: 'The upper bonus', straights: 'Straights', 'first-turns': 'The first turns', 'last-turns': 'The last turns' },
  themeYahtzee: (name: string) => `${name} and jokers`,
  themeAllEqual: 'All dice equal',
  mistakeKind: 'Kind',
  kindKeep: (roll: number) => `Dice kept after the ${nth(roll)} roll`,
  kindScore: 'Choice of the box',
  mistakesByKind: 'Your mistakes by kind',
  mistakesByKindAbout: (games: number) => `See what costs you most in your ${games} saved game${s(games)}, and train exactly that.`,
  findMistakes: 'Find my mistakes',
  byDecision: 'By decision',
  byTheme: 'By theme',
  mistakesCount: (n: number) => `${n} mistake${s(n)}`,
  trainIt: 'Train',
  trainKind: (kind: string) => `Train: ${kind}`,
  trainThese: 'Train on these mistakes',

  // Today
  todayLead: (game: string, day: string) => `${game}, ${day}. Everyone gets the same position and the same dice.`,
  dailyPosition: 'Position of the day',
  dailyPositionAbout: 'One decision. Your first answer counts.',
  showPosition: 'Show the position',
  dailyDone: 'Come back tomorrow for the next one.',
  dailyVerdict: (kind: 'best' | 'near' | 'mistake', lost: string, rank: number, of: number) =>
    kind === 'best' ? 'Found the best choice' : kind === 'near' ? `As good as the best: only ${lost} behind` : `Lost ${lost} (choice ${rank} of ${of})`,
  dailyShare: (game: string, day: string) => `Keepers, ${game}, position of ${day}`,
  dailyGame: 'Game of the day',
  dailyGameAbout: 'A whole game with today’s dice. At the end, copy your result and compare it with your friends.',
  playToday: 'Play today’s game',

  // Lessons
  lessonsLead: (game: string) => `Short lessons for ${game}. Every number and every example is calculated for exactly these rules; choose another game at the top, and they change.`,
  lessonBoxes: 'Which box to give up',
  lessonBoxesText: (start: string, cheap: string, cheapCost: string, dear: string, dearCost: string) =>
    `Perfect play scores ${start} points on average. When a turn fails, some box must take its lowest score, usually zero. At the start of the game, that costs ${cheapCost} points in ${cheap}, compared with an average turn, and ${dearCost} in ${dear}. So know your cheap boxes, and fill them when the dice fail.`,
  lessonBoxesTable: 'What its lowest score costs in each box of an empty card, the cheapest first',
  lessonTexts: {
    bonus: () => 'The upper bonus is won face by face. A high face that falls short is hard to make up for, a low one is not: so collect the high faces first, and watch your bonus pace.',
    straights: () => 'A straight needs different dice, all other boxes like equal ones. So most rolls ask you to choose one of the two plans early: keep a run that is open at both ends, and drop a pair for it only if the straight is still worth it.',
    yahtzee: (name: string) => `${name}: this box pays a lot, but rarely. It is usually a by-product, since you keep equal dice for the other boxes anyway. What needs care is when to stop, when to use the box for a zero, and where extra ones go.`,
    'first-turns': () => 'Early in the game every box is open. Keep dice that suit several boxes, and let the rolls decide which one it will be. If nothing comes of it, one of your cheap boxes takes the turn.',
    'last-turns': () => 'Late in the game only a few boxes are left, and the dice must fit them. Now count: what does each open box still need, and what is left if it fails?',
  } as Record<'bonus' | 'straights' | 'yahtzee' | 'first-turns' | 'last-turns', (name: string) => string>,
  lessonExamples: 'Examples',
  emptyCardSaid: 'The card is empty.',
  openBoxes: (boxes: string[]) => `Open: ${list(boxes, 'and')}.`,
  rollsLeftSaid: (n: number) => (n === 0 ? 'No rolls left.' : `${n} roll${s(n)} left.`),
  tryYourself: 'Try it yourself',
}
