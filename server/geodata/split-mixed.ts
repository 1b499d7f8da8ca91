// Layers that hold points, lines and areas at once, as GeoJSON and GeoPackage allow: an import takes one kind
// from a layer, so each kind is offered as a separate layer.
import type { RawObject } from '#domain/vermessung/check.ts'
import { GeometryFault } from '#domain/vermessung/geometry.ts'
import type { RawLayer, Source } from './source.ts'

type Kind = 'punkt' | 'linie' | 'flaeche'
const KINDS: readonly Kind[] = ['punkt', 'linie', 'flaeche']
const PART: Readonly<Record<Kind, string>> = { punkt: 'Punkte', linie: 'Linien', flaeche: 'Flächen' }

interface Part {
  /** Name of the layer in the file. */
  readonly of: string
  readonly takes: (object: RawObject) => boolean
  /** Whether it has what belongs to none of the kinds. */
  readonly takesRest: boolean
}

/** Null for objects without a geometry, or with one that cannot be read. */
const kindOf = ({ geometrie }: RawObject): Kind | null =>
  geometrie === null || geometrie instanceof GeometryFault ? null : geometrie.art

/** What the file itself says about a layer may be nothing, and of a table it is the first row's kind. */
const mayBeMixed = ({ geometrie, ort }: RawLayer): boolean =>
  geometrie === null || (ort !== null && ort.wkt !== '')

/**
 * The same source with a layer for each kind that a layer holds. Objects keep their numbers in the file; those
 * whose geometry is missing or faulty stay with the kind that is most frequent, so that they are still
 * reported.
 * @throws FileFault
 */
export async function splitMixed(source: Source): Promise<Source> {
  const parts = new Map<string, Part>()
  const layers: RawLayer[] = []
  for (const layer of source.schichten) {
    const counts = mayBeMixed(layer) ? await countKinds(source, layer) : new Map<Kind | null, number>()
    const found = KINDS.filter((kind) => counts.has(kind))
    if (found.length < 2) {
      layers.push({ ...layer, geometrie: found[0] ?? layer.geometrie })
      continue
    }
    const [most] = found.toSorted((a, b) => counts.get(b)! - counts.get(a)!)
    for (const kind of found) {
      const name = freeName(`${layer.name} (${PART[kind]})`, [...source.schichten, ...layers])
      const takesRest = kind === most
      layers.push({
        ...layer,
        name,
        geometrie: kind,
        anzahl: counts.get(kind)! + (takesRest ? (counts.get(null) ?? 0) : 0),
      })
      parts.set(name, { of: layer.name, takes: (object) => (kindOf(object) ?? most) === kind, takesRest })
    }
  }
  return {
    format: source.format,
    schichten: layers,
    readFrom(name, choice) {
      const part = parts.get(name)
      return part === undefined
        ? source.readFrom(name, choice)
        : only(source.readFrom(part.of, choice), part.takes)
    },
    unreadOf(name) {
      const { of, takesRest } = parts.get(name) ?? { of: name, takesRest: true }
      return takesRest ? (source.unreadOf?.(of) ?? null) : null
    },
    leftOut: (source.leftOut ?? []).map((loss) => {
      const [name] = [...parts].find(([, { of, takesRest }]) => of === loss.schicht && takesRest) ?? []
      return name === undefined ? loss : { ...loss, schicht: name }
    }),
    close: () => source.close(),
  }
}

async function countKinds(source: Source, { name, ort }: RawLayer): Promise<Map<Kind | null, number>> {
  const counts = new Map<Kind | null, number>()
  for await (const object of source.readFrom(name, { ort: ort ?? undefined })) {
    const kind = kindOf(object)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

async function* only(
  objects: Iterable<RawObject> | AsyncIterable<RawObject>,
  takes: Part['takes'],
): AsyncIterable<RawObject> {
  for await (const object of objects) if (takes(object)) yield object
}

function freeName(wanted: string, taken: readonly { readonly name: string }[]): string {
  let name = wanted
  for (let nr = 2; taken.some((one) => one.name === name); nr++) name = `${wanted} ${nr}`
  return name
}
