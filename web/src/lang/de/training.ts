// Texte zu Themen, Arten von Fehlern, dem Tag und den Lektionen auf Deutsch.

import type { training as english } from '../en/training'
import { liste, wuerfe } from './words'

export const training: typeof english = {
  practice: 'Stellungen',
  today: 'Heute',
  lessons: 'Lektionen',

  trainTheme: 'Thema',
  anyTheme: 'Alles',
  themeNames: { bonus: 'Der Bonus oben', straights: 'Straßen', 'first-turns': 'Die ersten Runden', 'last-turns': 'Die letzten Runden' },
  themeYahtzee: (name) => `${name} und Joker`,
  themeAllEqual: 'Alle Würfel gleich',
  mistakeKind: 'Art',
  kindKeep: (roll) => `Gehaltene Würfel nach dem ${roll}. Wurf`,
  kindScore: 'Wahl des Feldes',
  mistakesByKind: 'Deine Fehler nach Art',
  mistakesByKindAbout: (games) => `Sieh, was dich in ${games === 1 ? 'deinem gespeicherten Spiel' : `deinen ${games} gespeicherten Spielen`} am meisten kostet, und übe genau das.`,
  findMistakes: 'Meine Fehler suchen',
  byDecision: 'Nach Entscheidung',
  byTheme: 'Nach Thema',
  mistakesCount: (n) => `${n} Fehler`,
  trainIt: 'Üben',
  trainKind: (kind) => `Üben: ${kind}`,
  trainThese: 'Diese Fehler üben',

  todayLead: (game, day) => `${game}, ${day}. Alle bekommen dieselbe Stellung und dieselben Würfel.`,
  dailyPosition: 'Stellung des Tages',
  dailyPositionAbout: 'Eine Entscheidung. Deine erste Antwort zählt.',
  showPosition: 'Stellung zeigen',
  dailyDone: 'Morgen gibt es die nächste.',
  dailyVerdict: (kind, lost, rank, of) => (kind === 'best' ? 'Den besten Zug gefunden' : kind === 'near' ? `So gut wie der beste Zug: nur ${lost} dahinter` : `${lost} verloren (Möglichkeit ${rank} von ${of})`),
  dailyShare: (game, day) => `Keepers, ${game}, Stellung vom ${day}`,
  dailyGame: 'Spiel des Tages',
  dailyGameAbout: 'Ein ganzes Spiel mit den Würfeln von heute. Kopiere am Ende dein Ergebnis und vergleiche es mit deinen Freunden.',
  playToday: 'Das heutige Spiel spielen',

  lessonsLead: (game) => `Kurze Lektionen für ${game}. Jede Zahl und jedes Beispiel ist für genau diese Regeln berechnet; wähle oben ein anderes Spiel, und sie ändern sich.`,
  lessonBoxes: 'Welches Feld du opfern kannst',
  lessonBoxesText: (start, cheap, cheapCost, dear, dearCost) =>
    `Perfektes Spiel bringt im Schnitt ${start} Punkte. Wenn eine Runde misslingt, bekommt ein Feld seine niedrigste Punktzahl, meist null. Am Anfang des Spiels kostet das bei ${cheap} ${cheapCost} Punkte, verglichen mit einer durchschnittlichen Runde, und bei ${dear} ${dearCost}. Merk dir also die billigen Felder und fülle sie, wenn die Würfel nicht wollen.`,
  lessonBoxesTable: 'Was die niedrigste Punktzahl in jedem Feld eines leeren Blocks kostet, das billigste zuerst',
  lessonTexts: {
    bonus: () => 'Der Bonus wird Zahl für Zahl gewonnen. Was bei einer hohen Zahl fehlt, ist schwer aufzuholen, bei einer niedrigen leicht: Sammle also zuerst die hohen Zahlen und achte auf dein Bonus-Soll.',
    straights: () => 'Eine Straße braucht verschiedene Würfel, alle anderen Felder mögen gleiche. Deshalb musst du dich bei den meisten Würfen früh entscheiden: Halte eine Folge, die an beiden Enden offen ist, und gib ein Paar nur dann dafür her, wenn sich die Straße noch lohnt.',
    yahtzee: (name) => `${name}: Dieses Feld bringt viel, aber selten. Meist fällt es nebenbei ab, denn gleiche Würfel hältst du für die anderen Felder ohnehin. Gut überlegen musst du, wann du aufhörst, wann du das Feld streichst und wohin weitere gehören.`,
    'first-turns': () => 'Am Anfang sind alle Felder offen. Halte Würfel, die zu mehreren Feldern passen, und lass die Würfe entscheiden, welches es wird. Wird nichts daraus, trägst du die Runde in einem billigen Feld ein.',
    'last-turns': () => 'Am Ende sind nur wenige Felder übrig, und die Würfel müssen zu ihnen passen. Rechne jetzt: Was braucht jedes offene Feld noch, und was bleibt, wenn es misslingt?',
  },
  lessonExamples: 'Beispiele',
  emptyCardSaid: 'Der Block ist leer.',
  openBoxes: (boxes) => `Offen: ${liste(boxes, 'und')}.`,
  rollsLeftSaid: (n) => (n === 0 ? 'Kein Wurf mehr.' : `Noch ${wuerfe(n)}.`),
  tryYourself: 'Selbst versuchen',
}
