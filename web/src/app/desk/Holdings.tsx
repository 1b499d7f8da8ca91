// The person's holdings: one at a glance, the others below it.
import type { HqRecord } from '#contract/hq.ts'
import { chooseHq, useActiveHq } from '../../data/active-hq.ts'
import { MyBetrieb } from '../../features/my-betrieb/MyBetrieb.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, DateText, Facts, fact, NumberText } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

/** Shows one holding at a time; the others can be chosen by name. */
export function Holdings({ hqs }: { hqs: readonly HqRecord[] }) {
  const active = useActiveHq()
  if (active === null) return null
  return (
    <div className="stack">
      {hqs.filter(({ fb_enabled }) => fb_enabled).length > 1 && (
        <div className="dashboard-wahl">
          <SelectField
            label={t('Forstbetrieb')}
            options={hqs
              .filter(({ fb_enabled }) => fb_enabled === active.fb_enabled)
              .map(({ idHQ, sHQ }) => ({ value: String(idHQ), label: sHQ }))}
            value={String(active.idHQ)}
            onChange={({ target }) => chooseHq(Number(target.value))}
          />
        </div>
      )}
      <OneHq hq={active} />
      <MyBetrieb key={active.idHQ} hq={active} />
      {hqs.length > 1 && <Hqs hqs={hqs} />}
    </div>
  )
}

const Status = ({ hq }: { hq: HqRecord }) =>
  hq.fb_enabled ? (
    <Badge tone="success">{t('Freigeschaltet')}</Badge>
  ) : (
    <Badge tone="warning">{t('Nicht freigeschaltet')}</Badge>
  )
const Standing = ({ hq }: { hq: HqRecord }) => (
  <>{hq.hq_status.includes('hq_admin') ? t('Verwaltung') : t('Nutzung')}</>
)

function OneHq({ hq }: { hq: HqRecord }) {
  return (
    <Card title={hq.sHQ} actions={<Status hq={hq} />}>
      <Facts
        facts={[
          fact(t('Betriebsnummer'), <span className="nums">{hq.idHQ}</span>),
          fact(t('Betriebsfläche'), <NumberText value={hq.dcFLAEHB} digits={2} unit="ha" />),
          fact(t('Stichtag der Forsteinrichtung'), <DateText value={hq.dtFE} />),
          fact(t('Ihre Aufgabe'), <Standing hq={hq} />),
        ]}
      />
    </Card>
  )
}

const columns = (): readonly Column<HqRecord>[] => [
  { key: 'sHQ', title: t('Forstbetrieb'), cell: (hq) => hq.sHQ },
  { key: 'idHQ', title: t('Nummer'), cell: (hq) => hq.idHQ, align: 'end' },
  {
    key: 'dcFLAEHB',
    title: t('Fläche'),
    cell: (hq) => <NumberText value={hq.dcFLAEHB} digits={2} unit="ha" />,
    align: 'end',
  },
  { key: 'dtFE', title: t('Forsteinrichtung'), cell: (hq) => <DateText value={hq.dtFE} /> },
  { key: 'hq_status', title: t('Ihre Aufgabe'), cell: (hq) => <Standing hq={hq} /> },
  { key: 'fb_enabled', title: t('Status'), cell: (hq) => <Status hq={hq} /> },
]

function Hqs({ hqs }: { hqs: readonly HqRecord[] }) {
  return (
    <Card title={t('Ihre Forstbetriebe')} flush>
      <DataTable caption={t('Ihre Forstbetriebe')} columns={columns()} rows={hqs} rowKey={(hq) => hq.idHQ} />
    </Card>
  )
}
