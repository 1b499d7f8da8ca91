// Texts of the georeferencer.
import { type GeorefType, MIN_POINTS } from '#domain/georef/transform.ts'
import type { PointDefect } from '#domain/georef/point-check.ts'
import type { FileDefect } from '#domain/georef/points-file.ts'
import type { Action } from '#domain/georef/session.ts'
import type { KarteJobState } from '#contract/karte-files.ts'
import { EPSG_SYSTEMS, epsgName } from '#domain/epsg.ts'
import type { Converter } from '#domain/projection.ts'
import { formatNumber } from '../../ui/format.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { t } from '../../ui/text.ts'

export const typeWithPoints = (kind: GeorefType): string =>
  t('{name} (ab {n} Punkten)', { name: typeNames()[kind], n: MIN_POINTS[kind] })

/** The systems that can be converted here, and the given one. */
export const systemOptions = ({ systems }: Pick<Converter, 'systems'>, present?: number) =>
  EPSG_SYSTEMS.filter(([code]) => code === present || systems.has(code)).map(([code]) => ({
    value: String(code),
    label: epsgName(code),
  }))

/** Points by their displayed numbers. */
const numbers = (places: readonly number[]): string =>
  places.length > 8
    ? `${places
        .slice(0, 8)
        .map((place) => place + 1)
        .join(', ')} …`
    : places.map((place) => place + 1).join(', ')

export function defectText(defect: PointDefect, kind: GeorefType): string {
  switch (defect.code) {
    case 'zu_wenige':
      return defect.missing === 1
        ? t('{name} braucht noch einen Punkt.', { name: typeNames()[kind] })
        : t('{name} braucht noch {n} Punkte.', { name: typeNames()[kind], n: defect.missing })
    case 'doppelt':
      return t('Die Punkte {points} sind gleich. Einer genügt.', { points: numbers(defect.punkte) })
    case 'gleicher_pixel':
      return t(
        'Die Punkte {points} liegen im Scan am selben Ort, auf der Karte nicht. Bitte einen davon verschieben.',
        {
          points: numbers(defect.punkte),
        },
      )
    case 'gleiches_ziel':
      return t(
        'Die Punkte {points} liegen auf der Karte am selben Ort, im Scan nicht. Bitte einen davon verschieben.',
        {
          points: numbers(defect.punkte),
        },
      )
    case 'linie':
      return defect.where === 'scan'
        ? t('Alle Punkte liegen im Scan auf einer Linie. Setzen Sie einen abseits davon.')
        : t('Alle Punkte liegen auf der Karte auf einer Linie. Setzen Sie einen abseits davon.')
    case 'gespiegelt':
      return t(
        'Mit diesen Punkten läge der Scan gespiegelt auf der Karte. Bitte prüfen Sie, ob Ost und Nord vertauscht ' +
          'sind oder zwei Punkte verwechselt.',
      )
    case 'gestreckt':
      return t(
        'Mit diesen Punkten wäre der Scan in einer Richtung über fünfmal so lang wie in der anderen. Setzen Sie die ' +
          'Punkte weiter auseinander, am besten in gegenüberliegende Ecken.',
      )
    case 'unbestimmt':
      return t('Aus diesen Punkten ergibt sich keine eindeutige Lage. Setzen Sie Punkte weiter auseinander.')
  }
}

export function fileDefectText(defect: FileDefect): string {
  switch (defect.code) {
    case 'kopf':
      return t(
        'Keine Zeile nennt die Spalten (mapX, mapY, sourceX, sourceY oder pixelX, pixelY). Ist es eine ' +
          'Punktdatei aus QGIS?',
      )
    case 'leer':
      return t('Die Datei enthält keinen Punkt.')
    case 'zu_viele':
      return t('Die Datei enthält mehr als 10.000 Punkte.')
    case 'zahl':
      return t('Zeile {line}, Spalte {column}: „{text}“ ist keine Zahl.', {
        line: defect.zeile,
        column: defect.spalte,
        text: defect.text,
      })
    case 'spalten':
      return t('Zeile {line}: Es fehlen Werte.', { line: defect.zeile })
  }
}

/** The action that would be undone or redone. */
export function actionText(action: Action): string {
  switch (action.art) {
    case 'scan':
    case 'karte':
    case 'neu':
      return t('Punkt gesetzt')
    case 'halb_weg':
      return t('Angefangenen Punkt verworfen')
    case 'verschieben':
      return t('Punkt verschoben')
    case 'loeschen':
      return t('Punkt gelöscht')
    case 'benutzen':
      return action.enable ? t('Punkt eingeschaltet') : t('Punkt ausgeschaltet')
    case 'werte':
      return t('Einstellung geändert')
    case 'system':
      return t('Koordinatensystem gewechselt')
    case 'laden':
      return t('Punkte geladen')
  }
}

export const jobWords = (): Record<KarteJobState, string> => ({
  wartet: t('wartet'),
  laeuft: t('läuft'),
  fertig: t('fertig'),
  fehlgeschlagen: t('fehlgeschlagen'),
  abgebrochen: t('abgebrochen'),
})

export const isDegrees = (epsg: number): boolean => epsg === 4258 || epsg === 4326
/** To a millimetre; for degrees to about a centimetre. */
export const coordinateText = (value: number, epsg: number): string =>
  formatNumber(value, isDegrees(epsg) ? 7 : 3)
export const pixelText = (value: number | null | undefined, digits = 2): string =>
  // Adding 0 turns a rounded -0 into 0.
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : formatNumber(Number(value.toFixed(digits)) + 0, digits)
