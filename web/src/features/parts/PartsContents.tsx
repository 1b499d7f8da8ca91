// Tables, messages, cards and charts in all their states.
import { useState } from 'react'
import { BarList } from '../../ui/chart/BarList.tsx'
import { GroupedBars } from '../../ui/chart/GroupedBars.tsx'
import { StackedBars } from '../../ui/chart/StackedBars.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { Figures } from '../../ui/Figures.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Linked } from '../../ui/Linked.tsx'
import { MailLink } from '../../ui/MailLink.tsx'
import { Columns } from '../../ui/Page.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { HeadRow, SmallTable } from '../../ui/SmallTable.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { ToastLine } from '../../ui/Toaster.tsx'
import { ToldError } from '../../ui/told-error.ts'

const nothing = () => {}
class SampleError extends ToldError {
  readonly code = 'unavailable'
  readonly origin = '503'
}
const TONES = ['neutral', 'info', 'success', 'warning', 'danger'] as const
const EMPTY = ['tree', 'map', 'file', 'mail', 'people', 'search', 'lock'] as const

export const Messages = () => (
  <>
    {TONES.map((tone) => (
      <Notice
        key={tone}
        tone={tone}
        title={t('Hinweis')}
        actions={<Button size="small">{t('Öffnen')}</Button>}
      >
        {t('Ein Satz, der sagt, was ist, und was der nächste Schritt ist.')}
      </Notice>
    ))}
    <Refused />
    <div className="parts-toasts">
      {(['success', 'info', 'error'] as const).map((tone, at) => (
        <ToastLine
          key={tone}
          toast={{ id: -1 - at, tone, text: t('Gespeichert.'), ...(at === 0 && { undo: nothing }) }}
        />
      ))}
    </div>
    <div className="parts-states">
      {EMPTY.map((icon) => (
        <Card key={icon}>
          <EmptyState
            icon={icon}
            title={t('Noch nichts da')}
            {...(icon === 'tree' && { action: <Button icon="plus">{t('Neu')}</Button> })}
          >
            {t('Was hier stehen wird, und wie es dazu kommt.')}
          </EmptyState>
        </Card>
      ))}
      <Card>
        <ErrorState
          error={new SampleError(t('Der Server antwortet nicht. Bitte versuchen Sie es gleich noch einmal.'))}
          onRetry={nothing}
        />
      </Card>
      <Card>
        <Skeleton lines={6} />
      </Card>
    </div>
  </>
)

/** It comes into sight by itself, so only when asked for. */
function Refused() {
  const [refused, setRefused] = useState(false)
  return (
    <>
      <div className="parts-row">
        <Button onClick={() => setRefused(!refused)}>{t('Absage')}</Button>
      </div>
      {refused && (
        <Refusal title={t('Nicht gespeichert')}>
          {t('Ein Satz, der sagt, was ist, und was der nächste Schritt ist.')}
        </Refusal>
      )}
    </>
  )
}

interface Tree {
  readonly nr: number
  readonly art: string
  readonly ort: string
  readonly bhd: number
}
const TREES: readonly Tree[] = [
  { nr: 1, art: 'Buche', ort: 'Abteilung 3', bhd: 82 },
  { nr: 2, art: 'Eiche', ort: 'Abteilung 3', bhd: 104 },
  { nr: 3, art: 'Fichte', ort: 'Abteilung 4', bhd: 61 },
]
const columns = (): Column<Tree>[] => [
  { key: 'art', title: t('Baumart'), cell: ({ art }) => art, sortable: true },
  { key: 'ort', title: t('Ort'), cell: ({ ort }) => ort },
  { key: 'bhd', title: t('BHD'), cell: ({ bhd }) => formatNumber(bhd), align: 'end', sortable: true },
]

