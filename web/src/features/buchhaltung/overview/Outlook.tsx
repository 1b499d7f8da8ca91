// The cash forecast: view options, chart, lowest balance, and the table with every figure.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type CashflowRow, STEPS, type Step } from '#domain/cashflow.ts'
import { decimal, formatAmount, formatCents, formatEuro, parseNumberInput, sum } from '#domain/geld.ts'
import { Segments } from '../../../ui/Choice.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Toolbar } from '../../../ui/Page.tsx'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../../../ui/table.css'
import { numberFault } from '../number-words.ts'
import { Amount } from './Amount.tsx'
import { drawn, lowest, MONTHS, outlookEnd, parseMonths, parseStep, upward } from './figures.ts'
import { monthName } from '../../../ui/month-name.ts'
import { cashflowQuery } from './overview.data.ts'
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
  const step = parseStep(view.search['schritt'])
  const months = parseMonths(view.search['monate'])
  const [start, setStart] = useBankBalance()
  const query = useQuery({
    ...cashflowQuery({ von: heute, bis: outlookEnd(heute, months), schritt: step, anfang: start }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('Liquidität')}>
      <div className="stack">
        <Toolbar label={t('Ansicht der Liquidität')}>
          <Segments
            label={t('Abschnitte')}
            value={step}
            options={STEPS.map((value) => ({ value, label: value === 'monat' ? t('Monate') : t('Wochen') }))}
            onChange={(value) =>
              view.setSearch({ schritt: value === 'monat' ? undefined : value }, { replace: true })
            }
          />
          <SelectField
            label={t('Ausblick')}
            value={String(months)}
            onChange={({ target }) =>
              view.setSearch({ monate: target.value === '6' ? undefined : target.value }, { replace: true })
            }
            options={MONTHS.map((n) => ({ value: String(n), label: t('{n} Monate', { n }) }))}
          />
          <BankBalance value={start} onChange={setStart} />
        </Toolbar>
        {query.isError && !query.data ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data ? (
          <Course zeilen={query.data} schritt={step} heute={heute} withBalance={start !== NULL_EURO} />
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

function timeText({ von, bis }: CashflowRow, step: Step): string {
  if (step === 'woche') return `${formatDate(von)} – ${formatDate(bis)}`
  return von.endsWith('-01')
    ? monthName(von, 'long')
    : t('{monat}, ab {tag}', { monat: monthName(von, 'long'), tag: formatDate(von).slice(0, 6) })
}

interface CourseProps {
  zeilen: readonly CashflowRow[]
  schritt: Step
  /** The balance of the account is known; otherwise the sums begin at nothing. */
  withBalance: boolean
}

function Course({ heute, ...shown }: CourseProps & { heute: string }) {
  const { zeilen, schritt, withBalance } = shown
  const low = lowest(zeilen)
  const label = schritt === 'monat' ? t('Liquidität je Monat') : t('Liquidität je Woche')
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
      <CourseChart label={label} {...shown} />
      <CourseTable label={label} heute={heute} {...shown} />
      <p className="soft">
        {t(
          'Brutto. Rechnungen zählen an ihrem Fälligkeitstag, überfällige heute. Was Kunden zurückbekommen, ' +
            'weil sie zu viel bezahlt haben oder eine bezahlte Rechnung storniert oder berichtigt ist, ' +
            'geht heute ab. Aufträge mit dem, was noch ' +
            'abzurechnen ist, und Angebote nach ihrer Chance zählen nach der Leistung und dem Zahlungsziel, ' +
            'ohne Leistungsdatum 60 Tage nach der Annahme oder dem Ende der Gültigkeit. Wiederkehrende ' +
            'Rechnungen, die noch nicht ausgestellt sind, zählen nach ihrem Zeitraum und dem Zahlungsziel. ' +
            'Einnahmen und Ausgaben sind die Prognosen, Ausgaben auch freigegebene Eingangsrechnungen.',
        )}
      </p>
    </>
  )
}

function CourseChart({ label, zeilen, schritt, withBalance }: CourseProps & { label: string }) {
  const plus = (...amounts: string[]) => formatCents(sum(amounts.map(decimal)))
  return (
    <div className="ueb-bild">
      <GroupedBars
        label={t(
          '{was}: Einnahmen, Ausgaben und Kontostand; dieselben Zahlen stehen in der Tabelle darunter',
          { was: label },
        )}
        series={[
          { key: 'sicher', name: t('Rechnungen, Aufträge und Wiederkehrende') },
          { key: 'erwartet', name: t('Prognosen und Angebote nach Chance') },
          { key: 'ausgaben', name: t('Ausgaben und Rückzahlungen') },
        ]}
        line={{
          name: withBalance ? t('Kontostand') : t('Saldo bis dahin'),
          values: zeilen.map(({ stand }) => drawn(stand)),
        }}
        bars={zeilen.map((row) => ({
          key: row.von,
          label: schritt === 'monat' ? monthName(row.von, 'short') : formatDate(row.von).slice(0, 6),
          title: t('{zeit}: Saldo {saldo}, danach {stand}', {
            zeit: timeText(row, schritt),
            saldo: formatEuro(row.saldo),
            stand: formatEuro(row.stand),
          }),
          values: [
            upward(plus(row.offen, row.angenommen, row.wiederkehrend)),
            upward(plus(row.einnahmen, row.erwartet)),
            upward(plus(row.ausgaben, row.zurueck)),
          ],
        }))}
        formatValue={(value) => `${value.toLocaleString('de-DE')} €`}
      />
    </div>
  )
}

function CourseTable({
  label,
  heute,
  zeilen,
  schritt,
  withBalance,
}: CourseProps & { label: string; heute: string }) {
  const repays = zeilen.some(({ zurueck }) => zurueck !== NULL_EURO)
  return (
    <SmallTable label={label}>
      <thead>
        <tr>
          <th scope="col">{t('Zeitraum')}</th>
          {[
            t('Rechnungen'),
            t('Aufträge'),
            t('Wiederkehrende'),
            t('Angebote'),
            t('Einnahmen'),
            t('Ausgaben'),
            ...(repays ? [t('Rückzahlungen')] : []),
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
        {zeilen.map((row) => (
          <tr key={row.von}>
            <th scope="row">
              {timeText(row, schritt)}
              {row.ueberfaellig !== NULL_EURO && (
                <div className="soft ueb-dazu">
                  {t('überfällig {betrag}', { betrag: formatEuro(row.ueberfaellig) })}
                </div>
              )}
            </th>
            <Amount value={row.offen} href={cellAddress('offen', row, heute)} />
            <Amount value={row.angenommen} href={cellAddress('angenommen', row, heute)} />
            <Amount value={row.wiederkehrend} href={cellAddress('wiederkehrend', row, heute)} />
            <Amount value={row.erwartet} href={cellAddress('erwartet', row, heute)} />
            <Amount value={row.einnahmen} href={cellAddress('einnahmen', row, heute)} />
            <Amount value={row.ausgaben} href={cellAddress('ausgaben', row, heute)} />
            {repays && <Amount value={row.zurueck} href={cellAddress('zurueck', row, heute)} />}
            <Amount value={row.saldo} />
            <Amount value={row.stand} />
          </tr>
        ))}
      </tbody>
    </SmallTable>
  )
}
