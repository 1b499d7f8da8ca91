// Cells of an export: values with their kind, so that a number stays a number in every format.

export type ExportCell = string | number | boolean | null | Day | Moment
/** A calendar day, ISO. */
export interface Day {
  readonly day: string
}
/** A point in time, ISO with zone. */
export interface Moment {
  readonly moment: string
}
export interface ExportTable {
  /** Name of the sheet, at most 31 characters. */
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly ExportCell[])[]
}

export const day = (iso: string | null): Day | null => (iso === null ? null : { day: iso.slice(0, 10) })
export const moment = (iso: string | null): Moment | null => (iso === null ? null : { moment: iso })

/** File name with the day in front of the ending: Kunden_2026-12-31.csv. */
export const fileName = (name: string, now: Date, ending: string): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${name}_${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.${ending}`
}

/** Hands a file over to the browser's downloads. */
export function saveFile(content: Blob, name: string) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Safari still reads the address a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 30_000)
}
