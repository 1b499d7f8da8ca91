// Gives a plan the place that a file beside its scan has: the six numbers of a world file, or the points of a
// .points file. Only for a plan without points; what is doubtful is left to the page of its points.
import type { ScanPlace } from '#contract/karte-files.ts'
import type { Karte, Mappoint } from '#contract/karte.ts'
import { planeOf } from '#domain/epsg-plane.ts'
import { methodFor, parseWorldFile, placedBy } from '#domain/georef/placed.ts'
import { areNotPixels, hasDownwardRows, parsePoints } from '#domain/georef/points-file.ts'
import type { GeorefType } from '#domain/georef/transform.ts'
import { readText } from '../../karte/read-text.ts'
import { eq } from '../../data/addresses.ts'
import { rpc } from '../../data/rpc.ts'
import { selectOne, selectRows } from '../../data/rows.ts'

/**
 * punkte: the points were taken over, and people look at their residuals first. unklar: it can be read, but
 * only a person can say what it means. unlesbar: it is neither.
 */
export type BesidePlace = ScanPlace | 'punkte' | 'unklar' | 'unlesbar'

interface Place {
  readonly epsg: number
  readonly georef_typ: GeorefType
  readonly res: number | null
  readonly label: string | null
  readonly punkte: readonly { mapx: number; mapy: number; pixelx: number; pixely: number; enable: boolean }[]
}

/** @param replaces the plan has only the points that were assumed from its scan */
export async function placeBeside(id: number, file: File, replaces = false): Promise<BesidePlace> {
  const [karte, points, files] = await Promise.all([
    selectOne<Karte>('karte', [eq('id', id)]),
    selectRows<Mappoint>('mappoint', { filters: [eq('karte_id', id)] }),
    rpc('a_get_karte_dateien', { karte_id: id }),
  ])
  if (!replaces && (karte.georef_typ !== null || points.length > 0)) return 'vorhanden'
  const scan = files.find(({ art }) => art === 'scan')
  if (scan === undefined) return 'unlesbar'
  const text = await readText(file)
  const isPoints = /\.points$/i.test(file.name)
  const place = isPoints
    ? placeOfPoints(text, karte.epsg, scan.breite, scan.hoehe)
    : placeOfWorldFile(text, karte.epsg, scan.breite, scan.hoehe)
  if (typeof place === 'string') return place
  const { epsg, georef_typ, res, label, punkte } = place
  const values = { epsg, georef_typ, res, georef_label: label }
  await rpc('a_set_mappoints', { karte_id: id, punkte: [...punkte], version: karte.version, werte: values })
  if (isPoints) return 'punkte'
  await rpc('a_add_karte_auftrag', { karte_id: id })
  return 'uebernommen'
}

function placeOfPoints(text: string, epsg: number, width: number, height: number): Place | BesidePlace {
  const { datei } = parsePoints(text)
  if (datei === null) return 'unlesbar'
  const system = datei.epsg === null ? (datei.referenceSystem === null ? epsg : null) : planeOf(datei.epsg)
  if (system === null) return 'system'
  if (hasDownwardRows(datei.punkte) || areNotPixels(datei.punkte, width, height)) return 'unklar'
  return {
    epsg: system,
    georef_typ: methodFor(datei.punkte.filter(({ enable }) => enable).length),
    res: null,
    label: null,
    punkte: datei.punkte.map(({ mapx, mapy, pixelx, pixely, enable }) => ({
      mapx,
      mapy,
      pixelx,
      pixely,
      enable,
    })),
  }
}

/** It names no system: it means that of the plan. */
function placeOfWorldFile(text: string, epsg: number, width: number, height: number): Place | BesidePlace {
  const affin = parseWorldFile(text)
  const placed = affin === null ? null : placedBy(affin, width, height)
  if (placed === null) return 'unlesbar'
  return {
    epsg,
    georef_typ: placed.georef_typ,
    res: placed.res,
    label: 'Lage aus der World-Datei',
    punkte: placed.punkte.map(({ ost, nord, spalte, zeile }) => ({
      mapx: ost,
      mapy: nord,
      pixelx: spalte,
      pixely: zeile === 0 ? 0 : -zeile,
      enable: true,
    })),
  }
}
