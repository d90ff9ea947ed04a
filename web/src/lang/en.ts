// Every text of the page in English. Other languages have the same keys: `Catalogue` says so, and tests/lang.test.ts checks
// that nothing is missing and nothing unused. Texts with numbers are functions, so that each language has its own plurals.

import { type WorkKind, workKind } from './kinds'
import { advise } from './en/advise'
import { explore } from './en/explore'
import { play } from './en/play'
import { progress } from './en/progress'
import { review } from './en/review'
import { rules } from './en/rules'
import { train } from './en/train'
import { training } from './en/training'
import { plural, s } from './en/words'

/** Sentences for the reasons of the API, from their numbers. */
export interface ReasonWords {
  rollingAll: string
  stopping: string
  keeping: (dice: string) => string
  scoring: (box: string, points: number) => string
  onlyChoice: (box: string, onlyOpen: boolean) => string
  /** Either of `fallback` and `givesUp` may be given, or both. */
  playsFor: (boxes: string[], fallback: string | null, givesUp: string | null) => string
  /** `detail` is one of the two below, or empty. */
  costs: (choice: string, best: string | null, loss: string, closeness: string | null, detail: string) => string
  endsLess: (box: string, other: string, best: string) => string
  /** When points are lost: `now` and `later` are sizes, null for nothing; the signs say which way. */
  lostWhen: (now: { size: string; more: boolean } | null, later: { size: string; more: boolean } | null) => string
  equal: (choices: string[], all: boolean) => string
  givesUp: (box: string, points: number, cost: string) => string
  bonusEarned: (points: number) => string
  bonusLost: (needed: number, most: number) => string
  bonusPace: (points: string, sign: number, after: boolean) => string
  target: (target: number, needed: number, boxes: number) => string
}

const WORK: Record<WorkKind, string> = {
  target: 'Preparing target odds, once…',
  distribution: 'Calculating the score distribution…',
  strategy: 'Finding the best strategy…',
  game: 'Solving the game…',
  other: 'Calculating…',
}

