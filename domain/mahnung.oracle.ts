// The next reminder as the database proposes it (books.next_mahnung_day, a_get_mahnliste), for tests: the first day
// is compared by mahnung.cases.json.
import { addDays, daysBetween, nextWorkday } from './day.ts'
import { add, decimal, formatCents, sum } from './geld.ts'
import { isOverdue, LAST_LEVEL, type Mahnung, type MahnLevel, type OpenRechnung } from './mahnung.ts'

export interface MahnRule {
  /** For stage 1, 2, 3. */
  readonly gebuehren: readonly string[]
  /** Days of grace after a due date before the next stage: a transfer takes a day or two. */
  readonly graceDays: number
  /** Days to pay that a demand allows. */
  readonly frist: number
}
export const MAHN_RULE: MahnRule = { gebuehren: ['0.00', '5.00', '10.00'], graceDays: 3, frist: 10 }

export interface MahnSuggestion {
  readonly stufe: MahnLevel
  readonly faellig: string
  /** Fee of this stage. */
  readonly gebuehr: string
  /** Open amount plus the fees of all stages. Fees are damages and carry no VAT. */
  readonly claim: string
  /** Days since the invoice was due. */
  readonly tage: number
}

const latestOf = (mahnungen: readonly Mahnung[]): Mahnung | null =>
  mahnungen.reduce<Mahnung | null>(
    (latest, each) => (latest === null || each.stufe > latest.stufe ? each : latest),
    null,
  )

/** Amount a stage demands: the open amount plus the fees of the earlier stages and this one. */
export const mahnClaim = (
  openAmount: string,
  mahnungen: readonly Pick<Mahnung, 'gebuehr'>[],
  fee: string,
): string =>
  formatCents(
    add(add(decimal(openAmount), sum(mahnungen.map((each) => decimal(each.gebuehr)))), decimal(fee)),
  )

/** The first day of the next stage; null without a due day or after the last stage. */
export function nextMahnungDay(
  { faellig, mahnungen }: Pick<OpenRechnung, 'faellig' | 'mahnungen'>,
  graceDays: number,
): string | null {
  const last = latestOf(mahnungen)
  if (faellig === null || (last !== null && last.stufe >= LAST_LEVEL)) return null
  const waited = last === null || last.faellig < faellig ? faellig : last.faellig
  return addDays(waited, graceDays + 1)
}

/**
 * Null: nothing is open or due, the last demand is still running, or all stages are used up and a lawyer is
 * next.
 */
export function nextMahnung(
  rechnung: OpenRechnung,
  today: string,
  rule: MahnRule = MAHN_RULE,
): MahnSuggestion | null {
  const { faellig, offen, mahnungen } = rechnung
  const first = nextMahnungDay(rechnung, rule.graceDays)
  if (faellig === null || first === null || first > today || !isOverdue(rechnung, today)) return null
  const level = ((latestOf(mahnungen)?.stufe ?? 0) + 1) as MahnLevel
  const fee = formatCents(decimal(rule.gebuehren[level - 1] ?? '0.00'))
  return {
    stufe: level,
    faellig: nextWorkday(addDays(today, rule.frist)),
    gebuehr: fee,
    claim: mahnClaim(offen, mahnungen, fee),
    tage: daysBetween(faellig, today),
  }
}
