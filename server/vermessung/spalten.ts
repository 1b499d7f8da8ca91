// The columns of an exported table of the survey.
import { felderOf, type Tabelle } from '#domain/vermessung/felder.ts'
import type { Geometrie } from '#domain/vermessung/geometrie.ts'
import type { Spalte, Zeile as JedeZeile } from '../geodaten/spalten.ts'

export type Zeile = JedeZeile<Geometrie>
export const TITEL: Readonly<Record<Tabelle, string>> = {
  draenage: 'Dränagen',
  ausmuendung: 'Ausmündungen',
  schacht: 'Schächte',
  schlucker: 'Schlucker',
  einlauf: 'Einläufe',
}
export const spaltenOf = (tabelle: Tabelle): readonly Spalte[] => [
  ...felderOf(tabelle).map(({ name, art }) => ({ name, typ: art })),
  ...(tabelle === 'draenage' ? [{ name: 'laenge', typ: 'zahl' as const }] : []),
]
