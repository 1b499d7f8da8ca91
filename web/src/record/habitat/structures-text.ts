// Micro-habitats of a tree as one string: "1.1x2 7.1". Forms and conflicts compare strings, so equal
// structures always give the same one.
import { type StructureDetail, STRUCTURES, structureOf } from '#domain/habitat/structures.ts'
import { t } from '../../ui/text.ts'
import { isEnglish } from './habitat-words.ts'

const RANK: ReadonlyMap<string, number> = new Map(STRUCTURES.map(({ code }, at) => [code, at]))
const rankOf = (code: string): number => RANK.get(code) ?? RANK.size

/** In catalogue sequence. */
export const textOfStructures = (details: readonly Pick<StructureDetail, 'code' | 'menge'>[]): string =>
  details
    .toSorted((a, b) => rankOf(a.code) - rankOf(b.code) || (a.code < b.code ? -1 : 1))
    .map(({ code, menge }) => (menge === null ? code : `${code}x${menge}`))
    .join(' ')

export const structuresOf = (text: string): StructureDetail[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((part) => {
      const [code = '', quantity] = part.split('x')
      return {
        code,
        system: structureOf(code)?.system ?? 'larrieu_2018',
        menge: quantity === undefined ? null : Number(quantity),
      }
    })

export function withStructure(text: string, code: string, isThere: boolean): string {
  const others = structuresOf(text).filter((detail) => detail.code !== code)
  return textOfStructures(isThere ? [...others, { code, menge: null }] : others)
}
export const withQuantity = (text: string, code: string, quantity: number | null): string =>
  textOfStructures(
    structuresOf(text).map((detail) => (detail.code === code ? { ...detail, menge: quantity } : detail)),
  )

export function structureName(code: string): string {
  const structure = structureOf(code)
  return structure === undefined ? code : isEnglish() ? structure.en : structure.de
}
/** Kleine Spechthöhle (2), Totäste */
export const structureNames = (details: readonly Pick<StructureDetail, 'code' | 'menge'>[]): string =>
  details
    .map(({ code, menge }) =>
      menge === null ? structureName(code) : t('{name} ({n})', { name: structureName(code), n: menge }),
    )
    .join(', ')
