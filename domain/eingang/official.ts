// What the official rules of the e-invoice say about a received one: CEN's for EN 16931 and KoSIT's for XRechnung,
// applied beside the server (server/eingang/official-rules.ts). Their findings stand with ours, each with who has
// found it, so that both can be compared.
import { type InvoiceFault, MOST_FAULTS, oneLine, OWN_RULES, quoted } from './fault.ts'
import { type RuleFinding, rulePlace, ruleTerm, ruleText } from './official-words.ts'

/**
 * start: Java or the rules could not be started · zeit, speicher: it took too much · abbruch: the rules ended
 * without an answer · profil: there are none for what the file says it follows (BT-24) · viele: its mail
 * brought more files than are checked of one.
 */
export const OFFICIAL_REASONS = ['start', 'zeit', 'speicher', 'abbruch', 'profil', 'viele'] as const
export type OfficialReason = (typeof OFFICIAL_REASONS)[number]

export type OfficialResult =
  | { readonly version: string; readonly findings: readonly RuleFinding[] }
  | { readonly reason: OfficialReason }

/** Of the column `geprueft`, which holds 60 letters. */
const LONGEST_VERSION = 36
const DONE = `${OWN_RULES}; amtlich: `
const NOT_DONE = `${OWN_RULES}; amtlich nicht: `

/** By which rules it was checked; `official` is null where they are not set up, or cannot apply. */
export function rulesApplied(official: OfficialResult | null): string {
  if (official === null) return OWN_RULES
  return 'reason' in official
    ? `${NOT_DONE}${official.reason}`
    : `${DONE}${Array.from(quoted(official.version)).slice(0, LONGEST_VERSION).join('')}`
}

/** The same read back. */
export function officialOf(applied: string): { version: string } | { reason: OfficialReason } | null {
  if (applied.startsWith(DONE)) return { version: applied.slice(DONE.length) }
  const reason = OFFICIAL_REASONS.find((one) => applied === `${NOT_DONE}${one}`)
  return reason === undefined ? null : { reason }
}

/** "XRechnung 3.0.2, 2026-01-31", of a configuration's name and date. */
export const versionName = (name: string, date: string): string =>
  [name.replace(/^Validator Configuration\s+/i, ''), date].filter((part) => part !== '').join(', ')

const LONGEST_RULE = 60
const LONGEST_WORDING = 600
const LONGEST_LOCATION = 500
/** The rules quote the file, which anybody may have written. */
const bounded = ({ rule, level, location, text }: RuleFinding): RuleFinding => ({
  rule: oneLine(rule, LONGEST_RULE),
  level,
  location: location.slice(-LONGEST_LOCATION),
  text: oneLine(text, LONGEST_WORDING),
})

/**
 * Both lists as one. A rule that both name is given once, in our words, which have the numbers; mere information is
 * left out.
 */
export function withOfficial(
  own: readonly InvoiceFault[],
  official: OfficialResult | null,
): readonly InvoiceFault[] {
  if (official === null || 'reason' in official) return own
  const found = official.findings.filter(({ level }) => level === 'error' || level === 'warning').map(bounded)
  const both = own.map((fault): InvoiceFault => {
    const same = found.filter(({ rule }) => rule === fault.rule)
    const [first] = same
    if (first === undefined) return fault
    const weight = same.some(({ level }) => level === 'error') ? 'fault' : fault.weight
    return { ...fault, weight, by: 'beide', wording: first.text }
  })
  const others = found
    .filter(({ rule }) => own.every((fault) => fault.rule !== rule))
    .slice(0, MOST_FAULTS)
    .map(
      (one): InvoiceFault => ({
        rule: one.rule,
        term: ruleTerm(one),
        place: rulePlace(one),
        weight: one.level === 'error' ? 'fault' : 'hint',
        text: ruleText(one),
        by: 'amtlich',
        wording: one.text,
      }),
    )
  return [...both, ...others]
}
