// The columns of an exported table, in every format the same.
import { felderOf, type Tabelle } from '#domain/vermessung/felder.ts'
import type { Geometrie } from '#domain/vermessung/geometrie.ts'

export interface Spalte {
  readonly name: string
  readonly typ: 'text' | 'ganz' | 'zahl' | 'ja_nein' | 'tag'
}
/** A row as it goes into every format: geometry in the system of the file. */
export interface Zeile {
  readonly id: number
  readonly geometrie: Geometrie
  readonly werte: Readonly<Record<string, string | number | boolean | null>>
}

export const spaltenOf = (tabelle: Tabelle): readonly Spalte[] => [
  ...felderOf(tabelle).map(({ name, art }) => ({ name, typ: art })),
  ...(tabelle === 'draenage' ? [{ name: 'laenge', typ: 'zahl' as const }] : []),
]
