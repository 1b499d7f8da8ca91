// The home page of a drainage customer: progress of the plans, what waits for an answer, how much is
// surveyed. Figures and bars link to their rows.
import { useQuery } from '@tanstack/react-query'
import type { KarteStatusCount } from '#contract/karte.ts'
import type { KatasterOverview } from '#contract/vermessung.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { STATUS, statusForCustomer } from '../../record/karte-status.ts'
import { overviewQuery } from '../../record/kataster/overview.data.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { BarList } from '../../ui/chart/BarList.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { katasterHref, myKunden } from './draenage-targets.ts'
import './my-betrieb.css'
import { kartenProgressQuery, openKatasterQuery } from './my-betrieb.data.ts'
import { Part } from './Part.tsx'
import { Figures } from '../../ui/Figures.tsx'

// Loaded on demand, so customers without a survey never load it.
const Charts = splitOff(
  async () => {
    const { KatasterCharts, Growth } = await import('../../record/kataster/KatasterCharts.tsx')
    return ({ kunde, overview }: { kunde: number; overview: KatasterOverview }) => (
      <>
        <KatasterCharts
          overview={overview}
          onKind={(art, surveyed) => ({ href: katasterHref(kunde, { art, vermessen: surveyed }) })}
          onErfq={(erfq) => ({ href: katasterHref(kunde, { art: 'draenage', erfq }) })}
          onQdt={(qdt) => ({ href: katasterHref(kunde, { art: 'draenage', qdt }) })}
        />
        <Growth overview={overview} />
      </>
    )
  },
  <Waiting />,
)

function Waiting() {
  return (
    <Card title={t('Kataster')}>
      <Skeleton lines={8} />
    </Card>
  )
}

export function MyDraenage() {
  const { user } = useSession()
  const { search, setSearch } = useView()
  const kunden = myKunden(user)
  const kunde = kunden.find(({ client_id }) => String(client_id) === search['kunde']) ?? kunden[0]
  if (kunde === undefined) return null
  return (
    <div className="stack">
      <PlansPart />
      {kunden.length > 1 && (
        <div className="betrieb-kunde">
          <SelectField
            label={t('Kunde')}
            options={kunden.map(({ client_id, name }) => ({
              value: String(client_id),
              label: `${name} (${client_id})`,
            }))}
            value={String(kunde.client_id)}
            onChange={({ target }) => setSearch({ kunde: target.value }, { replace: true })}
          />
        </div>
      )}
      <KatasterPart key={kunde.client_id} kunde={kunde.client_id} />
    </div>
  )
}

function PlansPart() {
  const query = useQuery(kartenProgressQuery)
  return (
    <Part
      title={t('Ihre Pläne')}
      query={query}
      lines={6}
      actions={
        <ButtonLink href="/karten/index" icon="map">
          {t('Pläne öffnen')}
        </ButtonLink>
      }
    >
      {(states) =>
        states.length === 0 ? (
          <EmptyState icon="map" title={t('Noch keine Pläne')}>
            {t('Sobald wir einen Plan für Sie freigeben, steht er hier.')}
          </EmptyState>
        ) : (
          <Plans states={states} />
        )
      }
    </Part>
  )
}

function Plans({ states }: { states: readonly KarteStatusCount[] }) {
  const mayAnswer = useHasRole('appuser_admin')
  const counted = (key: 'wartend' | 'rueckfragen') => states.reduce((all, one) => all + one[key], 0)
  const sum = (key: 'wartend' | 'rueckfragen') => formatNumber(counted(key))
  return (
    <div className="stack">
      <Figures
        label={t('Pläne nach Antwort')}
        zahlen={[
          {
            key: 'wartend',
            name: mayAnswer ? t('warten auf Ihre Antwort') : t('warten auf die Antwort Ihrer Verwaltung'),
            value: sum('wartend'),
            href: '/karten/index?antwort=offen,in_pruefung',
          },
          {
            key: 'rueckfragen',
            name:
              counted('rueckfragen') === 1 ? t('Rückfrage liegt bei uns') : t('Rückfragen liegen bei uns'),
            value: sum('rueckfragen'),
            href: '/karten/index?antwort=rueckfrage',
          },
        ]}
      />
      <BarList
        label={t('Pläne nach Bearbeitungsstatus')}
        rows={STATUS.map((status) => {
          const count = states.find((one) => one.status === status)?.anzahl ?? 0
          const name = statusForCustomer(status)
          return {
            key: status,
            name,
            text: formatNumber(count),
            parts: [
              {
                key: 'n',
                value: count,
                label:
                  count === 1
                    ? t('{name}: 1 Plan', { name })
                    : t('{name}: {n} Pläne', { name, n: formatNumber(count) }),
                href: `/karten/index?status=${status}`,
              },
            ],
          }
        })}
      />
    </div>
  )
}

/** One card while there is nothing to draw; then one per chart. */
function KatasterPart({ kunde }: { kunde: number }) {
  const free = useQuery(openKatasterQuery)
  const open = free.data?.includes(kunde) === true
  const overview = useQuery({ ...overviewQuery(kunde), enabled: open })
  const failed = free.error === null ? overview : free
  if (free.data !== undefined && !open)
    return (
      <Card title={t('Kataster')}>
        <EmptyState icon="layers" title={t('Das Kataster ist für Sie nicht freigeschaltet')}>
          {t(
            'Mit dem Kataster sehen Sie hier, was vermessen ist und was nur vermutet wird. Wir schalten es ' +
              'gern für Sie frei.',
          )}
        </EmptyState>
      </Card>
    )
  if (overview.data === undefined)
    return (
      <Card title={t('Kataster')}>
        {failed.error ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </Card>
    )
  if (overview.data.umgriff === null)
    return (
      <Card title={t('Kataster')}>
        <EmptyState icon="layers" title={t('Noch keine Vermessung')}>
          {t(
            'Sobald Dränagen, Schächte und Ausmündungen aufgenommen sind, sehen Sie hier, wie weit die Vermessung ist.',
          )}
        </EmptyState>
      </Card>
    )
  return <Charts kunde={kunde} overview={overview.data} />
}
