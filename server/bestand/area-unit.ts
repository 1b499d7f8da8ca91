// The unit of a layer's areas, before its rows are read: by the heading, else by comparing with the outlines.
import type { FeLayerChoice } from '#contract/bestand-import.ts'
import { addressKey } from '#domain/bestand.ts'
import { areaUnitByOutlines, areaUnitOf, type AreaUnit, hectaresOfOutline } from '#domain/bestand-area.ts'
import { addressOf, feFieldsOf, statedArea } from '#domain/bestand-import.ts'
import type { Conversion } from '#domain/projection.ts'
import { readValues, type RawObject } from '#domain/vermessung/check.ts'
import { converted, GeometryFault } from '#domain/vermessung/geometry.ts'
import type { Source } from '../geodata/source.ts'

/** Rows that are compared; a file has one unit. */
const LOOKED_AT = 2_000

export interface UnitQuestion {
  readonly layer: FeLayerChoice
  readonly convert: Conversion | null
  readonly ebenen: readonly string[]
  /** Hectares of the stands read so far, by address: the areas of species are compared with them. */
  readonly outlines: ReadonlyMap<string, number>
}

export async function areaUnit(source: Source, question: UnitQuestion): Promise<AreaUnit> {
  const column = question.layer.felder['flaeche_ha']
  if (column === undefined) return 'ha'
  const said = areaUnitOf(column)
  if (said !== null) return said
  const ratios = question.layer.tabelle === 'bestand' ? standRatios(question) : speciesRatios(question)
  for await (const row of source.readFrom(question.layer.name, question.layer)) {
    ratios.add(row)
    if (row.nr >= LOOKED_AT) break
  }
  return areaUnitByOutlines(ratios.all())
}

interface Ratios {
  add(row: RawObject): void
  all(): number[]
}

function standRatios({ layer, convert }: UnitQuestion): Ratios {
  const found: number[] = []
  return {
    add({ geometrie, werte }) {
      const stated = statedArea(layer, werte)
      if (stated === null || convert === null || geometrie === null) return
      if (geometrie instanceof GeometryFault || geometrie.art !== 'flaeche') return
      try {
        const ha = hectaresOfOutline(converted(geometrie, convert))
        if (ha > 0) found.push(stated / ha)
      } catch {
        // Outside of what can be converted: the check of the row says so.
      }
    },
    all: () => found,
  }
}

function speciesRatios({ layer, ebenen, outlines }: UnitQuestion): Ratios {
  const sums = new Map<string, number>()
  const fields = feFieldsOf('baumarten', ebenen).filter(({ name }) => /^(?:sLVL|iSTAND)/.test(name))
  return {
    add({ werte }) {
      const stated = statedArea(layer, werte)
      if (stated === null) return
      const key = addressKey(addressOf(readValues(fields, layer.felder, werte, () => undefined)))
      sums.set(key, (sums.get(key) ?? 0) + stated)
    },
    all: () =>
      [...sums].flatMap(([key, sum]) => {
        const ha = outlines.get(key)
        return ha === undefined || ha === 0 ? [] : [sum / ha]
      }),
  }
}
