// The georeferencer: scan and ground side by side, points in both, and the scan overlaid on the ground while
// points are being set.
import { useEffect, useMemo, useRef, useState } from 'react'
import { type KarteFile, kartePaths } from '#contract/karte-files.ts'
import { epsgName } from '#domain/epsg.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import { usedPoints } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { Magnifier } from '../../karte/Magnifier.tsx'
import type { ScanSource } from '../../karte/ScanSurface.tsx'
import { typeNames } from '../../karte/georef-type-names.ts'
import { DraftOffer } from '../../record/DraftOffer.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { ResolutionField } from './ResolutionField.tsx'
import { bashOf } from './outputs.ts'
import { Rectify } from './Rectify.tsx'
import './georef.css'
import type { GeorefRecord } from './georef.data.ts'
import { type OpenWindow, GeorefDialogs } from './GeorefDialogs.tsx'
import { GeorefSurfaces } from './GeorefSurfaces.tsx'
import { GeorefBar } from './GeorefBar.tsx'
import { GeorefActions } from './GeorefActions.tsx'
import { stateOfDraft, startOf } from './georef-start.ts'
import { isDegrees, actionText } from './georef-words.ts'
import { Quality } from './Quality.tsx'
import { showPlaces } from './ol-points.ts'
import { PointTable, type PointActions } from './PointTable.tsx'
import { useEvaluation } from './use-evaluation.ts'
import { useScanOverlay, useGroundLayers } from './use-ground-layers.ts'
import {
  type SurfaceHandlers,
  useSurfaces,
  usePointsOnSurfaces,
  type SurfacePointer,
} from './use-surfaces.ts'
import { usePointPlacing, useConversion, useForecast } from './use-point-placing.ts'
import { useGeorefSession } from './use-georef-session.ts'
import { useSaver } from './use-saver.ts'
import { useGeorefKeys } from './use-georef-keys.ts'

interface Props {
  record: GeorefRecord
  scan: KarteFile | null
  ergebnis: KarteFile | null
  converter: Converter
}

