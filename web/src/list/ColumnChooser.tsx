// Menu for choosing the visible columns; order and widths are in their own dialog.
import { useState } from 'react'
import { keyOfEntry } from '../ui/column-choice.ts'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import { type Arrangement, toggleColumn } from './arrange-columns.ts'
import type { Grouping } from './list.ts'

const ArrangeDialog = splitOff(
  async () => (await import('./ArrangeDialog.tsx')).ArrangeDialog,
) as typeof import('./ArrangeDialog.tsx').ArrangeDialog

interface ColumnChooserProps<Row> extends Arrangement<Row> {
  /** What the list can be grouped by, and is now. */
  groups?: readonly Grouping[] | undefined
  grouped?: string | undefined
  onGroup: (key: string | undefined) => void
}

const groupItems = (
  groups: readonly Grouping[] | undefined,
  grouped: string | undefined,
  onGroup: (key: string | undefined) => void,
): MenuItem[] =>
  (groups ?? []).map(({ key, label }, at) => ({
    key: `gruppe ${key}`,
    label: t('Gruppieren nach {label}', { label: label() }),
    checked: key === grouped,
    divided: at === 0,
    onSelect: () => onGroup(key === grouped ? undefined : key),
  }))

export function ColumnChooser<Row>(props: ColumnChooserProps<Row>) {
  const { columns, entries, isChosen, onChange, groups, grouped, onGroup } = props
  const [arranging, setArranging] = useState(false)
  const order = columns.map(({ key }) => key)
  const shown = new Set(entries.map(keyOfEntry))
  const choosable = columns.filter((column, index) => index > 0 && !column.fixed)
  return (
    <>
      <Menu
        label={t('Spalten wählen')}
        align="end"
        trigger={
          <>
            <Icon name="columns" />
            {t('Spalten')}
          </>
        }
        items={[
          ...choosable.map(({ key, title }) => ({
            key,
            label: title,
            checked: shown.has(key),
            onSelect: () => onChange(toggleColumn(entries, key, order)),
          })),
          {
            key: '+',
            label: t('Reihenfolge und Breite …'),
            icon: 'columns' as const,
            divided: true,
            onSelect: () => setArranging(true),
          },
          ...groupItems(groups, grouped, onGroup),
          {
            key: '*',
            label: t('Standard wiederherstellen'),
            icon: 'refresh' as const,
            divided: true,
            disabled: !isChosen,
            onSelect: () => onChange(undefined),
          },
        ]}
      />
      {arranging && <ArrangeDialog {...props} onClose={() => setArranging(false)} />}
    </>
  )
}
