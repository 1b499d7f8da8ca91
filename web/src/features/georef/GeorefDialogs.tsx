// Dialogs of the georeferencer: typing a point, importing a file, earlier versions, and conflicts.
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { startOf, fieldValuesOf } from './georef-start.ts'
import { addPoint, type GeorefState, loadPoints, perform } from './georef-store.ts'
import { GridDialog } from './GridDialog.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { GeorefConflictDialog } from './GeorefConflictDialog.tsx'
import { PointDialog } from './PointDialog.tsx'
import { VersionsDialog } from './VersionsDialog.tsx'

export function GeorefDialogs() {
  const openWindow = useGeorefState((state) => state.openWindow)
  return (
    <>
      {openWindow?.art === 'punkt' && <EditPoint id={openWindow.id} />}
      {openWindow?.art === 'einlesen' && <ImportPoints />}
      {openWindow?.art === 'gitter' && <GridCrossings />}
      {openWindow?.art === 'staende' && <EarlierVersions />}
      <Conflict />
    </>
  )
}

const closed = (now: GeorefState): GeorefState => ({ ...now, openWindow: null })

/** `id` is null for a new point. */
function EditPoint({ id }: { id: number | null }) {
  const { store, converter, showPoints } = useGeoref()
  const { punkte, half, epsg } = useStand()
  const edited = punkte.find((point) => point.id === id)
  return (
    <PointDialog
      titel={
        edited ? t('Koordinaten von Punkt {nr}', { nr: punkte.indexOf(edited) + 1 }) : t('Punkt eingeben')
      }
      start={edited ?? { ...half?.scan, ...half?.karte }}
      epsg={epsg}
      converter={converter}
      onClose={() => store.change(closed)}
      onDone={(typed) => {
        store.change((now) =>
          closed(
            edited ? perform(now, { art: 'verschieben', id: edited.id, ort: typed }) : addPoint(now, typed),
          ),
        )
        showPoints([typed], epsg)
      }}
    />
  )
}

function ImportPoints() {
  const { store, converter, breite, hoehe, showPoints } = useGeoref()
  const { punkte: present, epsg: system } = useStand()
  return (
    <ImportDialog
      epsg={system}
      vorhanden={present.length}
      breite={breite}
      hoehe={hoehe}
      converter={converter}
      onClose={() => store.change(closed)}
      onDone={({ punkte, epsg, isAppended }) => {
        store.change((now) => ({
          ...closed(loadPoints(now, { punkte, isAppended, werte: { epsg } })),
          placing: false,
        }))
        showPoints(punkte, epsg)
        const { length } = punkte
        toast.success(length === 1 ? t('1 Punkt eingelesen.') : t('{n} Punkte eingelesen.', { n: length }))
      }}
    />
  )
}

function GridCrossings() {
  const { store } = useGeoref()
  return <GridDialog onClose={() => store.change(closed)} />
}

function EarlierVersions() {
  const { store, record, breite, hoehe, showPoints } = useGeoref()
  const { epsg } = useStand()
  return (
    <VersionsDialog
      karteId={String(record.karte.id)}
      breite={breite}
      hoehe={hoehe}
      onClose={() => store.change(closed)}
      onTake={(points, values) => {
        store.change((now) => closed(loadPoints(now, { punkte: points, werte: values })))
        showPoints(points, values.epsg ?? epsg)
      }}
    />
  )
}

function Conflict() {
  const { store, saver } = useGeoref()
  const stand = useStand()
  const { conflict } = saver
  if (conflict === null) return null
  return (
    <GeorefConflictDialog
      myState={stand}
      theirRecord={conflict}
      saving={saver.saving}
      fault={saver.fault}
      onClose={saver.closeConflict}
      onSaveMine={() => void saver.save(conflict.karte.version)}
      onTakeTheirs={() => {
        const { punkte } = startOf(conflict)
        store.change((now) => perform(now, { art: 'laden', punkte, werte: fieldValuesOf(conflict.karte) }))
        saver.takeTheirs(conflict)
      }}
    />
  )
}
