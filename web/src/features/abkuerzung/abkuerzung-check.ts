// Form checks that mirror those of the database. Pure.
import type { Abkuerzung, NewAbkuerzung } from '#contract/abkuerzung.ts'

export type DataField = keyof NewAbkuerzung
export const ALL_FIELDS: readonly DataField[] = ['abk', 'bedeutung', 'gruppe']
export const MAX_LENGTHS: Readonly<Record<DataField, number>> = { abk: 30, bedeutung: 300, gruppe: 60 }
export type Fault = 'fehlt' | 'zu_lang' | 'vorhanden'

/** Each value on one line, without surrounding blanks. */
export const cleaned = (values: NewAbkuerzung): NewAbkuerzung => ({
  abk: oneLine(values.abk),
  bedeutung: oneLine(values.bedeutung),
  gruppe: oneLine(values.gruppe),
})
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

/** The row other than `own` that already has this abbreviation in this group. */
export function duplicateOf(
  values: NewAbkuerzung,
  rows: readonly Abkuerzung[],
  own: number | null,
): Abkuerzung | undefined {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return rows.find((row) => row.id !== own && same(row.abk, values.abk) && same(row.gruppe, values.gruppe))
}

export function checkAbkuerzung(
  input: NewAbkuerzung,
  rows: readonly Abkuerzung[],
  own: number | null,
): Partial<Record<DataField, Fault>> {
  const values = cleaned(input)
  const faults: Partial<Record<DataField, Fault>> = {}
  for (const field of ALL_FIELDS) {
    if (values[field] === '') faults[field] = 'fehlt'
    else if (Array.from(values[field]).length > MAX_LENGTHS[field]) faults[field] = 'zu_lang'
  }
  if (faults.abk === undefined && faults.gruppe === undefined && duplicateOf(values, rows, own))
    faults.abk = 'vorhanden'
  return faults
}

/** Index letter of an abbreviation: umlauts count as their base letter, everything else as #. */
export function letterOf(short: string): string {
  const [first = ''] = short.normalize('NFD').toUpperCase()
  return /[A-Z]/.test(first) ? first : '#'
}
export const LETTERS: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '#']
