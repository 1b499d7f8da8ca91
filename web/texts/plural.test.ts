// "1 Tage" is a fault of every count that has one text only. A plural noun behind its number has a second text, or is
// not counted in that text: "Zeilen: 1".
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSourceTexts } from './source-texts.ts'

const { files } = findSourceTexts()

/** Nouns that are counted, and as one. */
const NOUNS: Readonly<Record<string, string>> = {
  Bestände: 'Bestand',
  Belege: 'Beleg',
  Eingangsrechnungen: 'Eingangsrechnung',
  Einträge: 'Eintrag',
  Entwürfe: 'Entwurf',
  Forstbetriebe: 'Forstbetrieb',
  Gitterkreuze: 'Gitterkreuz',
  Jahre: 'Jahr',
  Kontrollen: 'Kontrolle',
  Objekte: 'Objekt',
  Personen: 'Person',
  Pläne: 'Plan',
  Punkte: 'Punkt',
  Tage: 'Tag',
  Tagen: 'Tag',
  Umsätze: 'Umsatz',
  Zeilen: 'Zeile',
}
/** Said of larger numbers only, or a rate, as of a discount. */
const NEVER_ONE: readonly RegExp[] = [
  /^Höchstens|^Mehr als|^Das sind mehr als|^Gezeigt werden|höchstens \{n\}|ersten \{n\}|^über \{n\} Jahre/,
  /\{tage\} Tage \{prozent\} %/,
  /^\{n\} (?:Objekte an dieser Stelle|neue Pläne|Pläne anlegen|Punkte, \{length\}|Tage alt, bitte aktualisieren)$/,
  /^Bitte 2 bis \{n\} /,
  /^Die Frist für die Markierung endet in \{n\} Tagen/,
  /^Die Datei hat \{zeilen\} Zeilen, auf einmal gehen/,
]

/** Nouns of figures: the number is above the text and not in it. */
const FIGURES: Readonly<Record<string, string>> = {
  ...NOUNS,
  Abos: 'Abo',
  Angebote: 'Angebot',
  Bankumsätze: 'Bankumsatz',
  Habitatbäume: 'Habitatbaum',
  Karten: 'Karte',
  Kunden: 'Kunde',
  Mahnungen: 'Mahnung',
  Rechnungen: 'Rechnung',
  Rückfragen: 'Rückfrage',
}

/** Headings and buttons beside figures. */
const NOT_COUNTED = /^Pläne (?:öffnen|nach |des Kunden)/

const hasFigures = (file: string): boolean =>
  readFileSync(join(import.meta.dirname, '../..', file), 'utf8').includes('ui/Figures.tsx')

test('a figure that says what is to be done with so many says it of one as well', () => {
  const lonely = Object.entries(FIGURES).flatMap(([many, one]) => {
    // A noun alone is a heading: "Kunden 1". With more it is a sentence: "Rechnungen überfällig".
    const plural = new RegExp(`^(?:[a-zäöü]+ )?${many} [a-zäöüß]`, 'u')
    const single = new RegExp(`^(?:[a-zäöü]+ )?${one} [a-zäöüß]`, 'u')
    const saidOfOne = new Set([...files].flatMap(([text, at]) => (single.test(text) ? at : [])))
    return [...files].flatMap(([text, at]) =>
      plural.test(text) && !text.includes('{') && !NOT_COUNTED.test(text)
        ? at.filter((file) => hasFigures(file) && !saidOfOne.has(file)).map((file) => `${file}: ${text}`)
        : [],
    )
  })
  expect(lonely).toEqual([])
})

test('what is counted with a plural is said of one as well, in the same file', () => {
  expect(files.size).toBeGreaterThan(5000)
  const lonely = Object.entries(NOUNS).flatMap(([many, one]) => {
    const plural = new RegExp(`\\{(?:n|tage|zeilen)\\} (?:[a-zäöü]+ )?${many}(?![a-zäöüß])`, 'u')
    const single = new RegExp(
      `(?:^|[( ])(?:1|eine[rnms]?|[Ee]in|ersetzen den) (?:[a-zäöü]+ )?${one}(?![a-zäöüß])`,
      'iu',
    )
    const saidOfOne = new Set([...files].flatMap(([text, at]) => (single.test(text) ? at : [])))
    return [...files].flatMap(([text, at]) =>
      plural.test(text) && !NEVER_ONE.some((never) => never.test(text))
        ? at.filter((file) => !saidOfOne.has(file)).map((file) => `${file}: ${text}`)
        : [],
    )
  })
  expect(lonely).toEqual([])
})
