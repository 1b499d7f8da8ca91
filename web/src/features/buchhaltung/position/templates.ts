// Position templates: searching them, and the fields they fill in a line.
import type { PositionTemplate } from '#contract/template.ts'
import { decimal, formatGerman } from '#domain/geld.ts'
import { searchText } from '../../../list/fold.ts'
import type { TableRow } from './line.ts'

const MOST = 8
const texts = new WeakMap<PositionTemplate, string>()
const textOf = (template: PositionTemplate): string => {
  const known = texts.get(template)
  if (known !== undefined) return known
  const made = searchText(`${template.bez} ${template.gruppe ?? ''}`)
  texts.set(template, made)
  return made
}

/** Matches if every word occurs; those that begin with the text come first. */
export function findTemplates(templates: readonly PositionTemplate[], text: string): PositionTemplate[] {
  const asked = text.trim().toLowerCase()
  if (asked.length < 2) return []
  const words = asked.split(/\s+/)
  const found = templates.filter(
    (template) => !template.archiviert && words.every((word) => textOf(template).includes(word)),
  )
  const rank = ({ bez }: PositionTemplate) => (bez.toLowerCase().startsWith(asked) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b) || a.bez.localeCompare(b.bez, 'de')).slice(0, MOST)
}

export const fieldsOfTemplate = (template: PositionTemplate): Partial<TableRow> => ({
  bez: template.bez,
  einheit: template.einheit,
  ep: formatGerman(decimal(template.ep), { atLeast: 2 }),
  ust_satz: template.ust_satz === null ? '' : formatGerman(decimal(template.ust_satz)),
  erl_titel: template.erl_titel,
  erl: template.erl,
  erl_on: template.erl_on,
})
