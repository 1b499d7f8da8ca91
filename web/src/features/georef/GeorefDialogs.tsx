// Dialogs of the georeferencer: typing a point, importing a file, earlier versions, and conflicts.
import type { ControlPoint } from '#domain/georef/transform.ts'
import type { Converter } from '#domain/projection.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { startOf, fieldValuesOf } from './georef-start.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { GeorefConflictDialog } from './GeorefConflictDialog.tsx'
import { PointDialog } from './PointDialog.tsx'
import { VersionsDialog } from './VersionsDialog.tsx'
import type { SessionHandle } from './use-georef-session.ts'
import type { Saver } from './use-saver.ts'

export type OpenWindow = { art: 'punkt'; id: number | null } | { art: 'einlesen' } | { art: 'staende' } | null

interface Props {
  openWindow: OpenWindow
  karteId: string
  session: Pick<SessionHandle, 'present' | 'tu'>
  breite: number
  hoehe: number
  converter: Converter
  saver: Saver
  onClose: () => void
  /** A typed point was added as a new one. */
  onPlaced: () => void
  /** Points were loaded from elsewhere: the map moves there, and the selection is cleared. */
  onLoaded: (punkte: readonly ControlPoint[], epsg: number) => void
  onShow: (punkte: readonly ControlPoint[], epsg: number) => void
  onPlacing: (placing: boolean) => void
}

export function GeorefDialogs({
  openWindow,
  karteId,
  session: { present: stand, tu },
  breite,
  hoehe,
  converter,
  saver,
  onClose,
  onPlaced,
  onLoaded,
  onShow,
  onPlacing,
}: Props) {
  const edited = openWindow?.art === 'punkt' ? stand.punkte.find(({ id }) => id === openWindow.id) : undefined
  const { conflict } = saver
  return (
    <>
      {openWindow?.art === 'punkt' && (
        <PointDialog
          titel={
            edited
              ? t('Koordinaten von Punkt {nr}', { nr: stand.punkte.indexOf(edited) + 1 })
              : t('Punkt eingeben')
          }
          start={edited ?? { ...stand.half?.scan, ...stand.half?.karte }}
          epsg={stand.epsg}
          converter={converter}
          onClose={onClose}
          onDone={(neu) => {
            if (edited) tu({ art: 'verschieben', id: edited.id, ort: neu })
            else {
              tu({ art: 'neu', point: neu })
              onPlaced()
            }
            onClose()
            onShow([neu], stand.epsg)
          }}
        />
      )}
      {openWindow?.art === 'einlesen' && (
        <ImportDialog
          epsg={stand.epsg}
          vorhanden={stand.punkte.length}
          breite={breite}
          hoehe={hoehe}
          converter={converter}
          onClose={onClose}
          onDone={({ punkte, epsg, isAppended }) => {
            tu({ art: 'laden', punkte, isAppended, werte: { epsg } })
            onClose()
            onPlacing(false)
            onLoaded(punkte, epsg)
            toast.success(t('{n} Punkte eingelesen.', { n: punkte.length }))
          }}
        />
      )}
      {openWindow?.art === 'staende' && (
        <VersionsDialog
          karteId={karteId}
          breite={breite}
          hoehe={hoehe}
          onClose={onClose}
          onTake={(punkte, werte) => {
            tu({ art: 'laden', punkte, werte })
            onClose()
            onLoaded(punkte, werte.epsg ?? stand.epsg)
          }}
        />
      )}
      {conflict !== null && (
        <GeorefConflictDialog
          myState={stand}
          theirRecord={conflict}
          saving={saver.saving}
          onClose={saver.closeConflict}
          onSaveMine={() => void saver.save(conflict.karte.version)}
          onTakeTheirs={() => {
            tu({ art: 'laden', punkte: startOf(conflict).punkte, werte: fieldValuesOf(conflict.karte) })
            saver.takeTheirs(conflict)
          }}
        />
      )}
    </>
  )
}
