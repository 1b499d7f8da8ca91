// One holding at a glance: its location, the grant and its trees, its subscription. Each part loads
// separately, so that a failing one does not affect the others.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HqArea } from '#contract/forstbetrieb.ts'
import type { Kawm } from '#contract/habitat.ts'
import type { HqRecord } from '#contract/hq.ts'
import { isDefect } from '#domain/kawm.ts'
import { useHasRole } from '../../data/session.ts'
import { spotOf } from '../../karte/outline-ground.ts'
import { metresPerUnit } from '../../karte/outline-view.ts'
import { outlineQuery } from '../../list/betrieb.data.ts'
import { ProgressBar } from '../../record/kawm/ProgressBar.tsx'
import { kawmQuery } from '../../record/kawm/kawm.data.ts'
import { missingText } from '../../record/kawm/kawm-words.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Badge, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import './my-betrieb.css'
import { runningAbosQuery } from './my-betrieb.data.ts'
import { Part } from './Part.tsx'

const OutlineKarte = splitOff(
  async () => (await import('../../karte/OutlineKarte.tsx')).OutlineKarte,
  <Skeleton lines={8} />,
)

export function MyBetrieb({ hq }: { hq: HqRecord }) {
  // A holding that is not enabled shows nothing else.
  if (!hq.fb_enabled) return null
  return (
    <div className="betrieb-teile">
      <div className="betrieb-spalte">
        <KawmPart hq={hq} />
        <LocationPart hq={hq} />
      </div>
      <div className="betrieb-spalte">
        <TreesPart hq={hq} />
        <AboPart hq={hq} />
      </div>
    </div>
  )
}

const habitatIn = (idHQ: number, filter = '') => `/habitatbaeume/index?fb=${idHQ}${filter}`

function KawmPart({ hq }: { hq: HqRecord }) {
  const query = useQuery(kawmQuery(hq.idHQ))
  const mayAbo = useHasRole('ogf_standard')
  return (
    <Part
      title={t('KAWM: Klimaangepasstes Waldmanagement')}
      query={query}
      lines={7}
      actions={
        <ButtonLink href={`/kawm/index?fb=${hq.idHQ}`} icon="leaf">
          {t('KAWM öffnen')}
        </ButtonLink>
      }
    >
      {(kawm) =>
        kawm.modul ? (
          <KawmState kawm={kawm} />
        ) : (
          <EmptyState
            icon="leaf"
            title={t('KAWM ist nicht freigeschaltet')}
            action={mayAbo && <ButtonLink href="/na/index">{t('Abo ansehen')}</ButtonLink>}
          >
            {t(
              'Mit KAWM zählen wir Ihre Habitatbäume gegen die Vorgabe von 5 je Hektar und stellen den ' +
                'Nachweis für Sie zusammen.',
            )}
          </EmptyState>
        )
      }
    </Part>
  )
}

