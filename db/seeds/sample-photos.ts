// Trees of the sample that have a photo: a handful that show why such trees are kept, and one that shows its
// mark. Place and time of each photo are set here; scripts/trial-files.ts draws it.
import type { PhotoRequest, Motif, Bark } from './draw-tree-photo.ts'
import type { Point } from './place.ts'
import { makeRandom } from './random.ts'
import type { SampleHabitatbaum } from './sample-habitat.ts'

export interface SamplePhoto {
  readonly habitat_id: number
  /** File name. */
  readonly name: string
  readonly epsg: 25832 | 25833
  /** Where the photographer stood, in the customer's system. */
  readonly ort: Point
  readonly request: Omit<PhotoRequest, 'lon' | 'lat'>
}

const BARK_OF: Readonly<Record<string, Bark>> = {
  bu: 'glatt',
  hbu: 'glatt',
  as: 'glatt',
  sbi: 'birke',
  ki: 'kiefer',
}
/** By the first part of a structure's code. */
const MOTIF_OF: Readonly<Record<string, Motif>> = {
  1: 'hoehle',
  2: 'spalte',
  5: 'totholz',
  6: 'totholz',
  9: 'pilze',
  10: 'pilze',
  12: 'moos',
}
const NAMES: Readonly<Record<Motif, string>> = {
  hoehle: 'Höhle',
  spalte: 'Stammspalte',
  totholz: 'Totholz',
  pilze: 'Pilze',
  moos: 'Moos',
  markierung: 'Markierung',
}
/** For the first and the second holding. */
const WANTED: readonly (readonly Motif[])[] = [
  ['hoehle', 'pilze', 'moos'],
  ['hoehle', 'totholz'],
]

const motifsOf = ({ strukturen }: SampleHabitatbaum): Motif[] =>
  strukturen.flatMap(({ code }) => MOTIF_OF[code.split('.')[0]!] ?? [])

export function makePhotos(trees: readonly SampleHabitatbaum[]): SamplePhoto[] {
  const holdings = [...new Set(trees.map(({ idHQ }) => idHQ))]
  const taken = new Set<number>()
  return WANTED.flatMap((motifs, nr) => {
    const own = trees.filter(
      (tree) => tree.idHQ === holdings[nr] && tree.verlust_datum === null && tree.markierung_art !== null,
    )
    return motifs.flatMap((motif, at) => {
      const tree = own.find((one) => !taken.has(one.id) && motifsOf(one).includes(motif))
      if (tree === undefined) return []
      taken.add(tree.id)
      // The very first also shows its mark.
      return nr + at === 0 ? [photoOf(tree, motif), photoOf(tree, 'markierung')] : [photoOf(tree, motif)]
    })
  })
}

function photoOf({ id, epsg, ort, art, nummer, erfasst_am }: SampleHabitatbaum, motif: Motif): SamplePhoto {
  const seed = id * 10 + (motif === 'markierung' ? 1 : 0)
  const random = makeRandom(7_000 + seed)
  // A few steps back, facing the tree.
  const [turn, steps] = [random.next() * 2 * Math.PI, 3 + random.next() * 4]
  const back: Point = [ort[0] - steps * Math.sin(turn), ort[1] - steps * Math.cos(turn)]
  const minute = String(random.int(10, 59))
  return {
    habitat_id: id,
    name: `Baum ${nummer ?? id} ${NAMES[motif]}.jpg`,
    epsg,
    ort: back,
    request: {
      seed,
      motif,
      bark: BARK_OF[art] ?? 'rau',
      nummer,
      richtung: Math.round((turn * 1_800) / Math.PI) / 10,
      am: `${erfasst_am}T${String(random.int(8, 15)).padStart(2, '0')}:${minute}:${String(random.int(10, 59))}`,
    },
  }
}
