// Revenue of a year beside the year before: by month and by customer.
import type { Buchhaltung } from '#contract/overview.ts'
import { formatEuro } from '#domain/geld.ts'
import { Segments } from '../../../ui/Choice.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { Toolbar } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../../../ui/table.css'
import { Amount } from './Amount.tsx'
import { upward, percent, percentText, changeOf, changeText } from './figures.ts'
import { umsatzInYear, umsatzInMonth, umsatzBetween, yearBefore } from './paths.ts'
import { monthName } from '../../../ui/month-name.ts'

const GroupedBars = splitOff(
  async () => (await import('../../../ui/chart/GroupedBars.tsx')).GroupedBars,
  <Skeleton lines={6} />,
)

type Value = 'netto' | 'brutto'
interface WithPreviousYear {
  readonly netto: string
  readonly brutto: string
  readonly vorjahr_netto: string
  readonly vorjahr_brutto: string
}

export function UmsatzYear({ data }: { data: Buchhaltung }) {
  const view = useView()
  const wert: Value = view.search['wert'] === 'brutto' ? 'brutto' : 'netto'
  const { jahr, heute } = data
  const current = heute.slice(0, 4) === String(jahr)
  return (
    <Card title={t('Umsatz')}>
      <div className="stack">
        <Toolbar label={t('Ansicht des Umsatzes')}>
          <SelectField
            label={t('Jahr')}
            value={String(jahr)}
            onChange={({ target }) =>
              view.setSearch(
                { jahr: target.value === heute.slice(0, 4) ? undefined : target.value },
                { replace: true },
              )
            }
            options={data.jahre.map((year) => ({ value: String(year), label: String(year) }))}
          />
          <Segments
            label={t('Beträge')}
            value={wert}
            options={[
              { value: 'netto', label: t('netto') },
              { value: 'brutto', label: t('brutto') },
            ]}
            onChange={(value) =>
              view.setSearch({ wert: value === 'netto' ? undefined : value }, { replace: true })
            }
          />
        </Toolbar>
        {data.monate.every((month) => month[wert] === '0.00' && month[`vorjahr_${wert}`] === '0.00') ? (
          <Notice>{t('{jahr} und im Jahr davor ist nichts ausgestellt worden.', { jahr })}</Notice>
        ) : (
          <>
            <div className="ueb-bild">
              <GroupedBars
                label={t(
                  'Umsatz {jahr} und im Vorjahr je Monat; dieselben Zahlen stehen in der Tabelle darunter',
                  { jahr },
                )}
                series={[
                  { key: 'jahr', name: String(jahr) },
                  { key: 'vorjahr', name: String(jahr - 1) },
                ]}
                bars={data.monate.map((month) => ({
                  key: month.monat,
                  label: monthName(month.monat, 'short').replace(/\s\d+$/, ''),
                  title: t('{monat}: {betrag}, im Vorjahr {vorjahr}', {
                    monat: monthName(month.monat, 'long'),
                    betrag: formatEuro(month[wert]),
                    vorjahr: formatEuro(month[`vorjahr_${wert}`]),
                  }),
                  values: [upward(month[wert]), upward(month[`vorjahr_${wert}`])],
                }))}
                formatValue={(value) => `${value.toLocaleString('de-DE')} €`}
              />
            </div>
            <div className="ueb-zwei">
              <MonthsTable data={data} wert={wert} />
              <Kunden data={data} wert={wert} />
            </div>
          </>
        )}
        <p className="soft">
          {t(
            'Ausgestellte Rechnungen nach ihrem Datum; Stornos und Korrekturen zählen an ihrem eigenen Tag ' +
              'dagegen.',
          )}
          {current && ` ${t('Das laufende Jahr ist noch nicht zu Ende.')}`}
        </p>
      </div>
    </Card>
  )
}