function KawmState({ kawm }: { kawm: Kawm }) {
  const { soll, erfasst, markiert, fehlt, frist, tage, flaeche } = kawm
  const defects = fehlt.filter(({ code }) => isDefect(code))
  const hints = fehlt.filter(({ code }) => !isDefect(code))
  return (
    <div className="stack">
      {soll !== null && soll > 0 && (
        <div className="stack betrieb-balken">
          <ProgressBar name={t('Erfasst')} value={erfasst} of={soll} />
          <ProgressBar name={t('Markiert')} value={markiert} of={soll} />
        </div>
      )}
      <Facts
        facts={[
          fact(t('Förderfläche'), <NumberText key="ha" value={flaeche} digits={2} unit="ha" />),
          fact(t('Soll (5 je ha)'), soll === null ? null : <NumberText key="soll" value={soll} />),
          fact(t('Bewilligt am'), <DateText key="am" value={kawm.bewilligung} />),
          fact(
            t('Markieren bis'),
            frist === null ? null : (
              <span key="frist">
                <DateText value={frist} />{' '}
                {tage !== null && tage >= 0 && (
                  <span className="soft">
                    {tage === 1 ? t('(1 Tag)') : t('({n} Tage)', { n: formatNumber(tage) })}
                  </span>
                )}
              </span>
            ),
          ),
        ]}
      />
      {defects.length === 0 ? (
        <Notice tone="success">{t('Alles da, was der Nachweis braucht.')}</Notice>
      ) : (
        <Notice tone="warning" title={t('Für den Nachweis fehlt noch')}>
          <ul className="betrieb-fehlt">
            {defects.map((one) => (
              <li key={one.code}>{missingText(one, kawm)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {hints.map((one) => (
        <p key={one.code} className="soft">
          {missingText(one, kawm)}
        </p>
      ))}
    </div>
  )
}

function TreesPart({ hq }: { hq: HqRecord }) {
  const query = useQuery(kawmQuery(hq.idHQ))
  return (
    <Part title={t('Habitatbäume')} query={query} lines={4}>
      {({ baeume, anwaerter, markiert, ohne_bild, ohne_kawm, verloren }) =>
        baeume + anwaerter + ohne_kawm + verloren === 0 ? (
          <EmptyState
            icon="tree"
            title={t('Noch keine Habitatbäume')}
            action={<ButtonLink href={habitatIn(hq.idHQ)}>{t('Habitatbäume öffnen')}</ButtonLink>}
          >
            {t('Erfassen Sie den ersten Baum im Wald mit dem Tablet oder hier am Rechner.')}
          </EmptyState>
        ) : (
          <div className="stack">
            <Facts
              facts={[
                fact(t('Habitatbäume'), <NumberText key="b" value={baeume} />),
                fact(t('Anwärter'), <NumberText key="a" value={anwaerter} />),
                fact(t('Markiert'), <NumberText key="m" value={markiert} />),
                fact(t('Ohne Foto'), <NumberText key="f" value={ohne_bild} />),
                fact(t('Außerhalb der Förderung'), <NumberText key="k" value={ohne_kawm} />),
                fact(t('Verloren'), <NumberText key="v" value={verloren} />),
              ]}
            />
            <Actions>
              <ButtonLink href={habitatIn(hq.idHQ)} icon="tree">
                {t('Habitatbäume öffnen')}
              </ButtonLink>
            </Actions>
          </div>
        )
      }
    </Part>
  )
}

function LocationPart({ hq }: { hq: HqRecord }) {
  const query = useQuery(outlineQuery(hq.idHQ))
  return (
    <Part
      title={t('Lage und Waldbestand')}
      query={query}
      lines={8}
      actions={
        <ButtonLink href={`/waldbestand/index?fb=${hq.idHQ}`} icon="forest">
          {t('Waldbestand öffnen')}
        </ButtonLink>
      }
    >
      {(area) =>
        area === null ? (
          <EmptyState icon="map" title={t('Noch keine Fläche gezeichnet')}>
            {t('Sobald wir den Umriss übernommen haben, sehen Sie ihn hier.')}
          </EmptyState>
        ) : (
          <Outline hq={hq} area={area} />
        )
      }
    </Part>
  )
}

function Outline({ hq, area }: { hq: HqRecord; area: HqArea }) {
  const { epsg, geojson, xmin, ymin, xmax, ymax, south, north, version, flaeche_ha } = area
  const spot = useMemo(() => spotOf(area.epsg, area), [area])
  const shapes = useMemo(() => [{ key: version, polygon: geojson }], [geojson, version])
  const extent = useMemo(() => ({ xmin, ymin, xmax, ymax }), [xmin, ymin, xmax, ymax])
  const metres = useMemo(() => metresPerUnit(epsg, (south + north) / 2), [epsg, south, north])
  return (
    <OutlineKarte
      shapes={shapes}
      extent={extent}
      metres={metres}
      spot={spot}
      label={t('Lageplan von {name}: {ha} ha', { name: hq.sHQ, ha: formatNumber(flaeche_ha, 2) })}
    />
  )
}

function AboPart({ hq }: { hq: HqRecord }) {
  const query = useQuery(runningAbosQuery(hq.idHQ))
  const mayAbo = useHasRole('ogf_standard', 'ogf_fb_admin')
  if (!mayAbo) return null
  const moduleName = { fe: t('Forsteinrichtung (FE)'), basis_fe: t('Basis-FE'), kawm: t('KAWM') }
  return (
    <Part title={t('Abo')} query={query} lines={3}>
      {(abos) => (
        <div className="stack">
          {abos.length === 0 ? (
            <p>{t('Für diesen Forstbetrieb läuft kein Abo.')}</p>
          ) : (
            <ul className="betrieb-abos">
              {abos.map(({ id, modul: which, ende, zustand }) => (
                <li key={id}>
                  <strong>{moduleName[which]}</strong>{' '}
                  {zustand === 'gekuendigt' ? (
                    <Badge tone="warning">{t('gekündigt')}</Badge>
                  ) : (
                    <Badge tone="success">{t('läuft')}</Badge>
                  )}{' '}
                  <span className="soft">
                    {t('bis')} <DateText value={ende} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          <Actions>
            <ButtonLink href="/abo/index" icon="ticket">
              {t('Abo verwalten')}
            </ButtonLink>
          </Actions>
        </div>
      )}
    </Part>
  )
}
