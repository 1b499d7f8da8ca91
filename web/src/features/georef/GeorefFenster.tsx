// Dialogs of the georeferencer: typing a point, reading a file, earlier states, and another's save.
import type { Passpunkt } from '#domain/georef/abbildung.ts'
import type { Umrechner } from '#domain/projektion.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { startOf, werteOf } from './georef-start.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { KonfliktDialog } from './KonfliktDialog.tsx'
import { PunktDialog } from './PunktDialog.tsx'
import { StaendeDialog } from './StaendeDialog.tsx'
import type { SitzungGriff } from './use-sitzung.ts'
import type { Speichern } from './use-speichern.ts'

export type Fenster = { art: 'punkt'; id: number | null } | { art: 'einlesen' } | { art: 'staende' } | null

interface Props {
  fenster: Fenster
  karteId: string
  sitzung: Pick<SitzungGriff, 'jetzt' | 'tu'>
  breite: number
  hoehe: number
  umrechner: Umrechner
  speicher: Speichern
  onClose: () => void
  /** A typed point became a new one. */
  onGesetzt: () => void
  /** Points came from elsewhere: the map goes there, and nothing is chosen any more. */
  onGeladen: (punkte: readonly Passpunkt[], epsg: number) => void
  onZeigen: (punkte: readonly Passpunkt[], epsg: number) => void
  onSetzt: (setzt: boolean) => void
}

export function GeorefFenster({
  fenster,
  karteId,
  sitzung: { jetzt: stand, tu },
  breite,
  hoehe,
  umrechner,
  speicher,
  onClose,
  onGesetzt,
  onGeladen,
  onZeigen,
  onSetzt,
}: Props) {
  const bearbeitet = fenster?.art === 'punkt' ? stand.punkte.find(({ id }) => id === fenster.id) : undefined
  const { konflikt } = speicher
  return (
    <>
      {fenster?.art === 'punkt' && (
        <PunktDialog
          titel={bearbeitet ? t('Koordinaten von Punkt {nr}', { nr: stand.punkte.indexOf(bearbeitet) + 1 }) : t('Punkt eingeben')}
          start={bearbeitet ?? { ...stand.halb?.scan, ...stand.halb?.karte }}
          epsg={stand.epsg}
          umrechner={umrechner}
          onClose={onClose}
          onFertig={(neu) => {
            if (bearbeitet) tu({ art: 'verschieben', id: bearbeitet.id, ort: neu })
            else {
              tu({ art: 'neu', punkt: neu })
              onGesetzt()
            }
            onClose()
            onZeigen([neu], stand.epsg)
          }}
        />
      )}
      {fenster?.art === 'einlesen' && (
        <ImportDialog
          epsg={stand.epsg}
          vorhanden={stand.punkte.length}
          breite={breite}
          hoehe={hoehe}
          umrechner={umrechner}
          onClose={onClose}
          onFertig={({ punkte, epsg, anhaengen }) => {
            tu({ art: 'laden', punkte, anhaengen, werte: { epsg } })
            onClose()
            onSetzt(false)
            onGeladen(punkte, epsg)
            toast.success(t('{n} Punkte eingelesen.', { n: punkte.length }))
          }}
        />
      )}
      {fenster?.art === 'staende' && (
        <StaendeDialog
          karteId={karteId}
          breite={breite}
          hoehe={hoehe}
          onClose={onClose}
          onNehmen={(punkte, werte) => {
            tu({ art: 'laden', punkte, werte })
            onClose()
            onGeladen(punkte, werte.epsg ?? stand.epsg)
          }}
        />
      )}
      {konflikt !== null && (
        <KonfliktDialog
          meins={stand}
          ihres={konflikt}
          saving={speicher.saving}
          onClose={speicher.schliesseKonflikt}
          onMeins={() => void speicher.speichern(konflikt.karte.version)}
          onIhres={() => {
            tu({ art: 'laden', punkte: startOf(konflikt).punkte, werte: werteOf(konflikt.karte) })
            speicher.nimmIhres(konflikt)
          }}
        />
      )}
    </>
  )
}
