// What the imports of surveys and of management plans by programs have in common.
import type { FarAway } from '#domain/far-away.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import type { Moved } from '#domain/vermessung/moved.ts'
import { type ImportRefusal, type ImportResult, type RowFault, refusal } from '#server/program-import.ts'

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

/** In one order: an answer that is repeated is the same, and the database orders keys in its own way. */
export const orderedLosses = (losses: readonly ImportLoss[]): ImportLoss[] =>
  losses.map(({ schicht, art, anzahl, spalten, others }) => ({
    schicht,
    art,
    anzahl,
    ...(spalten !== undefined && { spalten }),
    ...(others !== undefined && {
      others: others.map(({ nr, stated, outline }) => ({ nr, stated, outline })),
    }),
  }))

interface Checked {
  readonly schichten: readonly { readonly anzahl: number; readonly gut: number }[]
  readonly fehler: readonly ObjectFault[]
  readonly fehlerzahl: number
  readonly hinweise: readonly object[]
  /** How far away the data are, if that has to be confirmed. */
  readonly fern: FarAway | null
  /** Known objects that would be moved, if that has to be confirmed. */
  readonly verschoben?: Moved | null
}

interface Confirmed {
  readonly ort_bestaetigt?: unknown
  readonly verschiebung_bestaetigt?: unknown
}

/** @throws Refusal `ort` or `verschiebung` if the settings do not say that what is asked is right */
export function probeResult(
  { schichten, fehler, fehlerzahl, hinweise, fern, verschoben = null }: Checked,
  values: unknown,
): ImportResult {
  const { ort_bestaetigt, verschiebung_bestaetigt } = values as Confirmed
  if (fern !== null && ort_bestaetigt !== true) throw farRefusal(fern)
  if (verschoben !== null && verschiebung_bestaetigt !== true) throw movedRefusal(verschoben)
  const total = schichten.reduce((sum, { anzahl }) => sum + anzahl, 0)
  const good = schichten.reduce((sum, { gut }) => sum + gut, 0)
  return { zahlen: { anzahl: total, gut: good }, fehlerzahl, fehler: fehler.map(rowFaultOf), hinweise }
}

export const movedRefusal = ({ anzahl, objekte }: Moved): ImportRefusal =>
  refusal('verschiebung', {
    zahl: anzahl,
    meter: objekte[0]?.m ?? 0,
    kennungen: objekte.map(({ schluessel }) => schluessel).join(', '),
  })

export const farRefusal = ({ anzahl, von, km, objekte }: FarAway): ImportRefusal =>
  refusal('ort', {
    zahl: anzahl,
    gesamt: von,
    km,
    zeilen: objekte.map(({ schicht, nr, name }) => `${schicht} ${nr}${name && ` (${name})`}`).join(', '),
  })
