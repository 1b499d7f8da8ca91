// Modules, trees, subscriptions and people of a holding.
import type { AboModule } from '#contract/abo.ts'
import type { Hq, KundeHq } from '#contract/hq.ts'
import type { HqSummary } from '#contract/summary.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { MailLink } from '../../ui/MailLink.tsx'
import { t } from '../../ui/text.ts'
import { treeName } from '../habitat/habitat-words.ts'
import { accessName, hqStatusName } from '../hq/hq-fields.ts'
import { Block, Row } from './Block.tsx'
import type { HqPlaces } from './hq-places.ts'

const moduleText = (feature: AboModule): string =>
  feature === 'fe' ? t('Forsteinrichtung (FE)') : feature === 'basis_fe' ? t('Basis-FE') : t('KAWM')

export function Modules({
  hq,
  switches,
  places,
  mayChange,
}: {
  hq: Hq
  switches: KundeHq
  places: HqPlaces
  mayChange: boolean
}) {
  const on = [
    ...(switches.fe_enabled ? [moduleText('fe')] : []),
    ...(switches.basis_fe_enabled ? [moduleText('basis_fe')] : []),
    ...(switches.kawm_enabled ? [moduleText('kawm')] : []),
  ]
  return (
    <Block
      title={t('Module')}
      all={places.tab('module')}
      allText={t('Module öffnen')}
      empty={t('Kein Modul ist freigeschaltet.')}
      next={
        mayChange && (
          <ButtonLink size="small" href={places.tab('module')}>
            {t('Module öffnen')}
          </ButtonLink>
        )
      }
    >
      {on.map((name) => (
        <Row
          key={name}
          name={name}
          value={
            hq.fb_enabled ? (
              <Badge tone="success">{t('freigeschaltet')}</Badge>
            ) : (
              <Badge tone="warning">{accessName(false)}</Badge>
            )
          }
        />
      ))}
    </Block>
  )
}

export function Trees({
  trees,
  enabled,
  mayRecord,
  places,
}: {
  trees: HqSummary['baeume']
  enabled: boolean
  mayRecord: boolean
  places: HqPlaces
}) {
  return (
    <Block
      title={t('Zuletzt erfasste Habitatbäume')}
      count={trees.anzahl}
      all={places.trees}
      empty={
        enabled
          ? t('Noch kein Habitatbaum erfasst.')
          : t('Habitatbäume werden erfasst, sobald der Forstbetrieb freigeschaltet ist.')
      }
      next={
        mayRecord && (
          <ButtonLink size="small" icon="plus" href={`${places.trees}&neu=baum`}>
            {t('Neuer Habitatbaum')}
          </ButtonLink>
        )
      }
    >
      {trees.zeilen.map((row) => (
        <Row
          key={row.id}
          href={places.tree(row.id)}
          name={treeName(row)}
          badges={row.markiert && <Badge tone="success">{t('markiert')}</Badge>}
          value={<span className="soft">{formatDate(row.erfasst_am)}</span>}
          {...(row.bhd_cm !== null && { more: t('BHD {n} cm', { n: formatNumber(row.bhd_cm) }) })}
        />
      ))}
    </Block>
  )
}

export function Abos({ abos, places }: { abos: NonNullable<HqSummary['abos']>; places: HqPlaces }) {
  return (
    <Block
      title={t('Laufende Abos')}
      count={abos.anzahl}
      all={places.tab('module')}
      allText={t('Module öffnen')}
      empty={t('Kein Abo läuft.')}
    >
      {abos.zeilen.map(({ id, modul: which, zustand, ende }) => (
        <Row
          key={id}
          name={moduleText(which)}
          badges={
            zustand === 'gekuendigt' ? (
              <Badge tone="warning">{t('gekündigt')}</Badge>
            ) : (
              <Badge tone="success">{t('läuft')}</Badge>
            )
          }
          value={t('bis {tag}', { tag: formatDate(ende) })}
        />
      ))}
    </Block>
  )
}

export function HqPeople({ people, places }: { people: HqSummary['personen']; places: HqPlaces }) {
  return (
    <Block
      title={t('Personen')}
      count={people.anzahl}
      all={places.tab('personen')}
      empty={t('Noch niemand zugeordnet.')}
      next={
        <ButtonLink size="small" icon="plus" href={places.connect}>
          {t('Person zuordnen')}
        </ButtonLink>
      }
    >
      {people.zeilen.map((row) => (
        <Row
          key={row.user_id}
          href={places.tab('personen')}
          name={row.name}
          badges={!row.enabled && <Badge tone="danger">{t('gesperrt')}</Badge>}
          more={
            <span className="summary-reach">
              <span>{hqStatusName(row.hq_status)}</span>
              <MailLink address={row.mail} />
            </span>
          }
        />
      ))}
    </Block>
  )
}
