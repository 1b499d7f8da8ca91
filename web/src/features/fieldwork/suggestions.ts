// The first suggestions of the capture form: what is most frequent in this holding, filled up with what is
// common in general. Pure.
import { HABITAT_SPECIES, type HabitatSpecies } from '#domain/habitat/species.ts'
import { structureOf } from '#domain/habitat/structures.ts'
import type { TreeFormValues } from '../../record/habitat/habitat-form.ts'
import { structuresOf } from '../../record/habitat/structures-text.ts'
import type { TreeView } from './capture.ts'
import type { BestandFacts } from './packet.ts'

const KINDS: readonly HabitatSpecies[] = ['bu', 'tei', 'sei', 'es', 'bah', 'hbu']
/**
 * Woodpecker cavity, rot hole, dead branches, bark shelter, polypore, broken trunk, nest, water-filled hole.
 */
const STRUCTURES: readonly string[] = ['1.2', '2.2', '7.1', '5.3', '10.1', '6.1', '13.1', '4.1']

function mostCommon<T extends string>(found: readonly T[], otherwise: readonly T[], most: number): T[] {
  const counts = new Map<T, number>()
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  const first = [...counts].toSorted(([, a], [, b]) => b - a).map(([one]) => one)
  return [...new Set([...first, ...otherwise])].slice(0, most)
}
export const commonSpecies = (views: readonly TreeView[], most = 6): HabitatSpecies[] =>
  mostCommon(
    views
      .map(({ werte }) => werte.art)
      .filter((art) => art !== 'sonstige' && HABITAT_SPECIES.some(({ code }) => code === art)),
    KINDS,
    most,
  )
export const commonStructures = (views: readonly TreeView[], most = 8): string[] =>
  mostCommon(
    views
      .flatMap(({ werte }) => structuresOf(werte.strukturen).map(({ code }) => code))
      .filter((code) => structureOf(code) !== undefined),
    STRUCTURES,
    most,
  )

/** Values carried over to the next tree: same person, same day, same kind of plates. */
export const REPEATED_FIELDS = [
  'markierung_art',
  'markierung_datum',
  'erfasser',
  'erfasst_am',
  'kawm',
  'status',
] as const satisfies readonly (keyof TreeFormValues)[]
export const nextTree = (leer: TreeFormValues, previous: TreeFormValues): TreeFormValues => ({
  ...leer,
  ...Object.fromEntries(REPEATED_FIELDS.map((field) => [field, previous[field]])),
})

/** The stand's forest address for the form. */
export const addressValuesOf = ({
  l,
  s,
}: Pick<BestandFacts, 'l' | 's'>): Pick<
  TreeFormValues,
  'sLVL01' | 'sLVL02' | 'sLVL03' | 'sLVL04' | 'sLVL05' | 'iSTAND'
> => ({
  sLVL01: l[0] ?? '',
  sLVL02: l[1] ?? '',
  sLVL03: l[2] ?? '',
  sLVL04: l[3] ?? '',
  sLVL05: l[4] ?? '',
  iSTAND: s === null ? '' : String(s),
})

const PLACE_FIELDS: readonly string[] = [
  'lat',
  'lon',
  'genauigkeit_m',
  'lage_methode',
  'lage_zeit',
  'lage_fix',
  'genauigkeit_geschaetzt',
  'sLVL01',
  'sLVL02',
  'sLVL03',
  'sLVL04',
  'sLVL05',
  'iSTAND',
]
/** Whether anything was typed; an automatically measured place does not count. */
export const hasContent = (values: TreeFormValues, start: TreeFormValues): boolean =>
  (Object.keys(start) as (keyof TreeFormValues)[]).some(
    (field) => !PLACE_FIELDS.includes(field) && values[field] !== start[field],
  )
