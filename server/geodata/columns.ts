// Columns and rows of an exported table, the same for every format.
import type { Form } from '#domain/vermessung/geometry.ts'

export interface Column {
  readonly name: string
  readonly typ: 'text' | 'ganz' | 'zahl' | 'ja_nein' | 'tag'
}
/** A row to be written in any format: geometry in the coordinate system of the file. */
export interface TableRow<Geometry extends Form | null = Form | null> {
  readonly id: number
  readonly geometrie: Geometry
  readonly werte: Readonly<Record<string, string | number | boolean | null>>
}
