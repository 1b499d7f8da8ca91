// Documents of beleg-check.cases.json: the sample as a draft, with the one change of the case.
import type { Beleg, BelegPosition } from './beleg.ts'
import { type MusterBeleg, computeMuster, musterBeleg, musterPosition } from './beleg-sample.ts'
import { taxOf } from './rechnung.ts'

export const CASE_DAY = '2026-03-15'

export interface BelegCase {
  readonly why: string
  readonly art?: string
  /** Values by path; lines have `lines` instead. */
  readonly set?: object
  /** Texts of this many letters, by path. */
  readonly long?: object
  /** Instead of the sample's two lines, each with what differs from its first one. */
  readonly lines?: readonly object[]
  /** The day of the last one issued. */
  readonly earliest?: string
  /** What the server's columns do with such a draft before it is checked. */
  readonly columns?: string
  /** Field and code; the server refuses one of them at issue. */
  readonly faults: readonly string[]
  /** What the page says and the server does not mind. */
  readonly hints?: readonly string[]
}

const OFFER = {
  art: 'angebot',
  format: 'pdf',
  le_date: null,
  le_date_bis: null,
  faellig: null,
  skonto: [],
  gueltig_bis: '2026-04-14',
} as const satisfies Partial<Beleg>

function setAt(beleg: MusterBeleg, path: string, value: unknown): void {
  const parts = path.split('.')
  const name = parts.pop()!
  const target = parts.reduce<object>((at, part) => at[part as keyof typeof at], beleg)
  Object.assign(target, { [name]: value })
}

/** Rate, category and reason as the document has them. */
function taxed(position: BelegPosition, beleg: MusterBeleg): BelegPosition {
  const tax = taxOf(position, {
    ust_satz: beleg.ust_satz,
    kleinunternehmer: beleg.lieferant.kleinunternehmer,
  })
  return { ...position, ust_satz: tax.satz, kategorie: tax.kategorie, steuergrund: tax.grund }
}

export function caseBeleg({ art, set = {}, long = {}, lines }: Omit<BelegCase, 'why' | 'faults'>): Beleg {
  return musterBeleg((beleg) => {
    Object.assign(beleg, { nummer: '', entwurf: true }, art === 'angebot' ? OFFER : {})
    beleg.positionen = lines?.map((line) => musterPosition(line)) ?? beleg.positionen.slice(0, 2)
    for (const [path, value] of Object.entries(set)) setAt(beleg, path, value)
    for (const [path, length] of Object.entries(long)) setAt(beleg, path, 'ä'.repeat(Number(length)))
    beleg.positionen = beleg.positionen.map((position) => taxed(position, beleg))
    computeMuster(beleg)
  })
}
