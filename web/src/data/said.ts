// The translation of a sentence that is not written here: the rules of domain/ and the server have made it in
// German, with values in it. web/texts/said-texts.ts finds what they can say, with places for the values. A
// separate module, because it is only needed once something is wrong.
import { textTable } from '../ui/text.ts'

const PLACE = /\{v\d+\}/

interface Pattern {
  readonly expression: RegExp
  readonly translation: string
  /** Letters that are not values. */
  readonly length: number
}

function patternOf(german: string, translation: string): Pattern {
  const parts = german.split(PLACE)
  const expression = new RegExp(
    `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('(.+?)')}$`,
    's',
  )
  return { expression, translation, length: parts.join('').length }
}

let known: { readonly table: object; readonly patterns: readonly Pattern[] } | undefined
/** What says the most comes first: a place may hold its own sentence. */
function patterns(): readonly Pattern[] {
  const table = textTable()
  if (known?.table !== table)
    known = {
      table,
      patterns: Object.entries(table)
        .filter(([german]) => PLACE.test(german))
        .map(([german, translation]) => patternOf(german, translation))
        .toSorted((a, b) => b.length - a.length),
    }
  return known.patterns
}

/** In German, or where nothing fits, the sentence itself. */
export function said(german: string): string {
  const whole = textTable()[german]
  if (whole !== undefined) return whole
  for (const { expression, translation } of patterns()) {
    const values = expression.exec(german)
    if (values)
      // What is quoted is somebody's own word.
      return translation.replaceAll(/(“?)\{v(\d+)\}/g, (_, quote: string, at: string) => {
        const value = values[Number(at)] ?? ''
        return quote + (quote === '' ? said(value) : value)
      })
  }
  return german
}
