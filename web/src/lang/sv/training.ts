// Texter om teman, sorters misstag, dagen och lektionerna på svenska.

import type { training as english } from '../en/training'
import { kast, lista } from './words'

const ordning = (n: number) => ['första', 'andra', 'tredje'][n - 1] ?? `${n}:e`

export const training: typeof english = {
  practice: 'Ställningar',
  today: 'I dag',
  lessons: 'Lektioner',

  trainTheme: 'Tema',
  anyTheme: 'Allt',
  themeNames: { bonus: 'Bonusen', straights: 'Stegar', 'first-turns': 'De första omgångarna', 'last-turns': 'De sista omgångarna' },
  themeYahtzee: (name) => `${name} och jokrar`,
  themeAllEqual: 'Alla tärningar lika',
  mistakeKind: 'Typ',
  kindKeep: (roll) => `Sparade tärningar efter ${ordning(roll)} kastet`,
  kindScore: 'Val av ruta',
  mistakesByKind: 'Dina misstag efter typ',
  mistakesByKindAbout: (games) => `Se vad som kostar dig mest i ${games === 1 ? 'ditt sparade spel' : `dina ${games} sparade spel`}, och öva just det.`,
  findMistakes: 'Hitta mina misstag',
  byDecision: 'Efter beslut',
  byTheme: 'Efter tema',
  mistakesCount: (n) => `${n} misstag`,
  trainIt: 'Öva',
  trainKind: (kind) => `Öva: ${kind}`,
  trainThese: 'Öva på de här misstagen',

  todayLead: (game, day) => `${game}, ${day}. Alla får samma ställning och samma tärningar.`,
  dailyPosition: 'Dagens ställning',
  dailyPositionAbout: 'Ett beslut. Ditt första svar räknas.',
  showPosition: 'Visa ställningen',
  dailyDone: 'I morgon kommer nästa.',
  dailyVerdict: (kind, lost, rank, of) => (kind === 'best' ? 'Hittade bästa draget' : kind === 'near' ? `Lika bra som bästa draget: bara ${lost} efter` : `Förlorade ${lost} (alternativ ${rank} av ${of})`),
  dailyShare: (game, day) => `Keepers, ${game}, ställningen den ${day}`,
  dailyGame: 'Dagens spel',
  dailyGameAbout: 'Ett helt spel med dagens tärningar. Kopiera ditt resultat i slutet och jämför det med dina vänner.',
  playToday: 'Spela dagens spel',

  lessonsLead: (game) => `Korta lektioner för ${game}. Varje tal och varje exempel är beräknat för just de här reglerna; välj ett annat spel högst upp, så ändras de.`,
  lessonBoxes: 'Vilken ruta du kan offra',
  lessonBoxesText: (start, cheap, cheapCost, dear, dearCost) =>
    `Perfekt spel ger i snitt ${start} poäng. När en omgång misslyckas får en ruta sin lägsta poäng, oftast noll. I början av spelet kostar det ${cheapCost} poäng på ${cheap}, jämfört med en genomsnittlig omgång, och ${dearCost} på ${dear}. Lär dig alltså de billiga rutorna och fyll dem när tärningarna inte vill.`,
  lessonBoxesTable: 'Vad den lägsta poängen kostar i varje ruta i ett tomt protokoll, den billigaste först',
  lessonTexts: {
    bonus: () => 'Bonusen vinns siffra för siffra. Det som fattas i en hög siffra är svårt att ta igen, i en låg är det lätt: samla alltså de höga siffrorna först och håll koll på bonustakten.',
    straights: () => 'En stege behöver olika tärningar, alla andra rutor vill ha lika. Därför måste du ofta välja tidigt: spara en följd som är öppen i båda ändar, och släpp ett par för den bara om stegen fortfarande lönar sig.',
    yahtzee: (name) => `${name}: den här rutan ger mycket men sällan. Oftast kommer den på köpet, eftersom du ändå sparar lika tärningar för de andra rutorna. Tänk efter när du ska sluta, när du ska stryka rutan och var extra ska skrivas.`,
    'first-turns': () => 'I början är alla rutor öppna. Spara tärningar som passar flera rutor, och låt kasten avgöra vilken det blir. Blir det ingenting, får en av de billiga rutorna ta omgången.',
    'last-turns': () => 'I slutet finns bara några rutor kvar, och tärningarna måste passa dem. Räkna nu: vad behöver varje öppen ruta, och vad återstår om det misslyckas?',
  },
  lessonExamples: 'Exempel',
  emptyCardSaid: 'Protokollet är tomt.',
  openBoxes: (boxes) => `Öppna: ${lista(boxes, 'och')}.`,
  rollsLeftSaid: (n) => (n === 0 ? 'Inga kast kvar.' : `${kast(n)} kvar.`),
  tryYourself: 'Försök själv',
}
