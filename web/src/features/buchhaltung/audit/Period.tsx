// First and last day of a period: presets as buttons, any other by typing.
import { addMonths } from '#domain/day.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'

export interface PeriodText {
  readonly von: string
  readonly bis: string
}
export interface DayRange {
  readonly von: string
  readonly bis: string
}
/** Null if the period is incomplete or invalid. */
export function dayRangeOf({ von, bis }: PeriodText): DayRange | null {
  const [from, to] = [parseDay(von), parseDay(bis)]
  return from === null || to === null || from === '' || to === '' || to < from ? null : { von: from, bis: to }
}
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
const span = (from: string, months: number): PeriodText => ({
  von: formatDate(from),
  bis: formatDate(dayBefore(addMonths(from, months))),
})
/** A whole month ("2026-03"). */
export const monthOf = (month: string): PeriodText => span(`${month}-01`, 1)
/** The month, quarter and year before that of a day. */
export function lastMonth(day: string): PeriodText {
  return span(addMonths(`${day.slice(0, 7)}-01`, -1), 1)
}
export function lastQuarter(day: string): PeriodText {
  const first = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1
  return span(addMonths(`${day.slice(0, 4)}-${String(first).padStart(2, '0')}-01`, -3), 3)
}
export const yearOf = (day: string, back: number): PeriodText =>
  span(`${Number(day.slice(0, 4)) - back}-01-01`, 12)

export function Period({
  value,
  today,
  onChange,
}: {
  value: PeriodText
  today: string
  onChange: (value: PeriodText) => void
}) {
  const [from, to] = [parseDay(value.von), parseDay(value.bis)]
  const unreadable = (day: string | null) =>
    day === null || day === '' ? t('Bitte ein Datum wie 31.12.2026.') : undefined
  const backwards = from !== null && to !== null && from !== '' && to !== '' && to < from
  return (
    <div className="stack">
      <div className="buch-actions buch-start">
        <Button size="small" onClick={() => onChange(lastMonth(today))}>
          {t('Letzter Monat')}
        </Button>
        <Button size="small" onClick={() => onChange(lastQuarter(today))}>
          {t('Letztes Quartal')}
        </Button>
        <Button size="small" onClick={() => onChange(yearOf(today, 1))}>
          {t('Letztes Jahr')}
        </Button>
        <Button size="small" onClick={() => onChange(yearOf(today, 0))}>
          {t('Dieses Jahr')}
        </Button>
      </div>
      <FieldGrid>
        <DateField
          label={t('Von')}
          required
          value={value.von}
          error={unreadable(from)}
          onChange={({ target }) => onChange({ ...value, von: target.value })}
        />
        <DateField
          label={t('Bis')}
          required
          value={value.bis}
          error={unreadable(to) ?? (backwards ? t('Das Ende liegt vor dem Anfang.') : undefined)}
          onChange={({ target }) => onChange({ ...value, bis: target.value })}
        />
      </FieldGrid>
    </div>
  )
}
