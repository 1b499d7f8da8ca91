// The history of a record as readable lines: field, before, after.
import type { HistoryEntry } from '#contract/history.ts'
import { t } from '../ui/text.ts'

export interface HistoryLine {
  readonly label: string
  readonly before: string
  readonly after: string
}
/** How the columns of a table are described. */
export interface HistoryWords {
  /** Columns in reading sequence; others follow. */
  readonly order: readonly string[]
  /** Columns without meaning for readers: keys, search texts. */
  readonly hidden: readonly string[]
  readonly label: (field: string) => string
  readonly show: (field: string, value: unknown) => string
}

/** Fields in the sequence of the form, not alphabetically; empty fields of a new record are left out. */
export function linesOf(
  { alt, neu, aktion }: Pick<HistoryEntry, 'alt' | 'neu' | 'aktion'>,
  words: HistoryWords,
): HistoryLine[] {
  const rank = (field: string): number =>
    words.order.includes(field) ? words.order.indexOf(field) : words.order.length
  const fields = [...new Set([...Object.keys(alt ?? {}), ...Object.keys(neu ?? {})])].filter(
    (field) => !words.hidden.includes(field),
  )
  return fields
    .sort((a, b) => rank(a) - rank(b))
    .map((field) => ({
      label: words.label(field),
      before: words.show(field, alt?.[field]),
      after: words.show(field, neu?.[field]),
    }))
    .filter(({ before, after }) => aktion === 'geaendert' || before !== '' || after !== '')
}

export const actionName = (action: HistoryEntry['aktion']): string =>
  action === 'neu' ? t('Angelegt') : action === 'geloescht' ? t('Gelöscht') : t('Geändert')
