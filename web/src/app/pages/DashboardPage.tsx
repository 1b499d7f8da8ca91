// Mein Forstbetrieb: an overview of the person's holding and news; for the provider's people, pending work;
// for newcomers, what happens next.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HqRecord } from '#contract/hq.ts'
import { hasOneOf, type Role } from '#domain/roles.ts'
import { chooseHq, useActiveHq } from '../../data/active-hq.ts'
import { useSession } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions, Page } from '../../ui/Page.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useApplication } from '../app-context.ts'
import { menuOf } from '../menu.ts'
import { wordsOf } from '../notices/notice-words.ts'
import { unreadNotices } from '../notices/notices.data.ts'
import { isPermitted } from '../route-line.ts'
import './dashboard.css'

// The session determines what is shown first; these parts are loaded when rendered.
const MyBetrieb = splitOff(
  async () => (await import('../../features/my-betrieb/MyBetrieb.tsx')).MyBetrieb,
  <Waiting />,
)
const MyDraenage = splitOff(
  async () => (await import('../../features/my-betrieb/MyDraenage.tsx')).MyDraenage,
  <Waiting />,
)
const WorkProgress = splitOff(
  async () => (await import('../../features/my-betrieb/WorkProgress.tsx')).WorkProgress,
  <Waiting />,
)

export function DashboardPage() {
  const { name, roles, user, hqs, incomplete } = useSession()
  const greeting = user?.first_name
    ? t('Willkommen, {name}', { name: [user.first_name, user.last_name].filter(Boolean).join(' ') })
    : t('Willkommen')
  if (roles[0] === 'ogf_init')
    return <Page title={greeting}>{incomplete ? <Incomplete /> : <Newcomer name={name} />}</Page>
  // People without data of their own come for the links, so these go first.
  const few = hqs.length === 0 && !hasDrainage(roles)
  return (
    <Page title={greeting} subtitle={summaryOf(hqs)}>
      {roles.includes('inactive_fb') && <Inactive />}
      {hasOtherWork(roles) && <WorkProgress />}
      {few && <Ways />}
      {hqs.length > 0 ? <Betriebe hqs={hqs} /> : !hasOtherWork(roles) && !hasDrainage(roles) && <NoHq />}
      {hasDrainage(roles) && <MyDraenage />}
      {!few && <Ways />}
    </Page>
  )
}

function Waiting() {
  return (
    <Card>
      <Skeleton lines={6} />
    </Card>
  )
}

/** Shows one holding at a time; the others can be chosen by name. */
function Betriebe({ hqs }: { hqs: readonly HqRecord[] }) {
  const active = useActiveHq()
  if (active === null) return null
  return (
    <>
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
      <MyBetrieb key={active.idHQ} hq={active} news={<News />} />
      {hqs.length > 1 && <Hqs hqs={hqs} />}
    </>
  )
}

/** Unread notices since the last visit, newest first. */
function News() {
  const { data } = useQuery(unreadNotices)
  // Not essential: the bell reports errors.
  if (data === undefined) return null
  return (
    <Card title={t('Neu seit Ihrem letzten Besuch')}>
      {data.rows.length === 0 ? (
        <p className="soft">{t('Nichts Neues. Was sich ändert, steht hier und unter der Glocke oben.')}</p>
      ) : (
        <ul className="dashboard-neues">
          {data.rows.map((notice) => (
            <li key={notice.id}>
              <a href={notice.ziel}>{wordsOf(notice).title}</a>{' '}
              <span className="soft">
                <DateText value={notice.erstellt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Roles could not be loaded: a temporary problem, and not the person's fault. */
function Incomplete() {
  const reload = useReload()
  return (
    <Notice
      tone="warning"
      title={t('Ihre Daten konnten nicht geladen werden')}
      actions={
        <Button icon="refresh" busy={reload.busy} onClick={reload.run}>
          {t('Erneut versuchen')}
        </Button>
      }
    >
      {t('Solange sehen Sie nur diese Seite. Ihre Rechte und Daten sind unverändert.')}
    </Notice>
  )
}

function Newcomer({ name }: { name: string }) {
  const { config } = useApplication()
  const { email } = useSession()
  const reload = useReload()
  return (
    <Card title={t('Ihr Zugang ist angelegt')}>
      <div className="stack">
        <p>
          {t(
            'Sie sind als {name} angemeldet. Ihr Zugang ist noch mit keinem Forstbetrieb verbunden, deshalb gibt es hier noch nichts zu sehen.',
            { name },
          )}
        </p>
        <ol className="steps">
          <li>{t('Ihre Verwaltung verbindet Ihren Zugang ({email}) mit Ihrem Forstbetrieb.', { email })}</li>
          <li>
            {t(
              'Danach laden Sie diese Seite neu: Ihr Forstbetrieb mit Fläche, Forsteinrichtung und Diensten erscheint hier.',
            )}
          </li>
        </ol>
        {config.support && (
          <p>
            {t('Dauert es länger als einen Arbeitstag? Der Support hilft unter {phone} ({hours}).', {
              phone: config.support.phone,
              hours: config.support.hours,
            })}
          </p>
        )}
        <div className="actions">
          <Button variant="primary" icon="refresh" busy={reload.busy} onClick={reload.run}>
            {t('Noch einmal prüfen')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function useReload() {
  const { reloadSession } = useApplication()
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    reloadSession()
      .catch((error: unknown) => {
        console.error('roles could not be loaded', error)
        if (error instanceof ToldError) toast.error(error.message)
      })
      .finally(() => setBusy(false))
  }
  return { busy, run }
}

function Inactive() {
  const { config } = useApplication()
  return (
    <Notice tone="warning" title={t('Ihr Forstbetrieb ist noch nicht freigeschaltet')}>
      {t('Karten, Bestände und Habitatbäume sind erst nach der Freischaltung zu sehen.')}{' '}
      {config.support
        ? t('Bitte wenden Sie sich an den Support: {phone}.', { phone: config.support.phone })
        : t('Bitte wenden Sie sich an den Support.')}
    </Notice>
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

/** People who work with other people's records need no holding of their own. */
const hasOtherWork = (roles: readonly Role[]): boolean =>
  roles.some((role) => role === 'admin' || role === 'apus_admin')

/** Customers of the drainage side. The provider's people view one customer at a time, on other pages. */
const hasDrainage = (roles: readonly Role[]): boolean =>
  hasOneOf(roles, ['appuser', 'appuser_admin']) && !hasOneOf(roles, ['admin', 'apus_admin', 'apus_team'])

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

/** The menu's pages as buttons, for occasional users. */
function Ways() {
  const { roles } = useSession()
  const { lines, routeOf } = useApplication().routes
  const ways = menuOf(lines, roles)
    .flatMap((entry) => (entry.children.length > 0 ? entry.children : [entry]))
    .filter(({ path }) => path !== '/dashboard')
  // The specification hides it in the menu.
  const abo = routeOf('/abo/index')
  const withAbo = abo !== undefined && isPermitted(abo, roles)
  if (ways.length === 0 && !withAbo) return null
  return (
    <Card title={t('Weiter zu')}>
      <Actions>
        {ways.map(({ path, title, icon }) => (
          <ButtonLink key={path} href={path} icon={icon ?? 'file'}>
            {t(title)}
          </ButtonLink>
        ))}
        {withAbo && (
          <ButtonLink href="/abo/index" icon="ticket">
            {t('Abo verwalten')}
          </ButtonLink>
        )}
      </Actions>
    </Card>
  )
}
