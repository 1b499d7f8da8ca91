// The cash forecast: how it is looked at, the picture, what is lowest, and the table with every figure.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type CashflowZeile, type Schritt, SCHRITTE } from '#domain/cashflow.ts'
import { dezimal, formatBetrag, formatCents, formatEuro, parseEingabe, sum } from '#domain/geld.ts'
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
import { zahlFault } from '../zahl-words.ts'
import { Betrag } from './Betrag.tsx'
import { aufwaerts, ausblickBis, gezeichnet, MONATE, parseMonate, parseSchritt, tiefster } from './rechnen.ts'
import { cashflowQuery } from './uebersicht.data.ts'
import { monatName } from './worte.ts'
import { teilDes } from './wege.ts'

const GroupedBars = splitOff(async () => (await import('../../../ui/chart/GroupedBars.tsx')).GroupedBars, <Skeleton lines={6} />)

/** Of this person in this window alone; it goes with the session (app/forget.ts) and never into an address. */
const KONTOSTAND = 'forstkontor.kontostand'
const NULL_EURO = '0.00'

function useKontostand(): readonly [string, (cents: string) => void] {
  const [value, setValue] = useState(() => {
    const kept = sessionStorage.getItem(KONTOSTAND) ?? ''
    return /^-?\d{1,12}\.\d\d$/.test(kept) ? kept : NULL_EURO
  })
  return [
    value,
    (cents) => {
      setValue(cents)
      sessionStorage.setItem(KONTOSTAND, cents)
    },
  ]
}

export function Ausblick({ heute }: { heute: string }) {
  const view = useView()
  const schritt = parseSchritt(view.search['schritt'])
  const monate = parseMonate(view.search['monate'])
  const [anfang, setAnfang] = useKontostand()
  const query = useQuery({
    ...cashflowQuery({ von: heute, bis: ausblickBis(heute, monate), schritt, anfang }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('Liquidität')}>
      <div className="stack">
        <Toolbar label={t('Ansicht der Liquidität')}>
          <Segments
            label={t('Abschnitte')}
            value={schritt}
            options={SCHRITTE.map((value) => ({ value, label: value === 'monat' ? t('Monate') : t('Wochen') }))}
            onChange={(value) => view.setSearch({ schritt: value === 'monat' ? undefined : value }, { replace: true })}
          />
          <SelectField
            label={t('Ausblick')}
            value={String(monate)}
            onChange={({ target }) => view.setSearch({ monate: target.value === '6' ? undefined : target.value }, { replace: true })}
            options={MONATE.map((n) => ({ value: String(n), label: t('{n} Monate', { n }) }))}
          />
          <Kontostand value={anfang} onChange={setAnfang} />
        </Toolbar>
        {query.isError && !query.data ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data ? (
          <Verlauf zeilen={query.data} schritt={schritt} heute={heute} mitKonto={anfang !== NULL_EURO} />
        ) : (
          <div className="ueb-platz">
            <Skeleton lines={8} />
          </div>
        )}
      </div>
    </Card>
  )
}

/** What is in the bank; taken with Enter or when the field is left. */
function Kontostand({ value, onChange }: { value: string; onChange: (cents: string) => void }) {
  const [text, setText] = useState(value === NULL_EURO ? '' : formatBetrag(value))
  const [error, setError] = useState<string>()
  const take = (event?: FormEvent) => {
    event?.preventDefault()
    const parsed = text.trim() === '' ? dezimal(NULL_EURO) : parseEingabe(text, { stellen: 2, negativ: true })
    if (typeof parsed === 'string') {
      setError(zahlFault(parsed, 2))
      return
    }
    setError(undefined)
    const cents = formatCents(parsed)
    if (cents !== value) onChange(cents)
    setText(cents === NULL_EURO ? '' : formatBetrag(cents))
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

function zeitText({ von, bis }: CashflowZeile, schritt: Schritt): string {
  if (schritt === 'woche') return `${formatDate(von)} – ${formatDate(bis)}`
  return von.endsWith('-01')
    ? monatName(von, 'long')
    : t('{monat}, ab {tag}', { monat: monatName(von, 'long'), tag: formatDate(von).slice(0, 6) })
}

function Verlauf({
  zeilen,
  schritt,
  heute,
  mitKonto,
}: {
  zeilen: readonly CashflowZeile[]
  schritt: Schritt
  heute: string
  mitKonto: boolean
}) {
  const low = tiefster(zeilen)
  const label = schritt === 'monat' ? t('Liquidität je Monat') : t('Liquidität je Woche')
  const plus = (...amounts: string[]) => formatCents(sum(amounts.map(dezimal)))
  return (
    <>
      {low && low.stand.startsWith('-') && (
        <Notice tone="warning" title={mitKonto ? t('Das Konto geht ins Minus') : t('Mehr Ausgaben als Einnahmen')}>
          {t('Am tiefsten steht es mit {betrag} am {tag}.', { betrag: formatEuro(low.stand), tag: formatDate(low.bis) })}
        </Notice>
      )}
      <div className="ueb-bild">
        <GroupedBars
          label={t('{was}: Einnahmen, Ausgaben und Kontostand; dieselben Zahlen stehen in der Tabelle darunter', { was: label })}
          series={[
            { key: 'sicher', name: t('Rechnungen und Aufträge') },
            { key: 'erwartet', name: t('Prognosen und Angebote nach Chance') },
            { key: 'ausgaben', name: t('Ausgaben') },
          ]}
          line={{ name: mitKonto ? t('Kontostand') : t('Saldo bis dahin'), values: zeilen.map(({ stand }) => gezeichnet(stand)) }}
          bars={zeilen.map((zeile) => ({
            key: zeile.von,
            label: schritt === 'monat' ? monatName(zeile.von, 'short') : formatDate(zeile.von).slice(0, 6),
            title: t('{zeit}: Saldo {saldo}, danach {stand}', {
              zeit: zeitText(zeile, schritt),
              saldo: formatEuro(zeile.saldo),
              stand: formatEuro(zeile.stand),
            }),
            values: [
              aufwaerts(plus(zeile.offen, zeile.angenommen)),
              aufwaerts(plus(zeile.einnahmen, zeile.erwartet)),
              aufwaerts(zeile.ausgaben),
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
              mitKonto ? t('Kontostand') : t('Saldo bis dahin'),
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
                {zeitText(zeile, schritt)}
                {zeile.ueberfaellig !== NULL_EURO && (
                  <div className="soft ueb-dazu">{t('überfällig {betrag}', { betrag: formatEuro(zeile.ueberfaellig) })}</div>
                )}
              </th>
              <Betrag value={zeile.offen} href={teilDes('offen', zeile, heute)} />
              <Betrag value={zeile.angenommen} href={teilDes('angenommen', zeile, heute)} />
              <Betrag value={zeile.erwartet} href={teilDes('erwartet', zeile, heute)} />
              <Betrag value={zeile.einnahmen} href={teilDes('einnahmen', zeile, heute)} />
              <Betrag value={zeile.ausgaben} href={teilDes('ausgaben', zeile, heute)} />
              <Betrag value={zeile.saldo} />
              <Betrag value={zeile.stand} />
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
