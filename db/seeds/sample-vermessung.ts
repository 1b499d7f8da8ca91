// A survey of typical drained land: fields with a collector along the lower edge, evenly spaced drains
// running into it, manholes where collectors meet, an outfall into the ditch, gullies and inlets in hollows.
// Part of it is measured, part taken from old plans, some of it unknown.
import type { Point } from './place.ts'
import type { Random } from './random.ts'

export type SampleTable = 'draenage' | 'ausmuendung' | 'schacht' | 'schlucker' | 'einlauf'
/** What a key begins with. */
const KEY_LETTERS: Readonly<Record<SampleTable, string>> = {
  draenage: 'D',
  ausmuendung: 'A',
  schacht: 'S',
  schlucker: 'SL',
  einlauf: 'E',
}
export interface SampleObject {
  readonly tabelle: SampleTable
  /** One place for a point, two or more for a line; in the customer's zone. */
  readonly orte: readonly Point[]
  readonly werte: Readonly<Record<string, string | number | boolean>>
}
export interface VermessungOptions {
  /** Approximate centre. */
  readonly ort: Point
  /** At least this many objects; the last field is completed. */
  readonly anzahl: number
  readonly random: Random
  /** The date that many days ago. */
  readonly day: (offset: number) => string
}

const ORIGINS = [
  { erfq: 'GNSS/RTK', vermessen: true, genauigkeit_cm: 3 },
  { erfq: 'Tachymetrie', vermessen: true, genauigkeit_cm: 2 },
  { erfq: 'Bestandsplan digitalisiert', vermessen: false, genauigkeit_cm: 250 },
  { erfq: 'Luftbild', vermessen: false, genauigkeit_cm: 60 },
  { erfq: 'Auskunft', vermessen: false, genauigkeit_cm: 1000 },
] as const
const QUALITIES = ['A', 'B', 'C']
const [FIELD_WIDTH, FIELD_DEPTH] = [320, 190]

export function makeVermessung({ ort, anzahl, random, day }: VermessungOptions): SampleObject[] {
  const all: SampleObject[] = []
  for (let field = 0; all.length < anzahl; field++) {
    const column = field % 24
    const row = Math.floor(field / 24)
    addField(
      all,
      [
        ort[0] + (column - Math.min(12, anzahl / 60)) * (FIELD_WIDTH + 60),
        ort[1] + (row - 12) * (FIELD_DEPTH + 60) * Math.min(1, anzahl / 20_000),
      ],
      field + 1,
      random,
      day,
    )
  }
  return all
}

function addField(
  all: SampleObject[],
  corner: Point,
  field: number,
  random: Random,
  day: (offset: number) => string,
): void {
  const turn = (random.next() - 0.5) * 0.5
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const at = (along: number, up: number): Point => [
    round(corner[0] + along * cos - up * sin),
    round(corner[1] + along * sin + up * cos),
  ]
  const ground = 40 + random.next() * 60
  const builtIn = random.int(1962, 1989)
  const kept = random.chance(0.05) ? null : random.pick(ORIGINS)
  const days = -random.int(10, 900)
  const common = (table: SampleTable): Record<string, string | number | boolean> => {
    const from =
      kept === null || random.chance(0.06) ? null : random.chance(0.85) ? kept : random.pick(ORIGINS)
    return {
      schluessel: `${KEY_LETTERS[table]}-${field}-${all.length + 1}`,
      ...(from === null
        ? {}
        : { vermessen: from.vermessen, erfq: from.erfq, genauigkeit_cm: from.genauigkeit_cm }),
      ...(random.chance(0.8) ? { qdt: random.pick(QUALITIES) } : {}),
      baujahr: builtIn,
      plan_nr: `M ${100 + (field % 40)}`,
      datum: day(days - random.int(0, 6)),
    }
  }
  const add = (
    table: SampleTable,
    places: readonly Point[],
    values: Record<string, string | number | boolean>,
  ): void => {
    all.push({ tabelle: table, orte: places, werte: { ...common(table), ...values } })
  }
  const spacing = random.pick([10, 12, 14, 16, 18])
  const slope = Math.round((0.2 + random.next() * 0.5) * 100) / 100
  const material = builtIn > 1974 && random.chance(0.7) ? 'PVC' : 'Ton'
  // The collector, from manhole to manhole, with a bend as ditches have.
  const joints = [0, 110, 220, FIELD_WIDTH]
  for (let nr = 1; nr < joints.length; nr++)
    add(
      'draenage',
      [at(joints[nr - 1]!, 0), at((joints[nr - 1]! + joints[nr]!) / 2, 1.5), at(joints[nr]!, 0)],
      {
        art: 'Sammler',
        dn: nr === 1 ? 200 : nr === 2 ? 160 : 125,
        material,
        gefaelle: slope,
        tiefe: round(1.2 + random.next() * 0.3),
      },
    )
  for (let along = spacing; along < FIELD_WIDTH - 4; along += spacing)
    add('draenage', [at(along, 0), at(along + random.next(), FIELD_DEPTH * (0.7 + 0.3 * random.next()))], {
      art: 'Sauger',
      dn: random.pick([50, 65, 80]),
      material,
      gefaelle: round(slope * (0.8 + 0.4 * random.next())),
      abstand: spacing,
      tiefe: round(0.8 + random.next() * 0.3),
    })
  add('ausmuendung', [at(-6, -2)], {
    art: random.pick(['Böschungsstück', 'Rohrende mit Froschklappe', 'Rohrende']),
    dn: 200,
    material: 'Beton',
    sohlhoehe: round(ground - 1.6),
    zustand: random.pick(['gut', 'verschlammt', 'beschädigt', 'überwachsen']),
  })
  for (const along of joints.slice(1, 3))
    add('schacht', [at(along, 0)], {
      art: random.pick(['Sammelschacht', 'Kontrollschacht', 'Absturzschacht']),
      dn: random.pick([600, 800, 1000]),
      material: 'Beton',
      hoehe: round(ground),
      sohlhoehe: round(ground - 1.5),
      zustand: random.pick(['gut', 'gut', 'Deckel fehlt', 'verschlammt']),
      letzte_kontrolle: day(days + random.int(0, 9)),
    })
  if (random.chance(0.6))
    add('schlucker', [at(60 + random.next() * 200, 60 + random.next() * 60)], {
      art: 'Schlucker mit Rost',
      dn: 300,
      material: 'Beton',
      hoehe: round(ground - 0.2),
    })
  if (random.chance(0.4))
    add('einlauf', [at(FIELD_WIDTH + 5, 3)], {
      art: 'Rohreinlauf',
      dn: 300,
      material: 'Beton',
      sohlhoehe: round(ground - 1.1),
    })
}
const round = (value: number): number => Math.round(value * 1000) / 1000

/** Well-known text for the database. */
export const wktOf = ({ orte }: SampleObject): string =>
  orte.length === 1
    ? `POINT(${orte[0]!.join(' ')})`
    : `MULTILINESTRING((${orte.map((one) => one.join(' ')).join(',')}))`

/** A file as surveyors deliver it; for tests and measurements. */
export function toGeoJson(objects: readonly SampleObject[], epsg: number): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: `urn:ogc:def:crs:EPSG::${epsg}` } },
    features: objects.map(({ tabelle, orte, werte }) => ({
      type: 'Feature',
      properties: { tabelle, ...werte },
      geometry:
        orte.length === 1
          ? { type: 'Point', coordinates: orte[0] }
          : { type: 'LineString', coordinates: orte },
    })),
  })
}
