// The cash forecast: view options, chart, lowest balance, and the table with every figure.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type CashflowRow, type Step, STEPS } from '#domain/cashflow.ts'
import { decimal, formatAmount, formatCents, formatEuro, parseNumberInput, sum } from '#domain/geld.ts'
import { Segments } from '../../../ui/Choice.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Toolbar } from '../../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../../../ui/table.css'
import { numberFault } from '../number-words.ts'
import { Amount } from './Amount.tsx'
import { upward, outlookEnd, drawn, MONTHS, parseMonths, parseStep, lowest } from './figures.ts'
import { cashflowQuery } from './overview.data.ts'
import { monthName } from './month-name.ts'
import { cellAddress } from './paths.ts'

const GroupedBars = splitOff(
  async () => (await import('../../../ui/chart/GroupedBars.tsx')).GroupedBars,
  <Skeleton lines={6} />,
)

/**
 * Only for this person in this tab; removed at the end of the session (app/forget.ts) and never put into an
 * address.
 */
const BALANCE_KEY = 'forstkontor.kontostand'
const NULL_EURO = '0.00'

function useBankBalance(): readonly [string, (cents: string) => void] {
  const [value, setValue] = useState(() => {
    const kept = sessionStorage.getItem(BALANCE_KEY) ?? ''
    return /^-?\d{1,12}\.\d\d$/.test(kept) ? kept : NULL_EURO
  })
  return [
    value,
    (cents) => {
      setValue(cents)
      sessionStorage.setItem(BALANCE_KEY, cents)
    },
  ]
}

export function Outlook({ heute }: { heute: string }) {
  const view = useView()
  const schritt = parseStep(view.search['schritt'])
  const monate = parseMonths(view.search['monate'])
  const [anfang, setStart] = useBankBalance()
  const query = useQuery({
    ...cashflowQuery({ von: heute, bis: outlookEnd(heute, monate), schritt, anfang }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('Liquidität')}>
      <div className="stack">
        <Toolbar label={t('Ansicht der Liquidität')}>
          <Segments
            label={t('Abschnitte')}
            value={schritt}
            options={STEPS.map((value) => ({ value, label: value === 'monat' ? t('Monate') : t('Wochen') }))}
            onChange={(value) =>
              view.setSearch({ schritt: value === 'monat' ? undefined : value }, { replace: true })
            }
          />
          <SelectField
            label={t('Ausblick')}
            value={String(monate)}
            onChange={({ target }) =>
              view.setSearch({ monate: target.value === '6' ? undefined : target.value }, { replace: true })
            }
            options={MONTHS.map((n) => ({ value: String(n), label: t('{n} Monate', { n }) }))}
          />
          <BankBalance value={anfang} onChange={setStart} />
        </Toolbar>
        {query.isError && !query.data ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data ? (
          <Course zeilen={query.data} schritt={schritt} heute={heute} withBalance={anfang !== NULL_EURO} />
        ) : (
          <div className="ueb-platz">
            <Skeleton lines={8} />
          </div>
        )}
      </div>
    </Card>
  )
}

/** The bank balance; applied on Enter or on blur. */
function BankBalance({ value, onChange }: { value: string; onChange: (cents: string) => void }) {
  const [text, setText] = useState(value === NULL_EURO ? '' : formatAmount(value))
  const [error, setError] = useState<string>()
  const take = (event?: FormEvent) => {
    event?.preventDefault()
    const parsed =
      text.trim() === '' ? decimal(NULL_EURO) : parseNumberInput(text, { decimals: 2, allowNegative: true })
    if (typeof parsed === 'string') {
      setError(numberFault(parsed, 2))
      return
    }
    setError(undefined)
    const cents = formatCents(parsed)
    if (cents !== value) onChange(cents)
    setText(cents === NULL_EURO ? '' : formatAmount(cents))
  }
  return (
    <form className="ueb-konto" noValidate onSubmit={take}>
      <TextField
        label={t('Kontostand heute')}
        inputMode="decimal"
        autoComplete="off"
        unit="€"
        placeholder="0,00"
        value={text}
        error={error}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => take()}
      />
    </form>
  )
}

function timeText({ von, bis }: CashflowRow, schritt: Step): string {
  if (schritt === 'woche') return `${formatDate(von)} – ${formatDate(bis)}`
  return von.endsWith('-01')
    ? monthName(von, 'long')
    : t('{monat}, ab {tag}', { monat: monthName(von, 'long'), tag: formatDate(von).slice(0, 6) })
}

