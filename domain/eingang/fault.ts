// What our own check finds in a received invoice: sentences for people, with the rule and the term they are about.
import { TERM_NAMES } from './term-names.ts'

/** fault: the invoice is wrong, or is none for deducting input tax · hint: to be looked at. */
export type FaultWeight = 'fault' | 'hint'

export interface InvoiceFault {
  /** Of EN 16931 ("BR-CO-10"), a paragraph, or a name of our own. */
  readonly rule: string
  /** "BT-106", or a group. */
  readonly term: string
  /** Number of the line; '' for the whole invoice. */
  readonly place: string
  readonly weight: FaultWeight
  readonly text: string
  /** Who found it: the official rules, or they and ours; without it ours alone. */
  readonly by?: 'amtlich' | 'beide'
  /** What the official rule says, as it is written. */
  readonly wording?: string
}

/** Which rules these are: shown with every result. */
export const OWN_RULES = 'Forstkontor 1'

export const MOST_FAULTS = 100
const LONGEST_VALUE = 60

/** What a file says, fit for a sentence. */
export const quoted = (text: string): string => oneLine(text, LONGEST_VALUE)

/** Words of a file or about one: without what would turn, hide or break the line, and no half of a letter. */
export const oneLine = (text: string, most: number): string => {
  const line = text
    .toWellFormed()
    .replaceAll(/[\s\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]+/g, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : line
}
export const nameOf = (id: string): string => TERM_NAMES[id] ?? id

export interface FaultList {
  readonly faults: InvoiceFault[]
  fault(rule: string, term: string, text: string, place?: string): void
  hint(rule: string, term: string, text: string, place?: string): void
}

export function createFaultList(): FaultList {
  const faults: InvoiceFault[] = []
  const put =
    (weight: FaultWeight) =>
    (rule: string, term: string, text: string, place = '') => {
      if (faults.length < MOST_FAULTS) faults.push({ rule, term, place: quoted(place), weight, text })
    }
  return { faults, fault: put('fault'), hint: put('hint') }
}
