// What the imports of surveys and of management plans by programs have in common.
import { type ImportResult, type RowFault, refusal } from '#server/program-import.ts'

interface ObjectFault {
  readonly schicht: string
  readonly nr: number
  readonly feld: string | null
  readonly art: string
  readonly wert: string
}

export const rowFaultOf = ({ schicht, nr, feld, art, wert }: ObjectFault): RowFault => ({
  schicht,
  zeile: nr,
  feld,
  code: art,
  angaben: { wert },
  stufe: 'fehler',
})

interface Checked {
  readonly schichten: readonly { readonly anzahl: number; readonly gut: number }[]
  readonly fehler: readonly ObjectFault[]
  readonly fehlerzahl: number
  readonly hinweise: readonly object[]
  /** How far away the data are, if that has to be confirmed. */
  readonly fern: unknown
}

/** @throws Refusal `ort` if the data are far away and the settings do not say that this is right */
export function probeResult(
  { schichten, fehler, fehlerzahl, hinweise, fern }: Checked,
  values: unknown,
): ImportResult {
  if (fern !== null && (values as { ort_bestaetigt?: unknown }).ort_bestaetigt !== true) throw refusal('ort')
  const total = schichten.reduce((sum, { anzahl }) => sum + anzahl, 0)
  const good = schichten.reduce((sum, { gut }) => sum + gut, 0)
  return { zahlen: { anzahl: total, gut: good }, fehlerzahl, fehler: fehler.map(rowFaultOf), hinweise }
}
