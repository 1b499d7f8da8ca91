// The georeferencer: scan and ground side by side, points in both, and the scan overlaid on the ground while
// points are being set.
import { epsgName } from '#domain/epsg.ts'
import { DraftOffer } from '../../record/DraftOffer.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import './georef.css'
import { GeorefActions } from './GeorefActions.tsx'
import { GeorefBar } from './GeorefBar.tsx'
import { GeorefDialogs } from './GeorefDialogs.tsx'
import { GeorefPoints } from './GeorefPoints.tsx'
import { GeorefSide } from './GeorefSide.tsx'
import { GeorefSurfaces } from './GeorefSurfaces.tsx'
import { GeorefFrame, useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { stateOfDraft } from './georef-start.ts'
import { perform } from './georef-store.ts'
import { Rectify } from './Rectify.tsx'
import { type GeorefInput, useGeorefStart } from './use-georef.ts'
import { useGeorefKeys } from './use-georef-keys.ts'

export function Georef(input: GeorefInput) {
  const georef = useGeorefStart(input)
  useGeorefKeys(georef)
  const { karte } = georef.record
  return (
    <GeorefFrame value={georef}>
      <Page
        title={t('Georeferenzierung')}
        record={karte.map_name}
        subtitle={<KarteLink />}
        actions={<GeorefActions />}
      >
        <GeorefNotices />
        <GeorefBar />
        <GeorefSurfaces />
        <div className="georef-unten">
          <GeorefPoints />
          <GeorefSide />
        </div>
        <RectifyPart />
        <Announcement />
        <GeorefDialogs />
      </Page>
    </GeorefFrame>
  )
}

function KarteLink() {
  const { record, scan } = useGeoref()
  const { id, map_name } = record.karte
  return (
    <a href={`/karten/${id}`}>
      {map_name}
      {scan && (
        <span className="soft">
          {' '}
          · {t('{w} × {h} Pixel', { w: formatNumber(scan.breite), h: formatNumber(scan.hoehe) })}
        </span>
      )}
    </a>
  )
}

/** What is between the person and their points: a draft, a save that failed, a missing grid. */
function GeorefNotices() {
  const { saver, conversion } = useGeoref()
  const { epsg } = useStand()
  return (
    <>
      <OfferedDraft />
      {saver.fault !== null && <Refusal title={t('Nicht gespeichert')}>{saver.fault}</Refusal>}
      {!conversion.isConvertible && (
        <Notice
          tone="warning"
          title={t('{system} kann hier nicht umgerechnet werden', { system: epsgName(epsg) })}
        >
          {t(
            'Auf dem Server fehlt das Gitter BETA2007, ohne das dieses System um bis zu 1,6 m daneben ' +
              'läge. Die Karte rechts bleibt deshalb leer. Bitte wenden Sie sich an die Verwaltung des ' +
              'Servers.',
          )}
        </Notice>
      )}
    </>
  )
}

function OfferedDraft() {
  const { saver, record, store } = useGeoref()
  const { draft } = saver
  const { offered } = draft
  if (!offered) return null
  return (
    <DraftOffer
      at={offered.at}
      changed={offered.version !== record.karte.version}
      overtaken={offered.version === record.karte.version ? [] : [t('Passpunkte')]}
      onRestore={() => {
        const kept = stateOfDraft(offered.values.stand ?? '')
        if (kept) store.change((now) => perform(now, { art: 'laden', ...kept }))
        draft.settle()
      }}
      onDrop={() => draft.settle({ drop: true })}
    />
  )
}

function RectifyPart() {
  const { store, record, scan, ergebnis, saver, evaluation } = useGeoref()
  const displayed = useGeorefState(({ resultShown }) => resultShown)
  const obstacle = saver.dirty
    ? t('Bitte zuerst speichern: entzerrt wird, was gespeichert ist.')
    : scan === null
      ? t('Zu diesem Plan gibt es noch keinen Scan.')
      : evaluation.mesh === null
        ? t('Es sind noch zu wenige Punkte.')
        : null
  return (
    <Rectify
      karteId={String(record.karte.id)}
      kartenName={record.karte.map_name}
      hindernis={obstacle}
      ergebnis={ergebnis}
      displayed={displayed}
      onShow={(resultShown) => store.change((now) => ({ ...now, resultShown }))}
    />
  )
}

/** Says to screen readers what happened to the points. */
function Announcement() {
  return <output className="visually-hidden">{useGeorefState(({ announcement }) => announcement)}</output>
}
