// Revenue of a year beside the one before: by month and by customer.
import type { Buchhaltung } from '#contract/uebersicht.ts'
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
import { Betrag } from './Betrag.tsx'
import { aufwaerts, prozent, prozentText, veraenderung, veraenderungText } from './rechnen.ts'
import { umsatzImJahr, umsatzImMonat, umsatzZwischen, vorjahrVon } from './wege.ts'
import { monatName } from './worte.ts'

const GroupedBars = splitOff(async () => (await import('../../../ui/chart/GroupedBars.tsx')).GroupedBars, <Skeleton lines={6} />)

type Wert = 'netto' | 'brutto'
interface MitVorjahr {
  readonly netto: string
  readonly brutto: string
  readonly vorjahr_netto: string
  readonly vorjahr_brutto: string
}

export function UmsatzJahr({ data }: { data: Buchhaltung }) {
  const view = useView()
  const wert: Wert = view.search['wert'] === 'brutto' ? 'brutto' : 'netto'
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
              view.setSearch({ jahr: target.value === heute.slice(0, 4) ? undefined : target.value }, { replace: true })
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
            onChange={(value) => view.setSearch({ wert: value === 'netto' ? undefined : value }, { replace: true })}
          />
        </Toolbar>
        {data.monate.every((month) => month[wert] === '0.00' && month[`vorjahr_${wert}`] === '0.00') ? (
          <Notice>{t('{jahr} und im Jahr davor ist nichts ausgestellt worden.', { jahr })}</Notice>
        ) : (
          <>
            <div className="ueb-bild">
              <GroupedBars
                label={t('Umsatz {jahr} und im Vorjahr je Monat; dieselben Zahlen stehen in der Tabelle darunter', { jahr })}
                series={[
                  { key: 'jahr', name: String(jahr) },
                  { key: 'vorjahr', name: String(jahr - 1) },
                ]}
                bars={data.monate.map((month) => ({
                  key: month.monat,
                  label: monatName(month.monat, 'short').replace(/\s\d+$/, ''),
                  title: t('{monat}: {betrag}, im Vorjahr {vorjahr}', {
                    monat: monatName(month.monat, 'long'),
                    betrag: formatEuro(month[wert]),
                    vorjahr: formatEuro(month[`vorjahr_${wert}`]),
                  }),
                  values: [aufwaerts(month[wert]), aufwaerts(month[`vorjahr_${wert}`])],
                }))}
                formatValue={(value) => `${value.toLocaleString('de-DE')} €`}
              />
            </div>
            <div className="ueb-zwei">
              <Monate data={data} wert={wert} />
              <Kunden data={data} wert={wert} />
            </div>
          </>
        )}
        <p className="soft">
          {t('Ausgestellte Rechnungen nach ihrem Datum; ein Storno zählt an seinem eigenen Tag dagegen.')}
          {current && ` ${t('Das laufende Jahr ist noch nicht zu Ende.')}`}
        </p>
      </div>
    </Card>
  )
}

/** Not of what is not over yet: less than a whole says nothing beside a whole. */
function Wandel({ row, wert, vorbei = true }: { row: MitVorjahr; wert: Wert; vorbei?: boolean }) {
  const change = vorbei ? veraenderung(row[wert], row[`vorjahr_${wert}`]) : null
  return <td className="cell-end nums">{change === null ? <span className="soft">–</span> : veraenderungText(change)}</td>
}
const Kopf = ({ first, jahr, last }: { first: string; jahr: number; last: string }) => (
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

function Monate({ data, wert }: { data: Buchhaltung; wert: Wert }) {
  const { jahr, umsatz } = data
  return (
    <SmallTable label={wert === 'netto' ? t('Umsatz je Monat, netto') : t('Umsatz je Monat, brutto')}>
      <Kopf first={t('Monat')} jahr={jahr} last={t('Veränderung')} />
      <tbody>
        {data.monate.map((month) => (
          <tr key={month.monat}>
            <th scope="row">{monatName(month.monat, 'long').replace(/\s\d+$/, '')}</th>
            <Betrag value={month[wert]} href={umsatzImMonat(month.monat)} />
            <Betrag value={month[`vorjahr_${wert}`]} href={umsatzImMonat(vorjahrVon(month.monat))} />
            <Wandel row={month} wert={wert} vorbei={month.monat < data.heute.slice(0, 7)} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('Summe')}</th>
          <Betrag value={umsatz[wert]} href={umsatzImJahr(jahr)} />
          <Betrag value={umsatz[`vorjahr_${wert}`]} href={umsatzImJahr(jahr - 1)} />
          <Wandel row={umsatz} wert={wert} vorbei={String(jahr) < data.heute.slice(0, 4)} />
        </tr>
        {umsatz.vergleich.bis !== `${jahr - 1}-12-31` && (
          <tr>
            <th scope="row">{t('Vorjahr bis zum selben Tag')}</th>
            <td className="cell-end soft">–</td>
            <Betrag value={umsatz.vergleich[wert]} href={umsatzZwischen(`${jahr - 1}-01-01`, umsatz.vergleich.bis)} />
            <Wandel row={{ ...umsatz, vorjahr_netto: umsatz.vergleich.netto, vorjahr_brutto: umsatz.vergleich.brutto }} wert={wert} />
          </tr>
        )}
      </tfoot>
    </SmallTable>
  )
}

function Kunden({ data, wert }: { data: Buchhaltung; wert: Wert }) {
  const { jahr, umsatz, kunden, uebrige } = data
  if (kunden.length === 0) return <Notice>{t('{jahr} ist nichts ausgestellt worden.', { jahr })}</Notice>
  const anteil = (betrag: string) => {
    const share = prozent(betrag, umsatz[wert])
    return <td className="cell-end nums">{share === null ? <span className="soft">–</span> : prozentText(share)}</td>
  }
  return (
    <SmallTable label={wert === 'netto' ? t('Umsatz je Kunde, netto') : t('Umsatz je Kunde, brutto')}>
      <Kopf first={t('Kunde')} jahr={jahr} last={t('Anteil {jahr}', { jahr })} />
      <tbody>
        {kunden.map((row) => (
          <tr key={row.client_id}>
            <th scope="row" className="ueb-name">
              <a href={`/member-management/client/${row.client_id}`}>{row.kunde ?? t('Kunde {nr}', { nr: row.client_id })}</a>
            </th>
            <Betrag value={row[wert]} href={umsatzImJahr(jahr, row.client_id)} />
            <Betrag value={row[`vorjahr_${wert}`]} href={umsatzImJahr(jahr - 1, row.client_id)} />
            {anteil(row[wert])}
          </tr>
        ))}
        {uebrige && (
          <tr>
            <th scope="row">{uebrige.anzahl === 1 ? t('1 weiterer Kunde') : t('{n} weitere Kunden', { n: uebrige.anzahl })}</th>
            <Betrag value={uebrige[wert]} />
            <Betrag value={uebrige[`vorjahr_${wert}`]} />
            {anteil(uebrige[wert])}
          </tr>
        )}
      </tbody>
    </SmallTable>
  )
}
