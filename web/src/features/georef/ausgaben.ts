// What leaves the georeferencer: point files, world file, commands for people, the report.
import { fitAbbildung, type GeorefTyp } from '#domain/georef/abbildung.ts'
import { gdalArgumente, gdalPunkte, georefBash, weltdatei } from '#domain/georef/ausgabe.ts'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import { type Kopfart, writePunkte } from '#domain/georef/punkte-datei.ts'
import { benutzte, type Stand } from '#domain/georef/sitzung.ts'
import { epsgName } from '#domain/epsg.ts'
import { typNamen } from '../../karte/verfahren.ts'
import { type ExportTable, saveFile } from '../../ui/export/cells.ts'
import { csvFile } from '../../ui/export/csv.ts'
import { t } from '../../ui/text.ts'
import { zurTabelle } from './georef.data.ts'
import { istGrad } from './georef-words.ts'

/** A name of a file of this plan: what no system of files takes is left out. */
export const dateiName = (name: string): string => name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_').slice(0, 120) || 'Karte'
const withoutEnding = (name: string): string => name.replace(/\.(?:tiff?|jpe?g|png|webp|pdf)$/i, '')

export const punkteText = ({ punkte, epsg }: Stand, { rest }: Auswertung, kopf: Kopfart): string =>
  writePunkte(
    punkte.map((punkt, index) => zurTabelle(punkt, rest[index] ?? null)),
    `EPSG:${epsg}`,
    kopf,
  )
export const savePunkteDatei = (stand: Stand, auswertung: Auswertung, kopf: Kopfart, name: string) =>
  saveFile(new Blob([punkteText(stand, auswertung, kopf)], { type: 'text/plain;charset=utf-8' }), `${dateiName(name)}.points`)

export const saveWeltdatei = ({ affin }: Auswertung, name: string) => {
  if (affin !== null) saveFile(new Blob([weltdatei(affin)], { type: 'text/plain;charset=utf-8' }), `${dateiName(withoutEnding(name))}.wld`)
}

/** The commands by which GDAL does the same; null while nothing fits. */
export function bashOf(stand: Stand, datei: string, breite: number, hoehe: number): string | null {
  const abbildung = fitAbbildung(stand.typ, benutzte(stand))
  if (abbildung === null) return null
  const stem = dateiName(withoutEnding(datei))
  return georefBash(
    gdalArgumente(
      gdalPunkte(abbildung, benutzte(stand), breite, hoehe),
      { epsg: stand.epsg, resampling: 'cubic', kompression: 'JPEG', aufloesung: stand.res },
      dateiName(datei),
      `${stem}_gcp.tif`,
      `${stem}_georef.tif`,
      istGrad(stand.epsg),
    ),
  )
}

export function berichtOf({ punkte, typ, epsg }: Stand, { rest, ausgelassen, guete }: Auswertung): ExportTable {
  const blank = [null, null, null, null, null, null, null, null]
  return {
    name: t('Restfehler'),
    head: [
      t('Nr.'),
      t('Benutzt'),
      t('Ost'),
      t('Nord'),
      t('Spalte'),
      t('Zeile'),
      t('dX (Pixel)'),
      t('dY (Pixel)'),
      t('Restfehler (Pixel)'),
      t('Ausgelassen (Pixel)'),
    ],
    rows: [
      ...punkte.map(({ ost, nord, spalte, zeile, enable }, index) => [
        index + 1,
        enable,
        ost,
        nord,
        spalte,
        zeile,
        rest[index]?.dx ?? null,
        rest[index]?.dy ?? null,
        rest[index]?.laenge ?? null,
        ausgelassen[index] ?? null,
      ]),
      [t('Verfahren'), typNamen()[typ], ...blank],
      [t('Koordinatensystem'), epsgName(epsg), ...blank],
      [t('RMSE (Pixel)'), guete?.rmse ?? null, ...blank],
      [t('Mittlerer Fehler wie QGIS (Pixel)'), guete?.mittlererFehler ?? null, ...blank],
      [t('Größter Restfehler (Pixel)'), guete?.groesster ?? null, ...blank],
    ],
  }
}
export const saveBericht = (stand: Stand, auswertung: Auswertung, name: string) =>
  saveFile(csvFile(berichtOf(stand, auswertung)), `${dateiName(name)}_${t('Restfehler')}.csv`)

/** Loaded with the first report. */
export async function saveBerichtPdf(
  stand: Stand,
  auswertung: Auswertung,
  kartenName: string,
  breite: number,
  hoehe: number,
): Promise<void> {
  const { restfehlerPdf } = await import('./restfehler-pdf.ts')
  const bytes = restfehlerPdf({ stand, auswertung, kartenName, breite, hoehe, jetzt: new Date() })
  saveFile(new Blob([bytes], { type: 'application/pdf' }), `${dateiName(kartenName)}_${t('Restfehler')}.pdf`)
}

/** Said of a plan whose method has no name of its own. */
export const labelOf = (typ: GeorefTyp): string => typNamen()[typ]
