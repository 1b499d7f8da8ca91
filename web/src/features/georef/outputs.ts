// Outputs of the georeferencer: point files, world file, GDAL commands, the report.
import { fitTransform, type GeorefType } from '#domain/georef/transform.ts'
import { gdalArguments, gdalPoints, georefBash, worldFileOf } from '#domain/georef/output.ts'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import { type HeaderKind, writePoints } from '#domain/georef/points-file.ts'
import { usedPoints, type State } from '#domain/georef/session.ts'
import { epsgName } from '#domain/epsg.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { type ExportTable } from '../../ui/export/cells.ts'
import { saveFile } from '../../ui/export/save-file.ts'
import { csvFile } from '../../ui/export/csv.ts'
import { t } from '../../ui/text.ts'
import { toTable } from './georef.data.ts'
import { isDegrees } from './georef-words.ts'

/** File name for this plan, without characters that file systems reject. */
export const fileName = (name: string): string =>
  name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_').slice(0, 120) || 'Karte'
const withoutEnding = (name: string): string => name.replace(/\.(?:tiff?|jpe?g|png|webp|pdf)$/i, '')

export const pointsText = ({ punkte, epsg }: State, { rest }: Evaluation, head: HeaderKind): string =>
  writePoints(
    punkte.map((point, index) => toTable(point, rest[index] ?? null)),
    `EPSG:${epsg}`,
    head,
  )
export const savePointsFile = (stand: State, evaluation: Evaluation, head: HeaderKind, name: string) =>
  saveFile(
    new Blob([pointsText(stand, evaluation, head)], { type: 'text/plain;charset=utf-8' }),
    `${fileName(name)}.points`,
  )

export const saveWorldFile = ({ affin }: Evaluation, name: string) => {
  if (affin !== null)
    saveFile(
      new Blob([worldFileOf(affin)], { type: 'text/plain;charset=utf-8' }),
      `${fileName(withoutEnding(name))}.wld`,
    )
}

/** The equivalent GDAL commands; null while no transformation fits. */
export function bashOf(stand: State, file: string, width: number, height: number): string | null {
  const transform = fitTransform(stand.typ, usedPoints(stand))
  if (transform === null) return null
  const stem = fileName(withoutEnding(file))
  return georefBash(
    gdalArguments(
      gdalPoints(transform, usedPoints(stand), width, height),
      { epsg: stand.epsg, resampling: 'cubic', kompression: 'JPEG', aufloesung: stand.res },
      fileName(file),
      `${stem}_gcp.tif`,
      `${stem}_georef.tif`,
      isDegrees(stand.epsg),
    ),
  )
}

export function reportOf({ punkte, typ, epsg }: State, { rest, leftOut, quality }: Evaluation): ExportTable {
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
        leftOut[index] ?? null,
      ]),
      [t('Verfahren'), typeNames()[typ], ...blank],
      [t('Koordinatensystem'), epsgName(epsg), ...blank],
      [t('RMSE (Pixel)'), quality?.rmse ?? null, ...blank],
      [t('Mittlerer Fehler wie QGIS (Pixel)'), quality?.meanError ?? null, ...blank],
      [t('Größter Restfehler (Pixel)'), quality?.largest ?? null, ...blank],
    ],
  }
}
export const saveReport = (stand: State, evaluation: Evaluation, name: string) =>
  saveFile(csvFile(reportOf(stand, evaluation)), `${fileName(name)}_${t('Restfehler')}.csv`)

/** The PDF code is loaded with the first report. */
export async function saveReportPdf(
  stand: State,
  evaluation: Evaluation,
  kartenName: string,
  width: number,
  height: number,
): Promise<void> {
  const { residualsPdf } = await import('./residuals-pdf.ts')
  const bytes = residualsPdf({
    stand,
    evaluation,
    kartenName,
    breite: width,
    hoehe: height,
    present: new Date(),
  })
  saveFile(new Blob([bytes], { type: 'application/pdf' }), `${fileName(kartenName)}_${t('Restfehler')}.pdf`)
}

/** Label for a plan whose method has no name of its own. */
export const labelOf = (kind: GeorefType): string => typeNames()[kind]
