// Below a line: its explanation, supply dates and tax reason. Each field is applied on blur.
import { type KeyboardEvent, memo, useState } from 'react'
import type { TaxCategory } from '#domain/beleg.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { setFields } from './grid.ts'
import { type DataField, LENGTHS, lineFaults, type TableRow } from './line.ts'
import { cellFaultText } from './position-words.ts'
import type { Act } from './use-grid.ts'

const CATEGORIES: readonly TaxCategory[] = ['S', 'E', 'AE', 'O']
function categoryText(category: TaxCategory): string {
  switch (category) {
    case 'S':
      return t('Steuer nach Satz')
    case 'E':
      return t('Steuerfrei')
    case 'AE':
      return t('Empfänger schuldet die Steuer')
    case 'O':
      return t('Nicht steuerbar')
  }
}

interface ExplanationProps {
  zeile: TableRow
  row: number
  nr: string
  act: (act: Act) => void
  onClose: () => void
}

export const Explanation = memo(function Explanation({ zeile, row, nr, act, onClose }: ExplanationProps) {
  const faults = lineFaults(zeile)
  const set = (fields: Partial<TableRow>) => act((grid) => setFields(grid, row, fields))
  const bind = (field: DataField) => ({
    value: zeile[field],
    error: faults[field] && cellFaultText(faults[field], field),
    maxLength: LENGTHS[field],
    onValue: (text: string) => set({ [field]: text }),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && !(event.key === 'Enter' && event.altKey)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.target instanceof HTMLElement) event.target.blur()
    onClose()
  }
  const isHeading = zeile.art === 'ueberschrift'
  return (
    // Escape closes what the line opened; the fields inside take all other keys.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="pos-erl" onKeyDown={onKeyDown}>
      <Own as="line" label={t('Titel der Erläuterung zu {nr}', { nr })} {...bind('erl_titel')} />
      {!isHeading && (
        <>
          <Own as="day" label={t('Leistung am oder ab')} {...bind('le_date')} />
          <Own as="day" label={t('Leistung bis')} {...bind('le_date_bis')} />
          <SelectField
            label={t('Steuerart')}
            emptyOption={t('nach dem Satz')}
            value={zeile.kategorie}
            options={CATEGORIES.map((value) => ({ value, label: categoryText(value) }))}
            onChange={({ target }) => set({ kategorie: target.value })}
          />
          {zeile.kategorie !== '' && zeile.kategorie !== 'S' && (
            <Own as="line" label={t('Grund der Steuerbefreiung')} {...bind('steuergrund')} />
          )}
        </>
      )}
      <div className="pos-erl-text">
        <Own as="area" label={t('Erläuterung zu {nr}', { nr })} {...bind('erl')} />
        <Checkbox
          label={t('Erläuterung drucken')}
          checked={zeile.erl_on}
          onChange={({ target }) => set({ erl_on: target.checked })}
        />
      </div>
    </div>
  )
})

/** Keeps the typed text until blur, so that the line changes once. */
function Own({
  as,
  value,
  onValue,
  ...rest
}: {
  as: 'line' | 'day' | 'area'
  label: string
  value: string
  error: string | undefined
  maxLength: number | undefined
  onValue: (text: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const common = {
    ...rest,
    value: typed ?? value,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    // Read from the element: the date field has just written out the date, which the state does not have yet.
    onBlur: ({ currentTarget }: { currentTarget: { value: string } }) => {
      if ((typed !== null || as === 'day') && currentTarget.value !== value) onValue(currentTarget.value)
      setTyped(null)
    },
  }
  if (as === 'day') return <DateField {...common} />
  return as === 'line' ? <TextField {...common} /> : <TextAreaField {...common} rows={3} />
}
