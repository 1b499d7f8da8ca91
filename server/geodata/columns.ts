// Columns and rows of an exported table, in every format the same.
import type { Form } from '#domain/vermessung/geometry.ts'

export interface Column {
  readonly name: string
  readonly typ: 'text' | 'ganz' | 'zahl' | 'ja_nein' | 'tag'
}
/** A row as it goes into every format: geometry in the system of the file. */
export interface TableRow<Geometry extends Form | null = Form | null> {
  readonly id: number
  readonly geometrie: Geometry
  readonly werte: Readonly<Record<string, string | number | boolean | null>>
}
