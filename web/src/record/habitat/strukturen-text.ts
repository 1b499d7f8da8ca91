// Micro-habitats of a tree as one text: "1.1x2 7.1". Forms and conflicts compare texts, and the same structures are always the same text.
import { type StrukturAngabe, STRUKTUREN, strukturOf } from '#domain/habitat/strukturen.ts'
import { t } from '../../ui/text.ts'
import { englisch } from './habitat-words.ts'

const RANK: ReadonlyMap<string, number> = new Map(STRUKTUREN.map(({ code }, at) => [code, at]))
const rankOf = (code: string): number => RANK.get(code) ?? RANK.size

/** In the order of the catalogue. */
export const textOfStrukturen = (angaben: readonly Pick<StrukturAngabe, 'code' | 'menge'>[]): string =>
  angaben
    .toSorted((a, b) => rankOf(a.code) - rankOf(b.code) || (a.code < b.code ? -1 : 1))
    .map(({ code, menge }) => (menge === null ? code : `${code}x${menge}`))
    .join(' ')

export const strukturenOf = (text: string): StrukturAngabe[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((part) => {
      const [code = '', menge] = part.split('x')
      return { code, system: strukturOf(code)?.system ?? 'larrieu_2018', menge: menge === undefined ? null : Number(menge) }
    })

export function mitStruktur(text: string, code: string, da: boolean): string {
  const others = strukturenOf(text).filter((angabe) => angabe.code !== code)
  return textOfStrukturen(da ? [...others, { code, menge: null }] : others)
}
export const mitMenge = (text: string, code: string, menge: number | null): string =>
  textOfStrukturen(strukturenOf(text).map((angabe) => (angabe.code === code ? { ...angabe, menge } : angabe)))

export function strukturName(code: string): string {
  const struktur = strukturOf(code)
  return struktur === undefined ? code : englisch() ? struktur.en : struktur.de
}
/** Kleine Spechthöhle (2), Totäste */
export const strukturenNamen = (angaben: readonly Pick<StrukturAngabe, 'code' | 'menge'>[]): string =>
  angaben
    .map(({ code, menge }) => (menge === null ? strukturName(code) : t('{name} ({n})', { name: strukturName(code), n: menge })))
    .join(', ')