/** No change for a period that is not over yet: comparing it with a whole one is meaningless. */
function Change({ row, wert, over = true }: { row: WithPreviousYear; wert: Value; over?: boolean }) {
  const change = over ? changeOf(row[wert], row[`vorjahr_${wert}`]) : null
  return (
    <td className="cell-end nums">
      {change === null ? <span className="soft">–</span> : changeText(change)}
    </td>
  )
}
const Head = ({ first, jahr, last }: { first: string; jahr: number; last: string }) => (
  <thead>
    <tr>
      <th scope="col">{first}</th>
      {[String(jahr), String(jahr - 1), last].map((head) => (
        <th key={head} scope="col" className="cell-end">
          {head}
        </th>
      ))}
    </tr>
  </thead>
)

function MonthsTable({ data, wert }: { data: Buchhaltung; wert: Value }) {
  const { jahr, umsatz } = data
  return (
    <SmallTable label={wert === 'netto' ? t('Umsatz je Monat, netto') : t('Umsatz je Monat, brutto')}>
      <Head first={t('Monat')} jahr={jahr} last={t('Veränderung')} />
      <tbody>
        {data.monate.map((month) => (
          <tr key={month.monat}>
            <th scope="row">{monthName(month.monat, 'long').replace(/\s\d+$/, '')}</th>
            <Amount value={month[wert]} href={umsatzInMonth(month.monat)} />
            <Amount value={month[`vorjahr_${wert}`]} href={umsatzInMonth(yearBefore(month.monat))} />
            <Change row={month} wert={wert} over={month.monat < data.heute.slice(0, 7)} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('Summe')}</th>
          <Amount value={umsatz[wert]} href={umsatzInYear(jahr)} />
          <Amount value={umsatz[`vorjahr_${wert}`]} href={umsatzInYear(jahr - 1)} />
          <Change row={umsatz} wert={wert} over={String(jahr) < data.heute.slice(0, 4)} />
        </tr>
        {umsatz.vergleich.bis !== `${jahr - 1}-12-31` && (
          <tr>
            <th scope="row">{t('Vorjahr bis zum selben Tag')}</th>
            <td className="cell-end soft">–</td>
            <Amount
              value={umsatz.vergleich[wert]}
              href={umsatzBetween(`${jahr - 1}-01-01`, umsatz.vergleich.bis)}
            />
            <Change
              row={{
                ...umsatz,
                vorjahr_netto: umsatz.vergleich.netto,
                vorjahr_brutto: umsatz.vergleich.brutto,
              }}
              wert={wert}
            />
          </tr>
        )}
      </tfoot>
    </SmallTable>
  )
}

function Kunden({ data, wert }: { data: Buchhaltung; wert: Value }) {
  const { jahr, umsatz, kunden, uebrige } = data
  if (kunden.length === 0) return <Notice>{t('{jahr} ist nichts ausgestellt worden.', { jahr })}</Notice>
  const portion = (amount: string) => {
    const share = percent(amount, umsatz[wert])
    return (
      <td className="cell-end nums">
        {share === null ? <span className="soft">–</span> : percentText(share)}
      </td>
    )
  }
  return (
    <SmallTable label={wert === 'netto' ? t('Umsatz je Kunde, netto') : t('Umsatz je Kunde, brutto')}>
      <Head first={t('Kunde')} jahr={jahr} last={t('Anteil {jahr}', { jahr })} />
      <tbody>
        {kunden.map((row) => (
          <tr key={row.client_id}>
            <th scope="row" className="ueb-name">
              <a href={`/member-management/client/${row.client_id}`}>
                {row.kunde ?? t('Kunde {nr}', { nr: row.client_id })}
              </a>
            </th>
            <Amount value={row[wert]} href={umsatzInYear(jahr, row.client_id)} />
            <Amount value={row[`vorjahr_${wert}`]} href={umsatzInYear(jahr - 1, row.client_id)} />
            {portion(row[wert])}
          </tr>
        ))}
        {uebrige && (
          <tr>
            <th scope="row">
              {uebrige.anzahl === 1 ? t('1 weiterer Kunde') : t('{n} weitere Kunden', { n: uebrige.anzahl })}
            </th>
            <Amount value={uebrige[wert]} />
            <Amount value={uebrige[`vorjahr_${wert}`]} />
            {portion(uebrige[wert])}
          </tr>
        )}
      </tbody>
    </SmallTable>
  )
}
