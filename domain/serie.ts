// Recurring invoices: what differs from the last run, named before a draft is made. Periods are computed by the
// database (books.serie_periods), tested with serie.cases.json.

export const RHYTHMS = [1, 3, 6, 12] as const
export type Rhythm = (typeof RHYTHMS)[number]

export interface SerieLine {
  /** With its placeholders: the period differs each time. */
  readonly bez: string
  readonly anzahl: string
  readonly einheit: string
  readonly ep: string
  readonly rabatt_prozent: string
  readonly betrag: string
}
/** What a run was made of. */
export interface SerieStand {
  readonly zeilen: readonly SerieLine[]
  readonly steuern: readonly { readonly kategorie: string; readonly satz: string }[]
  readonly leistungsort: string | null
  readonly netto: string
  readonly brutto: string
}

export type SerieChange =
  | { readonly art: 'neu' | 'weg'; readonly bez: string; readonly betrag: string }
  | {
      readonly art: 'preis' | 'menge' | 'rabatt'
      readonly bez: string
      readonly from: string
      readonly to: string
    }
  | { readonly art: 'steuer' | 'ort'; readonly from: string; readonly to: string }

const FIELDS = [
  ['preis', 'ep'],
  ['menge', 'anzahl'],
  ['rabatt', 'rabatt_prozent'],
] as const

const taxText = ({ steuern }: SerieStand): string =>
  steuern.map(({ kategorie, satz }) => `${kategorie} ${satz}`).join(', ')

/** Lines with the same words and unit are the same line, the first with the first. */
function pairLines(before: SerieStand, now: SerieStand) {
  const left = [...before.zeilen]
  const pairs = now.zeilen.map((line) => {
    const at = left.findIndex(({ bez, einheit }) => bez === line.bez && einheit === line.einheit)
    return { line, earlier: at < 0 ? null : left.splice(at, 1)[0]! }
  })
  return { pairs, gone: left }
}

/** What differs between two runs, in the order of the lines; none for equal ones. */
export function serieChanges(before: SerieStand, now: SerieStand): SerieChange[] {
  const { pairs, gone } = pairLines(before, now)
  const lines = pairs.flatMap(({ line, earlier }): SerieChange[] =>
    earlier === null
      ? [{ art: 'neu', bez: line.bez, betrag: line.betrag }]
      : FIELDS.flatMap(([art, field]) =>
          earlier[field] === line[field]
            ? []
            : [{ art, bez: line.bez, from: earlier[field], to: line[field] }],
        ),
  )
  const differing = (art: 'steuer' | 'ort', from: string, to: string): SerieChange[] =>
    from === to ? [] : [{ art, from, to }]
  return [
    ...lines,
    ...gone.map(({ bez, betrag }): SerieChange => ({ art: 'weg', bez, betrag })),
    ...differing('steuer', taxText(before), taxText(now)),
    ...differing('ort', before.leistungsort ?? '', now.leistungsort ?? ''),
  ]
}
