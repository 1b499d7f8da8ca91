// The stands of a holding as a management plan divides it: the drawn area cut along a grid of winding lines
// into Abteilungen, Unterabteilungen and stands without gaps, each with its tree species. Pure: the same
// headquarters and random numbers give the same stands. Use `ringsOf` alone for the outlines of a holding
// (trees, tracks).
import type { Point } from './place.ts'
import { ringArea } from './place.ts'
import type { Random } from './random.ts'
import type { SampleHq } from './sample-rows.ts'

/** Closed rings of the holding's area, in the customer's system (`hq.epsg`), without holes. */
export const ringsOf = (hq: Pick<SampleHq, 'flaeche'>): Point[][] =>
  [...hq.flaeche.matchAll(/\(+([^()]+)\)+/g)].map(([, ring]) =>
    ring!.split(',').map((pair) => pair.trim().split(' ').map(Number) as unknown as Point),
  )

export interface SampleBaumart {
  readonly schicht: string | null
  readonly baumart: string
  readonly anteil: number
  readonly flaeche_ha: string
  readonly alter: number
  readonly ertragsklasse: string
  readonly vorrat: string
}
export interface SampleBestand {
  readonly idHQ: number
  readonly client_id: number
  readonly epsg: 25832 | 25833
  /** Closed ring in the customer's system; does not overlap its neighbours. */
  readonly ring: readonly Point[]
  readonly sLVL01: string | null
  readonly sLVL02: string | null
  readonly sLVL03: string | null
  readonly sLVL04: string | null
  readonly sLVL05: string | null
  readonly iSTAND: number | null
  readonly flaeche_ha: string
  readonly stichtag: string
  readonly nutzungsart: string
  readonly bestandestyp: string
  readonly alter: number | null
  readonly altersklasse: number | null
  readonly vorrat: string | null
  readonly bemerkung: string | null
  readonly arten: readonly SampleBaumart[]
}

interface Type {
  readonly name: string
  readonly arten: readonly (readonly [baumart: string, anteil: number])[]
  readonly understorey: string | null
  readonly ages: readonly [from: number, to: number]
  /** Vfm per hectare at 100 years. */
  readonly vorrat: number
}
const STAND_TYPES: readonly Type[] = [
  {
    name: 'Buche mit Edellaubholz',
    arten: [
      ['Rotbuche', 70],
      ['Bergahorn', 20],
      ['Esche', 10],
    ],
    understorey: null,
    ages: [60, 165],
    vorrat: 380,
  },
  {
    name: 'Buchenmischwald',
    arten: [
      ['Rotbuche', 60],
      ['Fichte', 25],
      ['Europäische Lärche', 15],
    ],
    understorey: 'Rotbuche',
    ages: [40, 140],
    vorrat: 400,
  },
  {
    name: 'Eiche mit Hainbuche',
    arten: [
      ['Traubeneiche', 70],
      ['Rotbuche', 30],
    ],
    understorey: 'Hainbuche',
    ages: [90, 190],
    vorrat: 320,
  },
  {
    name: 'Fichte',
    arten: [
      ['Fichte', 85],
      ['Rotbuche', 15],
    ],
    understorey: null,
    ages: [15, 95],
    vorrat: 520,
  },
  {
    name: 'Kiefer',
    arten: [
      ['Gemeine Kiefer', 80],
      ['Sandbirke', 20],
    ],
    understorey: 'Rotbuche',
    ages: [30, 130],
    vorrat: 310,
  },
  {
    name: 'Douglasie',
    arten: [
      ['Douglasie', 75],
      ['Rotbuche', 25],
    ],
    understorey: null,
    ages: [10, 60],
    vorrat: 650,
  },
  {
    name: 'Erle und Weichlaubholz',
    arten: [
      ['Schwarzerle', 65],
      ['Sandbirke', 25],
      ['Zitterpappel', 10],
    ],
    understorey: null,
    ages: [20, 80],
    vorrat: 300,
  },
  {
    name: 'Laubholzverjüngung',
    arten: [
      ['Rotbuche', 55],
      ['Bergahorn', 25],
      ['Weißtanne', 20],
    ],
    understorey: null,
    ages: [1, 18],
    vorrat: 150,
  },
]
const YIELD_CLASSES = ['I', 'I,5', 'II', 'II,5', 'III']
const REMARKS = [
  'Windwurfgefährdet, Westrand schonen.',
  'Verjüngung unter Schirm vorhanden, Verbiss prüfen.',
  'Rückegassen im Abstand von 40 m.',
  'Horstschutzzone, Hiebsruhe von März bis August.',
]

