// Mein Forstbetrieb: the desk of every role. What waits, what is new, the person's holdings and plans, figures;
// blocks can be hidden and moved. For newcomers, what happens next.
import { type ReactNode, useState } from 'react'
import type { HqRecord } from '#contract/hq.ts'
import type { Ahead } from '../../data/ahead.ts'
import { useSession } from '../../data/session.ts'
import { deskQuery } from '../../features/my-betrieb/desk.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Linked } from '../../ui/Linked.tsx'
import { Page } from '../../ui/Page.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { usePreference } from '../../ui/preferences.ts'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { arranged, type Block, blocksFor, rowsOf } from '../desk/blocks.ts'
import { isPermitted } from '../route-line.ts'
import './dashboard.css'

// The session determines what is shown first; these parts are loaded when rendered.
const waits = (
  <Card>
    <Skeleton lines={6} />
  </Card>
)
const PlacesBlock = splitOff(async () => (await import('../desk/PlacesBlock.tsx')).PlacesBlock, waits)
const Newcomer = splitOff(async () => (await import('../desk/Newcomer.tsx')).Newcomer, waits)
const Incomplete = splitOff(async () => (await import('../desk/Newcomer.tsx')).Incomplete, waits)
const Holdings = splitOff(async () => (await import('../desk/Holdings.tsx')).Holdings, waits)
const MyDraenage = splitOff(
  async () => (await import('../../features/my-betrieb/MyDraenage.tsx')).MyDraenage,
  waits,
)
const Waiting = splitOff(async () => (await import('../../features/my-betrieb/Waiting.tsx')).Waiting, waits)
const KeyNumbers = splitOff(
  async () => (await import('../../features/my-betrieb/KeyNumbers.tsx')).KeyNumbers,
  waits,
)
const SetupList = splitOff(async () => (await import('../desk/SetupList.tsx')).SetupList)
const ArrangeDialog = splitOff(async () => (await import('../desk/ArrangeDialog.tsx')).ArrangeDialog)

export function DashboardPage() {
  const { name, roles, user, hqs, incomplete } = useSession()
  const [arranging, setArranging] = useState(false)
  const greeting = user?.first_name
    ? t('Willkommen, {name}', { name: [user.first_name, user.last_name].filter(Boolean).join(' ') })
    : t('Willkommen')
  const order = usePreference('deskOrder')
  const hidden = usePreference('deskHidden')
  if (roles[0] === 'ogf_init')
    return <Page title={greeting}>{incomplete ? <Incomplete /> : <Newcomer name={name} />}</Page>
  const blocks = arranged(blocksFor(roles, hqs.length), { order })
  const shown = blocks.filter((block) => !hidden.includes(block))
  return (
    <Page
      title={greeting}
      subtitle={summaryOf(hqs)}
      actions={
        <Button variant="quiet" icon="gear" onClick={() => setArranging(true)}>
          {t('Startseite anpassen')}
        </Button>
      }
    >
      {roles.includes('inactive_fb') && <Inactive />}
      {blocks.every((block) => block === 'news' || block === 'recent') && <NoHq />}
      {rowsOf(shown).map((row) =>
        typeof row === 'string' ? (
          <BlockContent key={row} block={row} />
        ) : (
          <div key={row.flat().join(' ')} className="desk-row">
            {row.map((column) => (
              <div key={column[0]} className="stack">
                {column.map((block) => (
                  <BlockContent key={block} block={block} />
                ))}
              </div>
            ))}
          </div>
        ),
      )}
      {arranging && <ArrangeDialog blocks={blocks} hidden={hidden} onClose={() => setArranging(false)} />}
    </Page>
  )
}

DashboardPage.ahead = ((client, _search, { roles, hqs }) => {
  const needs: readonly Block[] = ['waiting', 'numbers']
  if (roles[0] !== 'ogf_init' && blocksFor(roles, hqs.length).some((block) => needs.includes(block)))
    void client.prefetchQuery(deskQuery)
}) satisfies Ahead

function BlockContent({ block }: { block: Block }): ReactNode {
  const { hqs, roles } = useSession()
  const {
    routes: { routeOf },
    Recent,
    News,
  } = useApplication()
  switch (block) {
    case 'setup':
      return <SetupList />
    case 'waiting':
      return <Waiting />
    case 'news':
      return <News />
    case 'recent':
      return <Recent />
    case 'map':
      return <PlacesBlock />
    case 'holdings':
      return <Holdings hqs={hqs} />
    case 'drainage':
      return <MyDraenage />
    case 'numbers':
      return (
        <KeyNumbers
          leadsTo={(path) => {
            const line = routeOf(path)
            return line !== undefined && isPermitted(line, roles)
          }}
        />
      )
  }
}

function Inactive() {
  const { config } = useApplication()
  return (
    <Notice tone="warning" title={t('Ihr Forstbetrieb ist noch nicht freigeschaltet')}>
      {t('Pläne, Bestände und Habitatbäume sind erst nach der Freischaltung zu sehen.')}{' '}
      {config.support ? (
        <Linked
          text={t('Bitte wenden Sie sich an den Support: {phone}.')}
          parts={{ phone: <PhoneLink number={config.support.phone} /> }}
        />
      ) : (
        t('Bitte wenden Sie sich an den Support.')
      )}
    </Notice>
  )
}

const NoHq = () => (
  <Card>
    <EmptyState icon="tree" title={t('Kein Forstbetrieb verbunden')}>
      {t('Ihr Zugang ist mit keinem Forstbetrieb verbunden. Was Sie hier tun können, steht im Menü.')}
    </EmptyState>
  </Card>
)

/** For several holdings: their number and total area. */
function summaryOf(hqs: readonly HqRecord[]): string | undefined {
  if (hqs.length < 2) return hqs[0]?.sHQ
  const hectares = hqs.reduce((sum, hq) => sum + Number(hq.dcFLAEHB ?? 0), 0)
  return t('{count} Forstbetriebe, zusammen {area} ha', {
    count: hqs.length,
    area: formatNumber(hectares, 2),
  })
}
