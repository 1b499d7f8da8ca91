// Holdings, plans and people of a customer.
import type { KundePerson, KundeSummary, SummaryHolding, SummaryPlan } from '#contract/summary.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { MailLink } from '../../ui/MailLink.tsx'
import { t } from '../../ui/text.ts'
import { accessName } from '../hq/hq-fields.ts'
import { statusForCustomer, statusName, statusTone } from '../karte-status.ts'
import { Block, Row } from './Block.tsx'
import type { KundePlaces } from './kunde-places.ts'
import { linkRoleName } from './summary-words.ts'

type Part<K extends keyof KundeSummary> = NonNullable<KundeSummary[K]>

const modulesOf = ({ fe_enabled, basis_fe_enabled, kawm_enabled }: SummaryHolding): string[] => [
  ...(fe_enabled ? [t('FE')] : []),
  ...(basis_fe_enabled ? [t('Basis-FE')] : []),
  ...(kawm_enabled ? [t('KAWM')] : []),
]

export function Holdings({
  holdings,
  places,
  next,
}: {
  holdings: Part<'forstbetriebe'>
  places: KundePlaces
  next: ReactNode
}) {
  return (
    <Block
      title={t('Forstbetriebe')}
      count={holdings.anzahl}
      all={places.holdings}
      empty={t('Noch kein Forstbetrieb.')}
      next={next}
    >
      {holdings.zeilen.map((row) => (
        <Row
          key={row.id}
          href={places.holding(row.id)}
          name={row.name}
          badges={
            <>
              {modulesOf(row).map((name) => (
                <Badge key={name} tone="info">
                  {name}
                </Badge>
              ))}
              {!row.fb_enabled && <Badge tone="warning">{accessName(false)}</Badge>}
            </>
          }
          {...(row.hektar !== null && { value: t('{ha} ha', { ha: formatNumber(row.hektar, 2) }) })}
          more={
            row.baeume === 0
              ? t('noch keine Habitatbäume')
              : row.baeume === 1
                ? t('1 Habitatbaum')
                : t('{n} Habitatbäume', { n: formatNumber(row.baeume) })
          }
        />
      ))}
    </Block>
  )
}

/** @param own the reader is one of the customer's people */
const planBadges = ({ status, client_status, show_client }: SummaryPlan, own: boolean): ReactNode => (
  <>
    <Badge tone={statusTone(status)}>{own ? statusForCustomer(status) : statusName(status)}</Badge>
    {client_status === 'rueckfrage' && <Badge tone="warning">{t('Rückfrage')}</Badge>}
    {!own && !show_client && <Badge>{t('für den Kunden nicht sichtbar')}</Badge>}
  </>
)

export function Plans({
  plans,
  places,
  own,
  next,
}: {
  plans: Part<'karten'>
  places: KundePlaces
  own: boolean
  next: ReactNode
}) {
  return (
    <Block
      title={t('Zuletzt geänderte Pläne')}
      count={plans.anzahl}
      all={places.plans}
      empty={t('Noch kein Plan.')}
      next={next}
    >
      {plans.zeilen.map((row) => (
        <Row
          key={row.id}
          href={places.plan(row.id)}
          name={row.name}
          value={<span className="soft">{formatDate(row.geaendert_am)}</span>}
          more={planBadges(row, own)}
        />
      ))}
    </Block>
  )
}

const linksOf = ({ rolle, betriebe }: KundePerson): string => [linkRoleName(rolle), ...betriebe].join(' · ')

export function People({
  people,
  places,
  next,
}: {
  people: Part<'personen'>
  places: KundePlaces
  next: ReactNode
}) {
  return (
    <Block
      title={t('Personen')}
      count={people.anzahl}
      all={places.people}
      empty={t('Noch niemand zugeordnet.')}
      next={next}
    >
      {people.zeilen.map((row) => (
        <Row
          key={row.user_id}
          href={places.person(row.user_id)}
          name={row.name}
          badges={!row.enabled && <Badge tone="danger">{t('gesperrt')}</Badge>}
          more={
            <span className="summary-reach">
              <span>{linksOf(row)}</span>
              <MailLink address={row.mail} />
            </span>
          }
        />
      ))}
    </Block>
  )
}
