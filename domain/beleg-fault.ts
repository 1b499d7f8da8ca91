// What a check of a document finds: where, a stable code, and what to do about it.

import { isInvoiceKind } from './abschlag.ts'
import type { Beleg } from './beleg.ts'

/** fehler: cannot be issued · hinweis: can be issued, but somebody should check it. */
export type Severity = 'fehler' | 'hinweis'

export interface BelegFault {
  /**
   * Path in the document, with lines counted from 0: 'empfaenger.leitweg_id', 'positionen.3.bez',
   * 'summen.steuer'.
   */
  readonly feld: string
  readonly code: string
  /** German, with the next step. */
  readonly text: string
  readonly severity: Severity
}

export interface Findings {
  fehler(field: string, code: string, text: string): void
  hint(field: string, code: string, text: string): void
}

export interface Collected extends Findings {
  readonly faults: BelegFault[]
}
export function collect(): Collected {
  const faults: BelegFault[] = []
  const taking =
    (severity: Severity) =>
    (field: string, code: string, text: string): void => {
      faults.push({ feld: field, code, text, severity })
    }
  return { faults, fehler: taking('fehler'), hint: taking('hinweis') }
}

export const isERechnung = ({ format, art }: Pick<Beleg, 'format' | 'art'>): boolean =>
  format !== 'pdf' && isInvoiceKind(art)
export const isBlank = (text: string): boolean => text.trim() === ''

/** As XRechnung 3.0.2 tests BR-DE-28, without a dot at an edge: one @, a domain of several parts, no blanks. */
export const isBelegMail = (text: string): boolean =>
  /^[^\s@.](?:[^\s@]*[^\s@.])?@(?:[^\s@.]+\.)+[^\s@.]+$/.test(text)
