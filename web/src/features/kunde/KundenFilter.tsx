// Filters of the list. Each is applied at once; the address bar is the only place that remembers them.
import { useState } from 'react'
import { BUNDESLAENDER } from '#domain/adresse-land.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { MultiSelect } from '../../ui/MultiSelect.tsx'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { EPSG_CODES, epsgName } from './kunde-values.ts'
import { countFilters, type KundenList, OHNE_LAND } from './kunden-list.ts'

export interface KundenFilterProps {
  list: KundenList
  onChange: (change: Partial<KundenList>, how?: { replace?: boolean }) => void
  onReset: () => void
}

export function KundenFilter({ list, onChange, onReset }: KundenFilterProps) {
  return (
    <fieldset className="kunde-filter" aria-label={t('Filter')}>
      <MultiSelect
        label={t('Bundesland')}
        value={list.land}
        onChange={(land) => onChange({ land })}
        options={[...BUNDESLAENDER.map((land) => ({ value: land, label: land })), { value: OHNE_LAND, label: t('ohne Angabe') }]}
      />
      <MultiSelect
        label={t('Koordinatensystem')}
        value={list.epsg.map(String)}
        onChange={(epsg) => onChange({ epsg: epsg.map(Number) })}
        options={EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) }))}
      />
      <SelectField
        label={t('Kataster')}
        value={list.kataster ?? ''}
        emptyOption={t('alle')}
        options={[
          { value: 'an', label: t('eingeschaltet') },
          { value: 'aus', label: t('ausgeschaltet') },
        ]}
        onChange={({ target }) => onChange({ kataster: target.value === 'an' || target.value === 'aus' ? target.value : null })}
      />
      <TextField
        label={t('PLZ beginnt mit')}
        value={list.plz}
        inputMode="numeric"
        maxLength={5}
        placeholder={t('zum Beispiel 01')}
        onChange={({ target }) => onChange({ plz: target.value.replace(/\D/g, '') }, { replace: true })}
      />
      <DayFilter value={list.seit} onChange={(seit) => onChange({ seit })} />
      <div className="kunde-filter-reset">
        <Button variant="quiet" icon="close" disabled={countFilters(list) === 0 && list.suche === ''} onClick={onReset}>
          {t('Zurücksetzen')}
        </Button>
      </div>
    </fieldset>
  )
}

/** Applied when the date is whole, on leaving or Enter; half a date filters nothing. */
function DayFilter({ value, onChange }: { value: string; onChange: (day: string) => void }) {
  const [text, setText] = useState(formatDate(value))
  const [faulty, setFaulty] = useState(false)
  const [known, setKnown] = useState(value)
  // The address changed by itself: back button, reset.
  if (value !== known) {
    setKnown(value)
    setText(formatDate(value))
    setFaulty(false)
  }
  const apply = () => {
    const day = text.trim() === '' ? '' : parseDay(text)
    setFaulty(day === null)
    if (day !== null && day !== value) onChange(day)
  }
  return (
    <TextField
      label={t('Geändert seit')}
      value={text}
      placeholder={t('TT.MM.JJJJ')}
      inputMode="numeric"
      autoComplete="off"
      error={faulty ? t('Bitte ein Datum wie 31.12.2026.') : undefined}
      onChange={({ target }) => setText(target.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
