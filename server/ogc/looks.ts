// How the features of each collection look in other programs: the one place that project files of QGIS and styles of
// vector tiles take colors, sizes and names from.
import { type Collection, findCollection } from './collections.ts'

/** What is beside a feature: texts and properties one after another. */
export type LabelPart = string | { readonly property: string }

export interface Look {
  readonly collection: Collection
  /** Red, green, blue. */
  readonly color: readonly [number, number, number]
  /** Nothing is beside a feature that has none of its properties. */
  readonly label: readonly LabelPart[]
}

/** Millimetres on paper or on the screen. */
export const POINT_MM = 2.4
export const LINE_MM = 0.5
export const OUTLINE_MM = 0.4
/** Opacity of an area, of 255: what is below it stays visible. */
export const AREA_ALPHA = 40
/** Font size in points, and the largest scale denominator at which names are shown. */
export const LABEL_PT = 8
export const LABEL_SCALE = 10_000
export const LABEL_COLOR = [30, 30, 30] as const
/** Of the light edge around letters. */
export const HALO_MM = 0.8

const look = (id: string, color: Look['color'], ...label: readonly LabelPart[]): Look => ({
  collection: findCollection(id)!,
  color,
  label,
})
const property = (name: string): LabelPart => ({ property: name })

/** From above to below. */
export const LOOKS: readonly Look[] = [
  look('habitatbaum', [30, 110, 60], property('nummer')),
  look('schacht', [122, 62, 8], property('schluessel')),
  look('ausmuendung', [178, 34, 34], property('schluessel')),
  look('schlucker', [0, 110, 130], property('schluessel')),
  look('einlauf', [90, 60, 150], property('schluessel')),
  look('draenage', [20, 90, 190], 'DN ', property('dn')),
  look('plan', [110, 110, 110], property('map_name')),
  look(
    'bestand',
    [90, 140, 40],
    property('sLVL03'),
    ' ',
    property('sLVL04'),
    ' ',
    property('sLVL05'),
    ' ',
    property('iSTAND'),
  ),
  look('forstbetrieb', [60, 60, 60], property('sHQ')),
]

export const propertiesOf = ({ label }: Look): string[] =>
  label.flatMap((part) => (typeof part === 'string' ? [] : [part.property]))