export function Georef({ record, scan, ergebnis, converter }: Props) {
  const { karte } = record
  const id = String(karte.id)
  const session = useGeorefSession(() => startOf(record))
  const { present: stand, tu } = session
  const [gewaehlt, setChosen] = useState<number | null>(null)
  const [placing, setPlacing] = useState(record.punkte.length === 0)
  const [openWindow, setDialog] = useState<OpenWindow>(null)
  const [announcement, setAnnouncement] = useState('')
  const [overlayChoice, setOverlayChoice] = useState({ an: true, opacity: 60, swipePercent: 100 })
  const [resultShown, setResultShown] = useState(false)
  const [bestandAn, setBestandAn] = useState(false)
  const [pointer, setPointer] = useState<SurfacePointer | null>(null)
  const grund = useBaseMap()

  const breite = scan?.breite ?? karte.width ?? Math.max(1, ...stand.punkte.map(({ spalte }) => spalte))
  const hoehe = scan?.hoehe ?? karte.height ?? Math.max(1, ...stand.punkte.map(({ zeile }) => zeile))
  const scanName = scan?.name ?? karte.map_name
  const bash = () => bashOf(stand, scanName, breite, hoehe)
  const { evaluation, isComputing } = useEvaluation(stand.typ, stand.punkte, breite, hoehe)
  const saver = useSaver(record, stand, evaluation, bash)
  const { dirty, draft } = saver

  const conversion = useConversion(converter, stand.epsg)
  const { isConvertible, toView } = conversion
  const { forecast, sought } = useForecast(stand, toView)
  const frame = useRef<HTMLDivElement>(null)
  const handlers = useRef<SurfaceHandlers | null>(null)
  const surfaces = useSurfaces(handlers, setChosen, setPointer)
  const { scanSurface, karteSurface } = surfaces
  const setPoint = usePointPlacing({
    session,
    surfaces,
    frame,
    conversion,
    forecast,
    gewaehlt,
    pointer,
    onChoose: setChosen,
    announce: setAnnouncement,
  })
  const { point } = setPoint
  useEffect(() => {
    handlers.current = setPoint
  })
  usePointsOnSurfaces(surfaces, { stand, evaluation, gewaehlt, placing, sought, toView })
  const source = useMemo<ScanSource | null>(
    () =>
      scan?.kacheln
        ? {
            breite: scan.breite,
            hoehe: scan.hoehe,
            kachel: (z, x, y) => kartePaths.kachel(karte.id, scan.id, z, x, y),
          }
        : null,
    [scan, karte.id],
  )
  useScanOverlay(surfaces.overlay, source, evaluation.mesh, toView, overlayChoice)
  useGroundLayers(karteSurface, karte, resultShown ? ergebnis : null, bestandAn)

  const actions = useMemo<PointActions>(
    () => ({
      goTo: (nr) => handlers.current?.goTo(nr),
      setInUse: (nr, enable) => tu({ art: 'benutzen', ids: [nr], enable }),
      edit: (nr) => setDialog({ art: 'punkt', id: nr }),
      erase: (nr) => handlers.current?.remove([nr]),
    }),
    [tu],
  )

  function changeSystem(epsg: number) {
    if (!isConvertible || !converter.systems.has(epsg)) return
    const convert = converter.conversion(stand.epsg, epsg)
    const moved = ({ ost, nord }: { ost: number; nord: number }) => {
      const [east, north] = convert([ost, nord])
      return { ost: east, nord: north }
    }
    tu({
      art: 'system',
      epsg,
      orte: stand.punkte.map(moved),
      half: stand.half?.karte ? moved(stand.half.karte) : null,
    })
  }

  // Announces undone and redone steps to screen readers.
  const undoStep = () => {
    const last = session.past.at(-1)
    session.zurueck()
    if (last) setAnnouncement(t('Zurückgenommen: {what}', { what: actionText(last.action) }))
  }
  const redoStep = () => {
    const next = session.future.at(-1)
    session.redo()
    if (next) setAnnouncement(t('Wiederholt: {what}', { what: actionText(next.action) }))
  }
  useGeorefKeys({
    save: () => {
      if (dirty) void saver.save()
    },
    zurueck: undoStep,
    redo: redoStep,
    cancel: () => {
      if (stand.half !== null) tu({ art: 'halb_weg' })
      else if (placing) setPlacing(false)
      else setChosen(null)
    },
    setPoint: () => setPlacing(!placing),
    keyOnSurface: (pressedKey, where) => {
      if (pressedKey === 'enter') {
        const ort = (where === 'scan' ? surfaces.scanLayer : surfaces.karteLayer)?.center()
        if (!placing || !ort) return false
        if (where === 'scan') setPoint.placeOnScan(ort)
        else setPoint.placeOnKarte(ort)
        return true
      }
      if (point === null) return false
      if (pressedKey === ' ') tu({ art: 'benutzen', ids: [point.id], enable: !point.enable })
      else setPoint.remove([point.id])
      return true
    },
  })

  /** Moves the map to the points, unless they are already visible. */
  function showPoints(punkte: readonly ControlPoint[], epsg: number) {
    if (karteSurface === null || punkte.length === 0 || !converter.systems.has(epsg)) return
    const convert = converter.conversion(epsg, 3857)
    showPlaces(
      karteSurface.map,
      punkte.map(({ ost, nord }) => convert([ost, nord])),
    )
  }

  const hindernis = dirty
    ? t('Bitte zuerst speichern: entzerrt wird, was gespeichert ist.')
    : scan === null
      ? t('Zu dieser Karte gibt es noch keinen Scan.')
      : evaluation.mesh === null
        ? t('Die Punkte genügen noch nicht.')
        : null
  return (
    <Page
      title={t('Georeferenzierung')}
      record={karte.map_name}
      subtitle={
        <a href={`/karten/${id}`}>
          {karte.map_name}
          {scan && (
            <span className="soft">
              {' '}
              · {t('{w} × {h} Pixel', { w: formatNumber(scan.breite), h: formatNumber(scan.hoehe) })}
            </span>
          )}
        </a>
      }
      actions={
        <GeorefActions
          session={session}
          evaluation={evaluation}
          kartenName={karte.map_name}
          scanName={scanName}
          breite={breite}
          hoehe={hoehe}
          dirty={dirty}
          saving={saver.saving}
          bash={bash}
          onUndo={undoStep}
          onRedo={redoStep}
          onDialog={(art) => setDialog({ art })}
          onSave={() => void saver.save()}
        />
      }
    >
      {draft.offered && (
        <DraftOffer
          at={draft.offered.at}
          changed={draft.offered.version !== karte.version}
          overtaken={draft.offered.version === karte.version ? [] : [t('Passpunkte')]}
          onRestore={() => {
            const kept = stateOfDraft(draft.offered?.values.stand ?? '')
            if (kept) tu({ art: 'laden', ...kept })
            draft.settle()
          }}
          onDrop={() => draft.settle({ drop: true })}
        />
      )}
      {saver.fault !== null && (
        <Notice tone="danger" title={t('Nicht gespeichert')}>
          {saver.fault}
        </Notice>
      )}
      {!isConvertible && (
        <Notice
          tone="warning"
          title={t('{system} kann hier nicht umgerechnet werden', { system: epsgName(stand.epsg) })}
        >
          {t(
            'Auf dem Server fehlt das Gitter BETA2007, ohne das dieses System um bis zu 1,6 m daneben läge. Die Karte rechts bleibt deshalb leer. Bitte wenden Sie sich an die Verwaltung des Servers.',
          )}
        </Notice>
      )}
      <GeorefBar
        stand={stand}
        placing={placing}
        isConvertible={isConvertible}
        converter={converter}
        grund={grund}
        onPlacing={setPlacing}
        onEnterPoint={() => setDialog({ art: 'punkt', id: null })}
        onTypeChange={(typ) => tu({ art: 'werte', werte: { typ } })}
        onSystem={changeSystem}
      />
      <GeorefSurfaces
        frame={frame}
        record={record}
        scan={scan}
        source={source}
        surfaces={surfaces}
        grund={grund}
        epsg={stand.epsg}
        toView={toView}
        kartePlace={conversion.kartePlace}
        pointer={pointer}
        overlayChoice={overlayChoice}
        onOverlayChoice={setOverlayChoice}
        bestand={bestandAn}
        onBestand={setBestandAn}
      />
      <div className="georef-unten">
        <Card
          flush
          title={t('Passpunkte ({used} von {all} benutzt)', {
            used: usedPoints(stand).length,
            all: stand.punkte.length,
          })}
        >
          <Quality stand={stand} evaluation={evaluation} isComputing={isComputing} />
          {stand.punkte.length === 0 ? (
            <EmptyState
              icon="target"
              title={t('Noch keine Passpunkte')}
              action={
                <Button onClick={() => setDialog({ art: 'einlesen' })}>{t('Punktdatei einlesen')}</Button>
              }
            >
              {t(
                'Klicken Sie im Scan auf eine Stelle, die Sie auch auf der Karte finden: eine Wegkreuzung, einen Grenzstein, ein Gitterkreuz. Dann auf denselben Ort der Karte.',
              )}
            </EmptyState>
          ) : (
            <PointTable
              punkte={stand.punkte}
              evaluation={evaluation}
              epsg={stand.epsg}
              gewaehlt={gewaehlt}
              spline={stand.typ === 'tps'}
              actions={actions}
            />
          )}
        </Card>
        <div className="georef-seite">
          {scanSurface !== null && source !== null && (
            <Card title={t('Lupe')}>
              <Magnifier
                flaeche={scanSurface}
                center={setPoint.magnifier.center}
                was={setPoint.magnifier.was}
                onNudge={setPoint.nudge}
              />
            </Card>
          )}
          <Card title={t('Ergebnis')}>
            <div className="stack">
              <TextField
                label={t('Bezeichnung')}
                value={stand.label ?? ''}
                placeholder={typeNames()[stand.typ]}
                maxLength={200}
                onChange={(event) =>
                  tu(
                    { art: 'werte', werte: { label: event.target.value === '' ? null : event.target.value } },
                    'bezeichnung',
                  )
                }
              />
              <ResolutionField
                key={stand.res ?? 'ohne'}
                res={stand.res}
                grad={isDegrees(stand.epsg)}
                vorschlag={evaluation.aufloesung}
                onRes={(res) => tu({ art: 'werte', werte: { res } })}
              />
            </div>
          </Card>
        </div>
      </div>
      <Rectify
        karteId={id}
        kartenName={karte.map_name}
        hindernis={hindernis}
        ergebnis={ergebnis}
        displayed={resultShown}
        onShow={setResultShown}
      />
      <output className="visually-hidden">{announcement}</output>
      <GeorefDialogs
        openWindow={openWindow}
        karteId={id}
        session={session}
        breite={breite}
        hoehe={hoehe}
        converter={converter}
        saver={saver}
        onClose={() => setDialog(null)}
        onPlaced={setPoint.placed}
        onLoaded={(punkte, epsg) => {
          setChosen(null)
          showPoints(punkte, epsg)
        }}
        onShow={showPoints}
        onPlacing={setPlacing}
      />
    </Page>
  )
}
