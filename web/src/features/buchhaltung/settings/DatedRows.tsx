// Entries of the settings that each hold from a day on, the newest first; each can be removed.
import type { ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { DateText } from '../../../ui/Display.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'

interface Props<Entry> {
  label: string
  entries: readonly Entry[]
  /** Titles of the cells between the day and the button. */
  titles: readonly string[]
  /** Which of all columns begin at the left. */
  left: readonly number[]
  cells: (entry: Entry) => ReactNode
  removeLabel: (entry: Entry) => string
  busy: boolean
  onRemove: (entry: Entry) => void
}

export function DatedRows<Entry extends { readonly ab: string }>({
  label,
  entries,
  titles,
  left,
  cells,
  removeLabel,
  busy,
  onRemove,
}: Props<Entry>) {
  return (
    <SmallTable label={label}>
      <HeadRow titles={[t('Ab'), ...titles, t('Aktionen')]} left={left} />
      <tbody>
        {entries
          .toSorted((a, b) => (a.ab < b.ab ? 1 : -1))
          .map((entry) => (
            <tr key={entry.ab}>
              <td>
                <DateText value={entry.ab} />
              </td>
              {cells(entry)}
              <td className="cell-end">
                <Button
                  size="small"
                  variant="quiet"
                  icon="trash"
                  busy={busy}
                  aria-label={removeLabel(entry)}
                  onClick={() => onRemove(entry)}
                >
                  {t('Entfernen')}
                </Button>
              </td>
            </tr>
          ))}
      </tbody>
    </SmallTable>
  )
}