function Course({
  zeilen,
  schritt,
  heute,
  withBalance,
}: {
  zeilen: readonly CashflowRow[]
  schritt: Step
  heute: string
  withBalance: boolean
}) {
  const low = lowest(zeilen)
  const label = schritt === 'monat' ? t('Liquidität je Monat') : t('Liquidität je Woche')
  const plus = (...amounts: string[]) => formatCents(sum(amounts.map(decimal)))
  return (
    <>
      {low && low.stand.startsWith('-') && (
        <Notice
          tone="warning"
          title={withBalance ? t('Das Konto geht ins Minus') : t('Mehr Ausgaben als Einnahmen')}
        >
          {t('Am tiefsten steht es mit {betrag} am {tag}.', {
            betrag: formatEuro(low.stand),
            tag: formatDate(low.bis),
          })}
        </Notice>
      )}
      <div className="ueb-bild">
        <GroupedBars
          label={t(
            '{was}: Einnahmen, Ausgaben und Kontostand; dieselben Zahlen stehen in der Tabelle darunter',
            { was: label },
          )}
          series={[
            { key: 'sicher', name: t('Rechnungen und Aufträge') },
            { key: 'erwartet', name: t('Prognosen und Angebote nach Chance') },
            { key: 'ausgaben', name: t('Ausgaben') },
          ]}
          line={{
            name: withBalance ? t('Kontostand') : t('Saldo bis dahin'),
            values: zeilen.map(({ stand }) => drawn(stand)),
          }}
          bars={zeilen.map((zeile) => ({
            key: zeile.von,
            label: schritt === 'monat' ? monthName(zeile.von, 'short') : formatDate(zeile.von).slice(0, 6),
            title: t('{zeit}: Saldo {saldo}, danach {stand}', {
              zeit: timeText(zeile, schritt),
              saldo: formatEuro(zeile.saldo),
              stand: formatEuro(zeile.stand),
            }),
            values: [
              upward(plus(zeile.offen, zeile.angenommen)),
              upward(plus(zeile.einnahmen, zeile.erwartet)),
              upward(zeile.ausgaben),
            ],
          }))}
          formatValue={(value) => `${value.toLocaleString('de-DE')} €`}
        />
      </div>
      <SmallTable label={label}>
        <thead>
          <tr>
            <th scope="col">{t('Zeitraum')}</th>
            {[
              t('Rechnungen'),
              t('Aufträge'),
              t('Angebote'),
              t('Einnahmen'),
              t('Ausgaben'),
              t('Saldo'),
              withBalance ? t('Kontostand') : t('Saldo bis dahin'),
            ].map((head) => (
              <th key={head} scope="col" className="cell-end">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {zeilen.map((zeile) => (
            <tr key={zeile.von}>
              <th scope="row">
                {timeText(zeile, schritt)}
                {zeile.ueberfaellig !== NULL_EURO && (
                  <div className="soft ueb-dazu">
                    {t('überfällig {betrag}', { betrag: formatEuro(zeile.ueberfaellig) })}
                  </div>
                )}
              </th>
              <Amount value={zeile.offen} href={cellAddress('offen', zeile, heute)} />
              <Amount value={zeile.angenommen} href={cellAddress('angenommen', zeile, heute)} />
              <Amount value={zeile.erwartet} href={cellAddress('erwartet', zeile, heute)} />
              <Amount value={zeile.einnahmen} href={cellAddress('einnahmen', zeile, heute)} />
              <Amount value={zeile.ausgaben} href={cellAddress('ausgaben', zeile, heute)} />
              <Amount value={zeile.saldo} />
              <Amount value={zeile.stand} />
            </tr>
          ))}
        </tbody>
      </SmallTable>
      <p className="soft">
        {t(
          'Brutto. Rechnungen zählen an ihrem Fälligkeitstag, überfällige heute. Aufträge mit dem, was noch abzurechnen ist, und Angebote nach ihrer Chance zählen nach der Leistung und dem Zahlungsziel, ohne Leistungsdatum 60 Tage nach der Annahme oder dem Ende der Gültigkeit. Einnahmen und Ausgaben sind die Prognosen.',
        )}
      </p>
    </>
  )
}