export const en = {
  ...advise,
  ...play,
  ...train,
  ...training,
  ...review,
  ...progress,
  ...explore,
  ...rules,

  /** The server's messages in this language, as far as their kind is known. The server writes English. */
  errors: [] as [RegExp, string][],

  // The frame
  pages: { advise: 'Advice', play: 'Play', train: 'Train', review: 'Review', explore: 'Explore', rules: 'Rules' },
  pagesLabel: 'Pages',
  skipToContent: 'Skip to content',
  settings: 'Settings',
  help: 'Help',
  loading: 'Loading…',
  unreachable: 'Can’t reach Keepers. Is it still running in your terminal? Retrying…',
  storageBlocked: 'This browser blocks storage: your game won’t survive a reload.',
  serverAnswered: (status: number) => `Keepers gave an unexpected answer (${status}). Reload the page, and try again.`,
  languageLabel: 'Language',
  followBrowser: (now: string) => `Follow the browser (${now})`,
  theme: 'Theme',
  themes: { system: 'Follow system', light: 'Light', dark: 'Dark' },
  phoneTitle: 'Open on your phone',
  phoneScan: 'Scan this with your phone’s camera. The code contains an access token, so nobody else on the network gets in.',
  phoneCode: 'QR code with the address for your phone',
  phoneStart: 'To use Keepers on a phone on the same network, start it with',
  close: 'Close',
  cancel: 'Cancel',
  done: 'Done',
  delete: 'Delete',
  remove: 'Remove',
  add: 'Add',
  back: 'Back',
  next: 'Next',
  show: 'Show',
  none: 'none',
  undo: 'Undo',
  tryAgain: 'Try again',
  oneMoment: 'One moment…',
  aMoment: 'a moment',
  calculating: 'Calculating…',
  working: (work: string) => WORK[workKind(work)],
  timeLeft: (time: string) => `${time} left`,
  stepLeft: (time: string) => `${time} left for this step`,
  partOf: (at: number, of: number) => `Part ${at} of ${of}: `,
  workDone: (work: string) => `${work} Done.`,
  workCancelled: (work: string) => `${work} Cancelled.`,

  // The engine in the browser, and the data of this browser
  engine: {
    failed: (reason: string) => `The engine in this browser failed (${reason}). Try again; if it happens again, reload the page.`,
    tablesTitle: 'Solved games in this browser',
    tables: (count: number, size: string) => (count === 0 ? 'None yet.' : `${count} table${s(count)}, ${size}. They make the next visit faster.`),
    tablesUnknown: 'This browser keeps none: games are solved again on each visit.',
    clearTables: 'Remove solved games',
    tablesCleared: 'Removed.',
    tablesNotCleared: 'They could not be removed.',
    notOffline: 'The browser could not store this page: it needs the network.',
    update: 'A new version of Keepers is ready.',
    updateNow: 'Update now',
  },
  ownData: {
    title: 'Your data',
    about: 'Games, mistakes, settings and rules are kept in this browser only.',
    export: 'Export to a file',
    import: 'Import a file',
    imported: (count: number) => `Imported ${count} entr${count === 1 ? 'y' : 'ies'}. The page reloads.`,
    notOurs: 'This is not a file exported by Keepers.',
    damaged: 'This file is damaged or incomplete: nothing was changed.',
    notKept: 'This browser has no room for this data: nothing was changed.',
    replaces: 'Importing replaces what this browser has.',
    full: 'The browser’s storage is full: changes are not kept. Export your data, then remove old games.',
    persistent: 'The browser keeps this data until you remove it.',
    temporary: 'The browser may remove this data when space runs short. Export it to be safe.',
  },

  // Help
  keyHelp: 'show help and keyboard shortcuts',
  helpTitle: 'Help & shortcuts',
  purpose: 'Keepers tells you the mathematically best move in Yahtzee, and why.',
  helpLines: [
    'Advice: enter the dice on your table; the best move appears at once. Press Enter to take it, or pick what you did instead.',
    'Play: a game against friends or computer players on this screen.',
    'Train: positions to solve, and a test with a grade.',
    'Review: see what every decision of a game cost you, and how lucky you were.',
    'Explore and Rules: odds for whole games, house rules, and rules of your own.',
  ],
  glossary: 'What the words mean',
  glossaryEntries: [
    ['Expected score', 'The average final score if you play perfectly from here on, over everything the dice can do.'],
    ['Luck', 'How much a roll raised or lowered your expected score. Over many games it averages to zero.'],
    ['Loss', 'How much a decision cost compared with the best one, in points of expected score.'],
    ['Bonus pace', 'Your upper section compared with an equal share of the bonus for every filled box: three of each number in Yahtzee.'],
    ['Goal', 'What you play for: the highest average score, a certain score, or beating the other players.'],
    ['Grade', 'From the average loss per decision: perfect 0, master up to 0.05, expert 0.15, advanced 0.35, intermediate 0.7, casual 1.4 points.'],
  ],
  shortcuts: 'Keyboard shortcuts',
  keyDie: 'enter a die',
  keyChoices: 'move through the options',
  keyTake: 'take the selected option',
  keyToggle: 'keep or release the die in this place',
  keyBoxes: 'move through the boxes; Enter picks one',
  keyScoreIn: (box: string) => `score in ${box}`,
  keyAnswer: 'answer; then go to the next position',

  // Games, boxes
  game: 'Game',
  editedGame: (title: string) => `${title} (edited)`,
  gamesPopular: 'Popular',
  gamesVariants: 'Variants',
  gamesResearch: 'From research papers',
  games: {
    yahtzee: { name: 'Yahtzee', about: 'The official rules: extra Yahtzees pay 100, with the forced joker.' },
    'yahtzee-free-joker': { name: 'Yahtzee, optional joker', about: 'You may use an extra Yahtzee as a joker, but need not.' },
    'yahtzee-used-joker': { name: 'Yahtzee, bonus only if the joker is used', about: 'An extra Yahtzee pays 100 only if it is used as a joker.' },
    'yahtzee-no-joker': { name: 'Yahtzee without jokers', about: 'Extra Yahtzees pay 100, but are not jokers.' },
    buddies: { name: 'Yahtzee with Buddies', about: 'As in the app: extra Yahtzees pay 50, no jokers.' },
    'buddies-published': { name: 'Yahtzee with Buddies, as in Perkins’ paper', about: 'As the paper scored it: Four of a Kind needs five equal dice.' },
    classic: { name: 'Yahtzee without bonuses for extra Yahtzees', about: 'No extra Yahtzees and no jokers.' },
    yatzy: { name: 'Yatzy', about: 'The Scandinavian game: 15 boxes, 50 points for the bonus.' },
    'maxi-yatzy': { name: 'Maxi Yatzy', about: 'Six dice and 20 boxes; saved rolls are not used.' },
    yacht: { name: 'Yacht', about: 'The forerunner of Yahtzee: 12 boxes, no bonus.' },
  } as Record<string, { name: string; about: string }>,
  /** Names of boxes by their English names. */
  boxes: {} as Record<string, string>,
  /** What boxes pay, by the API's English words. */
  boxTexts: {} as Record<string, string>,
  box: 'Box',
  dice: 'Dice',
  die: (place: number, face: string | null, kept: boolean, best: boolean) => (face === null ? `Die ${place}: empty` : `Die ${place}: ${face}${kept ? ', kept' : ''}${best ? ', kept by the best choice' : ''}`),
  kept: 'keep',
  enterDice: 'Enter the dice',
  addDie: (face: string) => `Add a ${face}`,
  removeLastDie: 'Remove the last die',
  clearDice: 'Clear the dice',
  card: 'Card',
  cardOf: (name: string) => `Card of ${name}`,
  upperSection: 'Upper section',
  lowerSection: 'Lower section',
  upperTotal: 'Upper total',
  bonus: 'Bonus',
  upperBonus: 'Upper bonus',
  bonusPace: (ahead: number) => (Math.abs(ahead) < 0.05 ? 'on pace' : `${Number(Math.abs(ahead).toFixed(1))} ${ahead > 0 ? 'ahead of' : 'behind'} pace`),
  extras: (name: string) => `Extra ${plural(name)}`,
  total: 'Total',
  of: (n: number) => `of ${n}`,
  open: 'open',
  scoreBox: (box: string, pays: string, points: number, note?: string) => `Score ${box}: ${pays} point${s(points)}${note ? `, ${note}` : ''}`,
  changeBox: (box: string, points: number | null) => `${box}: ${points ?? 'open'}. Change`,
  changeExtras: (name: string, n: number, points: number) => `${name}: ${n}, ${points} points. Change`,
  notPossible: (typed: string, box: string) => `${typed} is not possible in ${box}.`,
  tapOrType: 'Tap the score, or type it and press Enter.',
  clearBox: 'Clear the box',
  nothing: 'nothing',
  best: 'best',
  pointsOf: (text: string, n: number) => `${text} ${n === 1 ? 'point' : 'points'}`,
  pointsWord: 'points',
  percentagePoints: (text: string) => `${text} percentage points`,
  you: 'You',

  // Charts
  data: 'Data',
  dataOf: (title: string) => `Data of ${title}`,
  someRows: (some: number, all: number) => `${some} of ${all} rows; all are in the CSV`,
  fileOf: (kind: string, title: string) => `${kind} of ${title}`,
  readChart: (title: string) => `Read the chart “${title}”`,
  chartUnread: 'use the arrow keys to read values',

  // Goals
  goal: 'Goal',
  goals: { expected: 'Highest average score', reach: 'Reach a score', win: 'Beat the players at my table', tournament: 'Beat players I can’t see', utility: 'Custom payoff (CSV)' },
  goalAbout: {
    expected: '',
    reach: 'You maximise the probability of at least this score.',
    win: 'Enter each opponent’s card, in turn order after you. You maximise the share of opponents beaten; a tie counts half.',
    tournament: 'They play perfectly for the highest average score, and you can’t see their cards. Ties don’t count as wins.',
    utility: '',
  },
  objectiveNames: {
    expected: (_: number) => 'the highest average score',
    reach: (n: number) => `the best probability of at least ${n}`,
    tournament: (n: number) => (n === 1 ? 'the best probability of beating one opponent' : `the best probability of beating ${n} opponents`),
    utility: (_: number) => 'the best expected payoff',
    win: (_: number) => 'beating the other players at the table',
  },
  valueNames: {
    expected: (_: number) => 'Expected final score',
    reach: (n: number) => `Probability of ${n} or more`,
    tournament: (_: number) => 'Probability of winning',
    utility: (_: number) => 'Expected payoff',
    win: (_: number) => 'Probability of winning',
  },
  columnNames: { expected: 'Expected final', reach: 'Probability', tournament: 'Probability', utility: 'Payoff', win: 'Result' },
  target: 'Target',
  targetSlider: 'Target by slider',
  bestProbability: 'best probability',
  preparingTarget: 'preparing…',
  opponentsNumber: 'Opponents',
  opponent: (n: number) => `Opponent ${n}`,
  removeOpponent: (n: number) => `Remove opponent ${n}`,
  addOpponent: 'Add an opponent',
  pasteAsText: 'Paste as text',
  payoffLabel: 'One score,payoff per line',
  payoffHelp: 'Payoffs in between are interpolated; start with “step” to keep each payoff until the next score.',
  openCsv: 'Open a CSV file',
  useExample: 'Use an example',
  lineColon: (n: number) => `Line ${n}: `,
  line: (n: number) => `Line ${n}`,

  // Reasons: the API writes English
  reasons: null as ReasonWords | null,
}

export type Catalogue = typeof en