export interface BestandOptions {
  readonly hq: Pick<SampleHq, 'idHQ' | 'client_id' | 'flaeche' | 'epsg' | 'dtFE'>
  /** Approximate number of stands. */
  readonly anzahl: number
  readonly random: Random
  /** Date of the plan if the headquarters has none. */
  readonly stichtag: string
  /** Eastern regions number Jagen and Teilflächen, without letters. */
  readonly eastern?: boolean
}

/** Cells per side of an Abteilung. */
const BLOCK = 3

export function makeBestaende({
  hq,
  anzahl,
  random,
  stichtag,
  eastern = false,
}: BestandOptions): SampleBestand[] {
  const rings = ringsOf(hq)
  const whole = rings.reduce((sum, ring) => sum + ringArea(ring), 0)
  const side = Math.sqrt(whole / anzahl)
  const all: SampleBestand[] = []
  const compartments = new Map<string, { nr: number; letters: number }>()
  for (const [part, ring] of rings.entries()) {
    const xs = ring.map(([x]) => x)
    const ys = ring.map(([, y]) => y)
    const [west, south] = [Math.min(...xs) - side, Math.min(...ys) - side]
    const columns = Math.ceil((Math.max(...xs) - west) / side) + 1
    const lines = Math.ceil((Math.max(...ys) - south) / side) + 1
    // Neighbours share their corners, so no gap remains; tracks bend.
    const corners = Array.from({ length: lines + 1 }, (_, row) =>
      Array.from({ length: columns + 1 }, (__, column): Point => {
        const bend = Math.sin(row * 0.7 + part) * side * 0.35
        return [
          west + column * side + bend + (random.next() - 0.5) * side * 0.3,
          south + row * side + Math.sin(column * 0.6) * side * 0.3 + (random.next() - 0.5) * side * 0.3,
        ]
      }),
    )
    const typeOf = new Map<string, Type>()
    for (let row = lines - 1; row >= 0; row--)
      for (let column = 0; column < columns; column++) {
        const cell = [
          corners[row]![column]!,
          corners[row]![column + 1]!,
          corners[row + 1]![column + 1]!,
          corners[row + 1]![column]!,
        ]
        const shape = clip(ring.slice(0, -1), cell).map(([x, y]): Point => [round(x), round(y)])
        const area = shape.length < 3 ? 0 : Math.abs(ringArea(shape))
        const [block, inBlock] = [
          `${part}.${Math.floor(row / BLOCK)}.${Math.floor(column / BLOCK)}`,
          random.int(0, 2),
        ]
        // Similar stands cluster: a cell often has the type of its block.
        const known = typeOf.get(block)
        const kind = known !== undefined && random.chance(0.45) ? known : random.pick(STAND_TYPES)
        if (known === undefined) typeOf.set(block, kind)
        if (area < 200) continue
        const compartment = compartments.get(block) ?? { nr: compartments.size + 1, letters: 0 }
        compartments.set(block, compartment)
        const letter = Math.floor(compartment.letters / 2)
        const stand = (compartment.letters % 2) + 1
        compartment.letters += 1
        const revier = String(1 + (Math.floor(compartment.nr / 6) % 3))
        all.push({
          ...bestandOf(kind, area / 10_000, random, inBlock === 0),
          idHQ: hq.idHQ,
          client_id: hq.client_id,
          epsg: hq.epsg,
          ring: [...shape, shape[0]!],
          sLVL01: null,
          sLVL02: revier,
          sLVL03: eastern ? String(100 + compartment.nr) : String(compartment.nr),
          sLVL04: eastern ? null : String.fromCharCode(97 + letter),
          sLVL05: eastern ? String(compartment.letters) : null,
          iSTAND: eastern ? null : stand,
          stichtag: hq.dtFE ?? stichtag,
        })
      }
  }
  return all
}

