// Scanned plans of the sample: drainage sheets of some customers in every stage of the work, with control
// points where they are georeferenced. Places and numbers are invented.
import type { GeorefType } from '#domain/georef/transform.ts'
import { makeTime } from './invent.ts'
import { placeIn } from './place.ts'
import { makeRandom, type Random } from './random.ts'
import { makeSheet, SCALE, controlPointsOf, type SampleSheet, type Surveyed } from './sample-sheets.ts'
import type { Day, SampleKunde } from './sample-rows.ts'

export interface SampleKarte {
  readonly id: number
  readonly client_id: number
  readonly map_name: string
  /** Size of its scan, in pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly din: 'A0' | 'A1' | 'A2' | 'A3'
  readonly epsg: number
  readonly georef_label: string | null
  readonly res: number | null
  readonly georef_typ: GeorefType | null
  readonly typ: string
  readonly scale: number
  readonly jahr: number
  readonly status: (typeof STATUS)[number]
  readonly client_status: 'offen' | 'in_pruefung' | 'freigegeben' | 'rueckfrage'
  readonly show_client: boolean
  readonly bem_client: string | null
  readonly bem_to_client: string | null
  readonly ausf_unternehmen: string
  readonly auftr_nr: string
  readonly reg_nr: string
  readonly kreis: string
  readonly gemarkung: string
  readonly gemeinde: string
  readonly geaendert_am: string
}
export interface SampleIntern {
  readonly karte_id: number
  readonly client_id: number
  readonly bem_apus: string
}
export interface SamplePoint {
  readonly karte_id: number
  readonly client_id: number
  readonly nr: number
  readonly mapx: number
  readonly mapy: number
  readonly pixelx: number
  readonly pixely: number
  readonly enable: boolean
}

const STATUS = ['neu', 'gescannt', 'georeferenziert', 'digitalisiert', 'geprueft', 'abgeschlossen'] as const
const PREFIXES = ['Ober', 'Unter', 'Neu', 'Alt', 'Groß ', 'Klein ', '']
const COMPANIES = [
  'Meliorationsbau Nord',
  'Meliorationsgenossenschaft Talaue',
  'Kulturbauamt',
  'Wasser- und Bodenverband Mitte',
  'Tiefbau Riedel & Söhne',
]
const QUESTIONS = [
  'Der Sammler am Waldrand ist im Gelände nicht zu finden. Können Sie das prüfen?',
  'Die Ausmündung im Süden liegt nach unserer Erinnerung weiter am Graben.',
  'Blatt 2 scheint zu fehlen. Haben Sie es noch?',
]
const BITTEN = [
  'Bitte prüfen Sie, ob die Ausmündungen am Graben noch vorhanden sind.',
  'Das Blatt ist an der Faltung schlecht lesbar. Kennen Sie den Verlauf dort?',
  'Bitte sehen Sie sich den Anschluss an das Nachbarblatt an.',
]
const NOTES = [
  'Original liegt im Archiv, Mappe 14. Rückgabe vereinbart.',
  'Faltspuren in der Mitte, Thin-Plate-Spline nehmen.',
  'Gitterkreuze im Abstand von 100 m, als Passpunkte gut geeignet.',
  'Maßstab auf dem Blatt und in der Legende stimmen nicht überein.',
]

/**
 * The customer whose plans the demo accounts see: some in every stage; the second to the sixth sheet have
 * scans.
 */
const DEMO = 2
const hasKarten = ({ kataster_status, client_id }: SampleKunde): boolean =>
  kataster_status && (client_id === DEMO || client_id % 5 === 0)
/** The customer whose plans come first in the list of all, because of its place name; they have scans too. */
export const firstWithKarten = (kunden: readonly SampleKunde[]): SampleKunde | undefined =>
  kunden
    .filter((kunde) => hasKarten(kunde) && kunde.client_id !== DEMO)
    .toSorted((a, b) => a.ort.localeCompare(b.ort, 'de'))[0]

interface SheetKind {
  readonly demo: boolean
  readonly hasSurvey: boolean
  readonly random: Random
}
/** The demo customer has every stage at least twice; other surveyed customers have what can be shown. */
function stageOf(singleSheet: number, { demo, hasSurvey, random }: SheetKind): number {
  if (demo) return (singleSheet - 1) % STATUS.length
  return hasSurvey ? singleSheet + 1 : random.int(0, STATUS.length - 1)
}
function shownAs(stage: number, hasSurvey: boolean, random: Random) {
  const show_client = stage >= 2 && (hasSurvey || random.chance(0.7))
  const client_status = !show_client
    ? 'offen'
    : stage === 5
      ? 'freigegeben'
      : random.pick(['offen', 'offen', 'in_pruefung', 'rueckfrage'] as const)
  return { show_client, client_status } as const
}

export function makeKarten(
  kunden: readonly SampleKunde[],
  vermessungen: ReadonlyMap<number, Surveyed>,
  everyone: Random,
  day: Day,
): {
  kartenblatt: SampleKarte[]
  karte_intern: SampleIntern[]
  mappoint: SamplePoint[]
  sheetList: SampleSheet[]
} {
  const sheets: SampleKarte[] = []
  const karte_intern: SampleIntern[] = []
  const mappoint: SamplePoint[] = []
  const sheetList: SampleSheet[] = []
  const firstKunde = firstWithKarten(kunden)
  const customers = kunden.filter(hasKarten)
  for (const kunde of customers) {
    const demo = kunde.client_id === DEMO
    const vermessung = demo || kunde === firstKunde ? vermessungen.get(kunde.client_id) : undefined
    const random = kunde === firstKunde ? makeRandom(8_000 + kunde.client_id) : everyone
    const situation = kunde === firstKunde ? '' : random.pick(PREFIXES)
    const district =
      situation === '' || situation.endsWith(' ')
        ? `${situation}${kunde.ort}`
        : `${situation}${kunde.ort.toLowerCase()}`
    const [east, north] = placeIn(kunde.bundesland, kunde.epsg, random)
    const count = demo ? 14 : vermessung === undefined ? random.int(1, 6) : 2
    const order = `M ${random.int(11, 98)}/${random.int(100, 999)}`
    const year = random.int(1956, 1988)
    for (let singleSheet = 1; singleSheet <= count; singleSheet++) {
      const id = sheets.length + 1
      const stage = stageOf(singleSheet, { demo, hasSurvey: vermessung !== undefined, random })
      const status = STATUS[stage]!
      const done = stage >= 2
      const { show_client, client_status } = shownAs(stage, vermessung !== undefined, random)
      const map_name = `${district}, Blatt ${singleSheet}`
      const pair = demo ? singleSheet - 2 : singleSheet - 1
      const drawn =
        vermessung === undefined || pair < 0 || pair > 4
          ? null
          : makeSheet({
              karte_id: id,
              client_id: kunde.client_id,
              map_name,
              jahr: year,
              pair: pair + 1,
              vermessung,
            })
      if (drawn !== null) sheetList.push(drawn)
      const anyScale = random.pick([1000, 2000, 2500, 2500, 5000])
      const scale = drawn === null ? anyScale : SCALE
      const anyType = random.pick(['Dränplan', 'Dränplan', 'Meliorationsplan', 'Lageplan', 'Bestandsplan'])
      const georefType = done ? random.pick(['helmert', 'polynom1', 'polynom1', 'tps'] as const) : null
      const kind = drawn === null ? anyType : 'Dränplan'
      const metres = drawn === null ? (scale * 0.0254) / 300 : drawn.request.gsd
      const anyDin = random.pick(['A0', 'A1', 'A1', 'A2', 'A3'] as const)
      sheets.push({
        id,
        client_id: kunde.client_id,
        map_name,
        width: drawn?.request.breite ?? null,
        height: drawn?.request.hoehe ?? null,
        din: drawn === null ? anyDin : 'A3',
        epsg: kunde.epsg,
        georef_label: null,
        res: done ? Number(metres.toFixed(3)) : null,
        georef_typ: georefType,
        typ: kind,
        scale,
        jahr: year,
        status,
        client_status,
        show_client,
        bem_client: client_status === 'rueckfrage' ? random.pick(QUESTIONS) : null,
        bem_to_client: show_client && stage < 5 ? random.pick(BITTEN) : null,
        ausf_unternehmen: random.pick(COMPANIES),
        auftr_nr: order,
        reg_nr: `${String(kunde.client_id).padStart(3, '0')}-${String(singleSheet).padStart(2, '0')}`,
        kreis: `Landkreis ${kunde.ort}`,
        gemarkung: district,
        gemeinde: kunde.ort,
        geaendert_am: `${day(-random.int(1, 300))}T${makeTime(random)}Z`,
      })
      if (random.chance(0.5))
        karte_intern.push({ karte_id: id, client_id: kunde.client_id, bem_apus: random.pick(NOTES) })
      const of = { karte_id: id, client_id: kunde.client_id }
      if (georefType === null) continue
      const anyPoints = pointsOf(of, [east + singleSheet * 900, north], metres, random)
      mappoint.push(
        ...(drawn === null ? anyPoints : controlPointsOf(drawn).map((point) => ({ ...of, ...point }))),
      )
    }
  }
  return { kartenblatt: sheets, karte_intern, mappoint, sheetList }
}

/** Eight places on a slightly rotated sheet, each read with an error of a few pixels. */
function pointsOf(
  of: { readonly karte_id: number; readonly client_id: number },
  [east, north]: readonly [number, number],
  metres: number,
  random: Random,
): SamplePoint[] {
  const angle = (random.next() - 0.5) * 0.1
  const [cos, sin] = [Math.cos(angle) * metres, Math.sin(angle) * metres]
  return [0, 1, 2, 3, 4, 5, 6, 7].map((at) => {
    const [x, y] = [
      600 + (at % 4) * 2200 + random.int(-200, 200),
      700 + Math.floor(at / 4) * 4600 + random.int(-200, 200),
    ]
    return {
      ...of,
      nr: at + 1,
      mapx: Number((east + x * cos - y * sin + (random.next() - 0.5) * 4 * metres).toFixed(3)),
      mapy: Number((north - x * sin - y * cos + (random.next() - 0.5) * 4 * metres).toFixed(3)),
      pixelx: x + 0.5,
      pixely: -(y + 0.5),
      enable: at !== 5,
    }
  })
}