export function Tables() {
  const common = {
    caption: t('Habitatbäume'),
    columns: columns(),
    rowKey: ({ nr }: Tree) => nr,
    skeletonRows: 3,
  }
  return (
    <>
      <Card flush>
        <DataTable
          {...common}
          caption={t('Habitatbäume')}
          rows={TREES}
          rowHref={() => '/verwaltung/bausteine'}
          sort={{ column: 'bhd', descending: true }}
          onSort={nothing}
          rowTone={({ nr }) => (nr === 2 ? 'soft' : nr === 3 ? 'faulty' : undefined)}
          selection={{
            chosen: { has: (key) => key === 1 },
            nameOf: ({ art }) => art,
            onRow: nothing,
            onAll: nothing,
          }}
        />
      </Card>
      <Columns>
        <Card flush title={t('Wird geladen …')}>
          <DataTable {...common} caption={t('Wird geladen …')} rows={[]} loading />
        </Card>
        <Card flush title={t('Keine Treffer')}>
          <DataTable
            {...common}
            caption={t('Keine Treffer')}
            rows={[]}
            empty={<EmptyState icon="search" title={t('Keine Treffer')} />}
          />
        </Card>
        <Card title={t('Fehler')}>
          <ErrorState error={null} onRetry={nothing} />
        </Card>
      </Columns>
      <Card title={t('Kleine Tabelle')}>
        <SmallTable label={t('Kleine Tabelle')}>
          <HeadRow titles={[t('Baumart'), t('BHD')]} />
          <tbody>
            {TREES.map(({ nr, art, bhd }) => (
              <tr key={nr}>
                <th scope="row">{art}</th>
                <td className="cell-end nums">{bhd}</td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
      </Card>
    </>
  )
}

export const Contents = () => (
  <>
    <div className="parts-row">
      {TONES.map((tone) => (
        <Badge key={tone} tone={tone}>
          {t('Status')}
        </Badge>
      ))}
    </div>
    <Figures
      label={t('Zahlen')}
      zahlen={[
        { key: 'a', name: t('Rechnungen'), value: '12', href: '/verwaltung/bausteine' },
        {
          key: 'b',
          name: t('Überfällig'),
          value: '1.240,50 €',
          more: t('{n} Rechnungen', { n: 3 }),
          bad: true,
        },
        { key: 'c', name: t('Angebote'), value: '0' },
      ]}
    />
    <Columns>
      <Card title={t('Stammdaten')} actions={<Button size="small">{t('Bearbeiten')}</Button>}>
        <Facts
          facts={[
            fact(t('Name'), 'Realverband Neuhausen'),
            fact(t('Datum'), <DateText value="2026-12-31" />),
            fact(t('Fläche'), <NumberText value={1234.5} unit="ha" />),
            fact(t('Telefon'), <PhoneLink number="07158 / 12345" />),
            fact(t('E-Mail'), <MailLink address="kontakt@forst.example" />),
            fact(t('Bemerkung'), null),
          ]}
        />
      </Card>
      <Card>
        <p>{t('Ein Satz, der sagt, was ist, und was der nächste Schritt ist.')}</p>
        <p>
          <Linked text={t('Telefon: {nummer}')} parts={{ nummer: <PhoneLink number="07158 / 12345" /> }} />
        </p>
      </Card>
    </Columns>
  </>
)

const MONTHS = ['Jan', 'Feb', 'Mrz', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez']
const AMOUNTS = [12, 18, 9, 24, 31, 22, 16, 8, 27, 35, 20, 11]
const COURSE = AMOUNTS.map((amount) => (amount - 20) * 1000)
const bars = (parts: number) =>
  MONTHS.map((month, at) => ({
    key: month,
    label: `${month} 26`,
    title: `${month} 2026: ${formatNumber((AMOUNTS[at] ?? 0) * 1000)} €`,
    values: Array.from({ length: parts }, (_, nr) => ((AMOUNTS[(at + nr * 5) % 12] ?? 0) * 1000) / (nr + 1)),
  }))
const euro = (value: number): string => `${formatNumber(value)} €`

export function Pictures() {
  const series = [t('Rechnungen'), t('Angebote'), t('Ausgaben')].map((name) => ({ key: name, name }))
  return (
    <>
      <Card title={t('Säulen mit Verlauf')}>
        <GroupedBars
          label={t('Säulen mit Verlauf')}
          series={series}
          bars={bars(3)}
          line={{ name: t('Verlauf'), values: COURSE }}
          formatValue={euro}
          tableOf={t('Monat')}
        />
      </Card>
      <Columns>
        <Card title={t('Gestapelte Säulen')}>
          <StackedBars
            label={t('Gestapelte Säulen')}
            series={series.slice(0, 2)}
            bars={bars(2)}
            formatValue={euro}
            tableOf={t('Monat')}
          />
        </Card>
        <Card title={t('Balken')}>
          <BarList
            label={t('Balken')}
            rows={TREES.map(({ nr, art, bhd }) => ({
              key: art,
              name: art,
              text: formatNumber(bhd),
              parts: [{ key: 'n', value: bhd, label: `${art}: ${bhd}`, chosen: nr === 2, onPress: nothing }],
            }))}
          />
        </Card>
      </Columns>
    </>
  )
}
