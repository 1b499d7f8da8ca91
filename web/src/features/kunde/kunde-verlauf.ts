// The history of a customer as lines a person can read: field, before, after.
import type { Verlauf } from '#contract/verlauf.ts'
import { t } from '../../ui/text.ts'
import { FORM_FIELDS, fieldLabel, SETTING_FIELDS, showValue } from './kunde-fields.ts'

export interface VerlaufLine {
  readonly label: string
  readonly before: string
  readonly after: string
}

const ORDER: readonly string[] = [...FORM_FIELDS, ...SETTING_FIELDS]
const rank = (field: string): number => (ORDER.includes(field) ? ORDER.indexOf(field) : ORDER.length)

/** Fields in the order of the form, not of the letters; empty ones of a new customer are left out. */
export function linesOf({ alt, neu, aktion }: Pick<Verlauf, 'alt' | 'neu' | 'aktion'>): VerlaufLine[] {
  const fields = [...new Set([...Object.keys(alt ?? {}), ...Object.keys(neu ?? {})])].filter((field) => field !== 'client_id')
  return fields
    .sort((a, b) => rank(a) - rank(b))
    .map((field) => ({ label: fieldLabel(field), before: showValue(field, alt?.[field]), after: showValue(field, neu?.[field]) }))
    .filter(({ before, after }) => aktion === 'geaendert' || before !== '' || after !== '')
}

export const actionName = (aktion: Verlauf['aktion']): string =>
  aktion === 'neu' ? t('Angelegt') : aktion === 'geloescht' ? t('Gelöscht') : t('Geändert')
