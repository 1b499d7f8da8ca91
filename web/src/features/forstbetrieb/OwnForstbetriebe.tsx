// A forester's own headquarters, one card each, and where they are. Says clearly if one is not enabled, and
// whom to ask.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HqRow } from '#contract/forstbetrieb.ts'
import type { HqBbox } from '#contract/rpc.ts'
import { useSession } from '../../data/session.ts'
import { hqLabel, hqStatusName, accessName } from '../../record/hq/hq-fields.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { Columns, Page } from '../../ui/Page.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { SupportContact } from '../../ui/support.tsx'
import { t } from '../../ui/text.ts'
import { spotOf } from '../../karte/outline-ground.ts'
import { boxRing, metresPerUnit, unite } from '../../karte/outline-view.ts'
import './forstbetrieb.css'
import { hqBoxes } from './forstbetrieb.data.ts'
import { ModuleBadges } from './Module.tsx'

const OutlineKarte = splitOff(
  async () => (await import('../../karte/OutlineKarte.tsx')).OutlineKarte,
  <Skeleton lines={8} />,
)

export function OwnForstbetriebe({ rows, mayOpen }: { rows: readonly HqRow[]; mayOpen: boolean }) {
  const { hqs } = useSession()
  const enabled = rows.filter(({ fb_enabled }) => fb_enabled).length
  const roleIn = new Map(hqs.map(({ idHQ, hq_status }) => [Number(idHQ), hq_status]))
  if (rows.length === 0)
    return (
      <Page>
        <Card>
          <EmptyState icon="building" title={t('Noch kein Forstbetrieb zugeordnet')}>
            {t('Sobald Sie einem Forstbetrieb zugeordnet sind, steht er hier.')} <SupportContact />
          </EmptyState>
        </Card>
      </Page>
    )
  return (
    <Page
      subtitle={
        rows.length === 1
          ? t('1 Forstbetrieb')
          : t('{n} Forstbetriebe, davon {enabled} freigeschaltet', { n: rows.length, enabled })
      }
    >
      {enabled === 0 && (
        <Notice
          tone="warning"
          title={
            rows.length === 1
              ? t('Ihr Forstbetrieb ist nicht freigeschaltet')
              : t('Keiner Ihrer Forstbetriebe ist freigeschaltet')
          }
        >
          {t(
            'Sie sehen hier die Stammdaten. Waldbestand, Habitatbäume und Auswertungen öffnen sich ' +
              'erst mit der Freischaltung.',
          )}{' '}
          <SupportContact />
        </Notice>
      )}
      <Columns>
        {rows.map((row) => (
          <HqCard
            key={row.idHQ}
            row={row}
            status={roleIn.get(row.idHQ)}
            alone={enabled === 0}
            href={mayOpen ? `/forstbetriebe/${row.idHQ}` : null}
          />
        ))}
      </Columns>
      <LocationPart />
    </Page>
  )
}

function HqCard({
  row,
  status,
  alone,
  href,
}: {
  row: HqRow
  status: readonly string[] | undefined
  alone: boolean
  href: string | null
}) {
  const { fb_enabled, dcFLAEHB, dtFE, kawm_enabled, kawm_area, kawm_approval_date } = row
  return (
    <Card
      title={<span className="hq-card-name">{row.sHQ}</span>}
      actions={<Badge tone={fb_enabled ? 'success' : 'warning'}>{accessName(fb_enabled)}</Badge>}
    >
      <div className="stack">
        <Facts
          facts={[
            fact(hqLabel('dcFLAEHB'), <NumberText key="ha" value={dcFLAEHB} digits={2} unit="ha" />),
            fact(hqLabel('dtFE'), <DateText key="fe" value={dtFE} />),
            fact(t('Module'), <ModuleBadges key="module" row={row} />),
            ...(kawm_enabled
              ? [
                  fact(
                    hqLabel('kawm_area'),
                    <NumberText key="kawm" value={kawm_area} digits={2} unit="ha" />,
                  ),
                  fact(hqLabel('kawm_approval_date'), <DateText key="date" value={kawm_approval_date} />),
                ]
              : []),
            ...(status ? [fact(t('Ihre Rolle'), hqStatusName(status))] : []),
          ]}
        />
        {!fb_enabled && !alone && (
          <Notice tone="warning" title={t('Nicht freigeschaltet')}>
            <SupportContact />
          </Notice>
        )}
        {href !== null && (
          <div>
            <ButtonLink href={href}>{t('{name} öffnen', { name: row.sHQ })}</ButtonLink>
          </div>
        )}
      </div>
    </Card>
  )
}

/** Map of the user's own headquarters, by their extents. */
function LocationPart() {
  const { data: boxes = [] } = useQuery(hqBoxes)
  if (boxes.length === 0) return null
  return (
    <Card title={t('Lage')}>
      <Boxes boxes={boxes} />
    </Card>
  )
}
function Boxes({ boxes }: { boxes: readonly HqBbox[] }) {
  const { shapes, extent, metres, spot } = useMemo(() => {
    const extents = boxes.map(({ west, south, east, north }) => ({
      xmin: west,
      ymin: south,
      xmax: east,
      ymax: north,
    }))
    const whole = unite(extents)
    return {
      shapes: boxes.map(({ idHQ, sHQ }, at) => ({
        key: idHQ,
        label: sHQ,
        box: true,
        polygon: boxRing(extents[at]!),
      })),
      extent: whole,
      metres: metresPerUnit(4326, (whole.ymin + whole.ymax) / 2),
      spot: spotOf(4326, { west: whole.xmin, south: whole.ymin, east: whole.xmax, north: whole.ymax }),
    }
  }, [boxes])
  return (
    <OutlineKarte
      shapes={shapes}
      extent={extent}
      metres={metres}
      spot={spot}
      label={t('Lageplan: {names}', { names: boxes.map(({ sHQ }) => sHQ).join(', ') })}
    />
  )
}