function bestandOf(kind: Type, ha: number, random: Random, remarked: boolean) {
  if (random.chance(0.03))
    return {
      flaeche_ha: ha.toFixed(4),
      nutzungsart: 'Nichtholzboden',
      bestandestyp: random.pick(['Wildwiese', 'Holzlagerplatz', 'Leitungstrasse']),
      alter: null,
      altersklasse: null,
      vorrat: null,
      bemerkung: null,
      arten: [],
    }
  const alter = random.int(...kind.ages)
  // Growing stock increases quickly at first, then slowly.
  const perHa = kind.vorrat * Math.min(1.2, (1 - Math.exp(-alter / 45)) * 1.12) * (0.8 + 0.4 * random.next())
  const kinds = kind.arten.map(([baumart, share], nr): SampleBaumart => {
    const own = Math.max(1, alter - (nr === 0 ? 0 : random.int(0, Math.min(alter - 1, 15))))
    return {
      schicht: kind.understorey === null ? null : 'Oberstand',
      baumart,
      anteil: share,
      flaeche_ha: ((ha * share) / 100).toFixed(4),
      alter: own,
      ertragsklasse: random.pick(YIELD_CLASSES),
      vorrat: ((perHa * ha * share) / 100).toFixed(1),
    }
  })
  const below: SampleBaumart[] =
    kind.understorey === null || random.chance(0.5)
      ? []
      : [
          {
            schicht: 'Unterstand',
            baumart: kind.understorey,
            anteil: 100,
            flaeche_ha: (ha * 0.4).toFixed(4),
            alter: Math.max(5, alter - random.int(20, 60)),
            ertragsklasse: random.pick(YIELD_CLASSES),
            vorrat: (ha * random.int(5, 25)).toFixed(1),
          },
        ]
  const all = [...kinds, ...below]
  return {
    flaeche_ha: ha.toFixed(4),
    nutzungsart: random.chance(0.9)
      ? 'Wirtschaftswald'
      : random.pick(['Wald außer regelmäßigem Betrieb', 'Naturwaldentwicklung']),
    bestandestyp: kind.name,
    alter,
    altersklasse: Math.max(1, Math.ceil(alter / 20)),
    vorrat: all.reduce((sum, { vorrat }) => sum + Number(vorrat), 0).toFixed(1),
    bemerkung: remarked && random.chance(0.3) ? random.pick(REMARKS) : null,
    arten: all,
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** The part of a polygon inside a convex, counter-clockwise cell (Sutherland–Hodgman). */
function clip(polygon: readonly Point[], cell: readonly Point[]): Point[] {
  let shape: readonly Point[] = polygon
  for (const [at, a] of cell.entries()) {
    const b = cell[(at + 1) % cell.length]!
    const left = ([x, y]: Point): number => (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
    const next: Point[] = []
    for (const [nr, point] of shape.entries()) {
      const before = shape[(nr + shape.length - 1) % shape.length]!
      const [here, there] = [left(point), left(before)]
      if (here >= 0 !== there >= 0) {
        const share = there / (there - here)
        next.push([before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])])
      }
      if (here >= 0) next.push(point)
    }
    shape = next
    if (shape.length === 0) return []
  }
  // Drops points that equal the previous one after rounding.
  return shape.filter((point, at) => {
    const before = shape[(at + shape.length - 1) % shape.length]!
    return Math.abs(point[0] - before[0]) > 0.01 || Math.abs(point[1] - before[1]) > 0.01
  }) as Point[]
}

export const ringWkt = (ring: readonly Point[]): string =>
  `MULTIPOLYGON(((${ring.map((one) => one.join(' ')).join(',')})))`
