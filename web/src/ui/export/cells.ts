// Cells of an export: values with their type, so that a number stays a number in every format.
import type { Sheet, Day, Moment } from '#domain/xlsx.ts'

export type { SheetCell as ExportCell } from '#domain/xlsx.ts'
export type ExportTable = Sheet

export const day = (iso: string | null): Day | null => (iso === null ? null : { day: iso.slice(0, 10) })
export const moment = (iso: string | null): Moment | null => (iso === null ? null : { moment: iso })
