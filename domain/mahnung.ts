// Reminders and demands for payment: which stage is next, when, and what it demands. Nothing is sent
// automatically; this proposes, people decide.

import { add, decimal, formatCents, sign, sum } from './geld.ts'
import { addDays, daysBetween, nextWorkday } from './day.ts'

export type MahnLevel = 1 | 2 | 3
export const LAST_LEVEL: MahnLevel = 3

/** Printed headings. */
export const MAHN_TITLE: Readonly<Record<MahnLevel, string>> = {
  1: 'Zahlungserinnerung',
  2: 'Mahnung',
  3: 'Letzte Mahnung',
}

export interface Mahnung {
  readonly stufe: MahnLevel
  /** Date of writing. */
  readonly datum: string
  /** Last day for payment. */
  readonly faellig: string
  readonly gebuehr: string
}

export interface MahnRule {
  /** For stage 1, 2, 3. */
  readonly gebuehren: readonly string[]
  /** Days of grace after a due date before the next stage: a transfer takes a day or two. */
  readonly graceDays: number
  /** Days to pay that a demand allows. */
  readonly frist: number
}
export const MAHN_RULE: MahnRule = { gebuehren: ['0.00', '5.00', '10.00'], graceDays: 3, frist: 10 }

export interface OpenRechnung {
  readonly faellig: string | null
  /** Still to be paid, without fees. */
  readonly offen: string
  readonly mahnungen: readonly Mahnung[]
}

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

export const isOverdue = (
  { faellig, offen }: Pick<OpenRechnung, 'faellig' | 'offen'>,
  today: string,
): boolean => faellig !== null && sign(decimal(offen)) > 0 && today > faellig

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

/** Default text of a reminder, with the placeholders of text blocks. */
export const MAHN_TEXT: Readonly<Record<MahnLevel, string>> = {
  1: `vielleicht ist es Ihnen entgangen: Unsere Rechnung {nummer} ist noch nicht vollständig bezahlt. \
Bitte überweisen Sie {betrag} bis zum {faellig}.

Sollten Sie inzwischen gezahlt haben, betrachten Sie dieses Schreiben bitte als gegenstandslos.`,
  2: `auf unsere Zahlungserinnerung zur Rechnung {nummer} ist noch keine vollständige Zahlung eingegangen. \
Wir bitten Sie, {betrag} bis zum {faellig} zu überweisen.

Sollten Sie inzwischen gezahlt haben, betrachten Sie dieses Schreiben bitte als gegenstandslos. \
Falls mit der Rechnung etwas nicht stimmt, rufen Sie uns bitte an.`,
  3: `trotz Zahlungserinnerung und Mahnung ist die Rechnung {nummer} noch nicht vollständig bezahlt. \
Wir fordern Sie letztmalig auf, {betrag} bis zum {faellig} zu zahlen.

Ist der Betrag bis dahin nicht bei uns eingegangen, beantragen wir ohne weitere Ankündigung einen \
gerichtlichen Mahnbescheid. Die Kosten dafür tragen Sie.

Sollten Sie inzwischen gezahlt haben, betrachten Sie dieses Schreiben bitte als gegenstandslos.`,
}
