// Invoice numbers in the purpose of a payment, as people and banks write them.
import type { ReconciliationRechnung } from './suggestion.ts'

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
/** Between the parts of a number: whatever people and banks put there, or nothing. */
const BETWEEN = String.raw`[\s.,:;#/_\\-]{0,3}`
/** Digits that may be split by a line end or by a blank from the bank. */
const torn = (digits: string): string => [...digits].join(String.raw`\s?`)

export interface Muster {
  readonly rechnung: ReconciliationRechnung
  readonly whole: RegExp
  /** Null: a plain number, which would also match in dates and other numbers. */
  readonly loose: RegExp | null
  /** Digits that both patterns require: a cheap first check. */
  readonly digits: readonly string[]
}

export function musterOf(rechnung: ReconciliationRechnung): Muster {
  const number = rechnung.nummer.normalize('NFKC').toUpperCase()
  const parts: string[] = number.match(/\p{L}+|\d+/gu) ?? []
  const groups = parts.filter((part) => /^\d/.test(part))
  const core = (groups.at(-1) ?? '').replace(/^0+(?=\d)/, '')
  const digits = [...groups.slice(0, -1), core].filter((group) => group !== '')
  const whole = new RegExp(String.raw`(?<![\p{L}\d])${escaped(number)}(?![\d])`, 'u')
  if (parts.length < 2) return { rechnung, whole, loose: null, digits }
  const last = parts.lastIndexOf(groups.at(-1) ?? '')
  const pattern = parts.map((part, index) => {
    if (index === last) return String.raw`(?:0\s?)*${torn(core)}`
    return /^\d/.test(part) ? torn(part) : escaped(part)
  })
  // Year and running number are distinctive enough without the letters in front.
  const bare = groups.length > 1 && /^\p{L}/u.test(parts[0]!) ? pattern.slice(1) : null
  const forms = [
    String.raw`(?<![\p{L}\d])${pattern.join(BETWEEN)}`,
    ...(bare === null ? [] : [String.raw`(?<!\d)${bare.join(BETWEEN)}`]),
  ]
  return { rechnung, whole, loose: new RegExp(String.raw`(?:${forms.join('|')})(?!\d)`, 'u'), digits }
}

export interface Mention {
  readonly rechnung: ReconciliationRechnung
  readonly grund: 'nummer' | 'nummer_teil'
}

/** A number that appears as printed is not also read as a split one of another invoice. */
export function mentionsOf(purpose: string, muster: readonly Muster[]): Mention[] {
  let text = purpose.normalize('NFKC').toUpperCase()
  const only = text.replaceAll(/\D/g, '')
  const likely = muster.filter(({ digits }) => digits.every((group) => only.includes(group)))
  const found: Mention[] = []
  for (const { rechnung, whole } of likely) {
    if (!whole.test(text)) continue
    found.push({ rechnung, grund: 'nummer' })
  }
  const exact = new Set(found.map(({ rechnung }) => rechnung))
  for (const { rechnung, whole } of likely)
    if (exact.has(rechnung)) text = text.replaceAll(new RegExp(whole, 'gu'), '\u0001')
  for (const { rechnung, loose } of likely)
    if (!exact.has(rechnung) && loose?.test(text)) found.push({ rechnung, grund: 'nummer_teil' })
  return found
}
