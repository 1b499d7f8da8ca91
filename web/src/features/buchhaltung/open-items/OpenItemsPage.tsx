// /buchhaltung/offene-posten: what customers owed on a day and what they get back, by customer and age.
import { useMemo, useState } from 'react'
import type { OpenItem } from '#contract/zahlung.ts'
import { addDays, isDay } from '#domain/day.ts'
import { add, decimal, NULL } from '#domain/geld.ts'
import { countText, ListCard, useList } from '../../../list/ListPage.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import { Sum } from '../BelegePage.tsx'
import { openItemsOf } from './open-items-list.tsx'
import './open-items.css'

const [FIRST, LAST] = ['2000-01-01', '2100-12-31']
const isPossible = (day: string | null): day is string => day !== null && day >= FIRST && day <= LAST
const sumOf = (rows: readonly OpenItem[]) => rows.reduce((sum, { offen }) => add(sum, decimal(offen)), NULL)

export function OpenItemsPage() {
  const view = useView()
  const asked = view.search['tag'] ?? ''
  const day = isDay(asked) && isPossible(asked) ? asked : today()
  const list = useMemo(() => openItemsOf(day), [day])
  const model = useList(list)
  const rows = model.rows.all
  const claims = rows?.filter(({ klasse }) => klasse !== 'guthaben')
  const show = (next: string) =>
    view.setSearch({ tag: next === today() ? undefined : next }, { replace: true })
  return (
    <Page
      subtitle={t('{n} am {tag}', { n: countText(model), tag: formatDate(day) })}
      actions={
        <>
          <Day day={day} onDay={show} />
          <ButtonLink icon="inbox" href="/buchhaltung/eingang">
            {t('Eingang')}
          </ButtonLink>
        </>
      }
    >
      <dl className="key-figures key-figures-line" aria-label={t('Summen der gefundenen Posten')}>
        <Sum name={t('Offen')} value={claims && sumOf(claims)} />
        <Sum
          name={t('Davon überfällig')}
          value={claims && sumOf(claims.filter(({ klasse }) => klasse !== 'nicht_faellig'))}
        />
        <Sum name={t('Guthaben')} value={rows && sumOf(rows.filter(({ klasse }) => klasse === 'guthaben'))} />
        <Sum name={t('Saldo')} value={rows && sumOf(rows)} />
      </dl>
      <ListCard model={model} />
    </Page>
  )
}

/** The day of the list: typed, picked, or one of those that are asked for most. */
function Day({ day, onDay }: { day: string; onDay: (day: string) => void }) {
  /** What is being typed; null: the day itself. */
  const [text, setText] = useState<string | null>(null)
  const typed = text === null ? day : parseDay(text)
  const take = (next: string | null) => {
    if (!isPossible(next)) return
    setText(null)
    if (next !== day) onDay(next)
  }
  const presets = [
    [t('Heute'), today()],
    [t('Ende des letzten Monats'), addDays(`${today().slice(0, 7)}-01`, -1)],
    [t('Ende des letzten Jahres'), addDays(`${today().slice(0, 4)}-01-01`, -1)],
  ] as const
  return (
    <form
      className="open-items-day"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        take(typed)
      }}
    >
      <DateField
        label={t('Stichtag')}
        value={text ?? formatDate(day)}
        error={
          typed === null
            ? dayExpected()
            : isPossible(typed)
              ? undefined
              : t('Bitte ein Datum zwischen 2000 und 2100.')
        }
        onChange={({ target: { value } }) => {
          setText(value)
          // Not before the year is complete: 31.12.20 is a day as well.
          if (value.length === formatDate(day).length) take(parseDay(value))
        }}
        onBlur={() => take(typed)}
      />
      {presets.map(([name, value]) => (
        <Button key={name} size="small" aria-pressed={value === day} onClick={() => take(value)}>
          {name}
        </Button>
      ))}
    </form>
  )
}
