// Which characters the documents can print, that is, which ones the font of the letter has. Checked while a
// text is typed and before a number is taken, because PDF/A refuses a file with a character that has no
// glyph.
import type { Beleg, BelegPosition } from './beleg.ts'
import { setText } from './typeset-text.ts'

/**
 * Ranges of code points in base 36: distance from the end of the previous one and, after +, how many more
 * follow. Compared with the font files by server/documents/font.test.ts.
 */
const STRETCHES =
  'w+2m y+69 5 4 3+3 2+2 2+1 3+1 3 2+1 e+2 6 8+4 a+g 5+5 3+1 3+2 4+1 2+a 3+1 3+1 3+1 b+8 2+1 3+1 g ' +
  '3+4 3+4 3+1 7+17 2+8 2+b 2+1 3+1 2+4 2+7 8+4 3+2 2+6 5+6 4+e 2+4 9 j+d 2+4 2 3+8 3+7 2 2+4 2 3+6 ' +
  '5+3 a 8+1 4 2+1 2 j+1 5 4 6+6 2 2+j 2+1a 4 2 2 2 2 4 j 3+1 8+2n 3+1 f+3 r+3 3+5 5+3 7+1 3+5 3+1 ' +
  '3+1 5+4 3+1 7+2 3+5 9+1 3+3 5+1 3+1 3+1 4ry 7 2 2+1 2+7 2 2+5 4+4 2 2+3 4+2 3 k+1 9 2 4 t 4 c 2 2 ' +
  'b 4 e 1h+1 3+1 3+7 5+1 7+d 7+9 3+b 9+1 3+d 3+1 3+5 3+1 b+7 9+9 7+2j 7+l 3+5 3+11 3+5 3+7 2 2 2 ' +
  '2+u 3+1g 2+e 2+d 3+5 2+i 3+2 2+8 9 2+2 5+e 2+3 3 9+4 2 4+1 2+3 5 3+3 12+1 3+q j 2+1 2+1 2 2+1 2 ' +
  '3+1 2+1 3+2 3 20 e 3+1 7 2 2 4 8 y+e 17 7+9 f 14+3 k p 2+1 3 9 2+1 3 4+1 4+1 a 2 b+1 h o+1 3+1 ' +
  '4d+1 d 8 4+5 4+1 5 hh+1 9+2 6+8 2+8 2 3+3 3 9+1 d 16+1 4 11+2 3+3 u 3 2+1 4+1 4o+1 3+1 1m 9+5 4 ' +
  '3m+3 vr+2 3+1 b c bf a+3 l+1 n nuy 6+3 15+1 b+1 9+1 k+e 2 10+1 5 2 1p+2 nz j+1 fq1+4 sb 1bta+2 w ' +
  '1n+5 my 2x fq cu'

export const PRINTABLE: readonly (readonly [from: number, to: number])[] = (() => {
  let last = 0
  return STRETCHES.split(' ').map((stretch): [number, number] => {
    const [distance = '', more = '0'] = stretch.split('+')
    const from = last + Number.parseInt(distance, 36)
    last = from + Number.parseInt(more, 36)
    return [from, last]
  })
})()

const escaped = (code: number): string => `\\u{${code.toString(16)}}`
const UNPRINTABLE = new RegExp(
  `[^\\n${PRINTABLE.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')}]`,
  'gu',
)

/** Fast path: matches most texts. */
const PLAIN = /^[\n -~ÄÖÜäöüß]*$/

/** Each unprintable character once, in the order of the text. */
export const unprintable = (text: string): string[] =>
  PLAIN.test(text) ? [] : [...new Set(setText(text).match(UNPRINTABLE))]

/** Printed instead of it if a document must be printed all the same; the XML keeps the character itself. */
const REPLACEMENT = '\u25A1'

/** Replaces the characters without a glyph in a text that is already typeset. */
export const printed = (text: string): string => text.replaceAll(UNPRINTABLE, REPLACEMENT)

export interface MissingGlyphs {
  /** As in the document: `zuerl`, `empfaenger.name`, `bez`. */
  readonly feld: string
  /** Index of the line in `positionen`; null for the document itself. */
  readonly position: number | null
  readonly zeichen: readonly string[]
}

const HEAD = ['bearbeiter', 'anrede', 'anschreiben', 'zuerl', 'rabatt_grund'] as const
const LIEFERANT = [
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'ansprechpartner',
  'telefon',
  'mail',
  'webseite',
  'bank',
  'kontoinhaber',
  'fusszeile',
] as const
const RECIPIENT = ['name', 'name_zusatz', 'strasse', 'plz', 'ort', 'bestellnummer', 'leitweg_id'] as const
const POSITION = [
  'bez',
  'erl_titel',
  'erl',
  'einheit',
  'steuergrund',
] as const satisfies readonly (keyof BelegPosition)[]

/** Fields of the explanation, which are skipped if it is not printed. */
const HIDDEN: ReadonlySet<string> = new Set(['erl_titel', 'erl'])

/** Fields whose text the letter cannot print, with the characters; empty if there are none. */
export function missingGlyphs(
  beleg: Pick<
    Beleg,
    (typeof HEAD)[number] | 'aufbewahrung' | 'lieferant' | 'empfaenger' | 'positionen' | 'verweise'
  >,
): MissingGlyphs[] {
  const found = (field: string, position: number | null, text: string): MissingGlyphs[] => {
    const sign = unprintable(text)
    return sign.length === 0 ? [] : [{ feld: field, position, zeichen: sign }]
  }
  return [
    ...HEAD.flatMap((field) => found(field, null, beleg[field])),
    ...found('lieferant.aufbewahrung_text', null, beleg.aufbewahrung ?? ''),
    ...LIEFERANT.flatMap((field) => found(`lieferant.${field}`, null, beleg.lieferant[field])),
    ...RECIPIENT.flatMap((field) => found(`empfaenger.${field}`, null, beleg.empfaenger[field])),
    ...Object.entries(beleg.verweise ?? {}).flatMap(([field, text]) =>
      found(`verweise.${field}`, null, text as string),
    ),
    ...beleg.positionen.flatMap((position, index) =>
      POSITION.flatMap((field) =>
        HIDDEN.has(field) && !position.erl_on ? [] : found(field, index, position[field]),
      ),
    ),
  ]
}
