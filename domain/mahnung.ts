// Reminders and demands for payment: levels, headings and texts. The database proposes the next one
// (db/nouns/zahlung.sql; mahnung.oracle.ts); nothing is sent automatically.

import { decimal, sign } from './geld.ts'

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

export interface OpenRechnung {
  readonly faellig: string | null
  /** Still to be paid, without fees. */
  readonly offen: string
  readonly mahnungen: readonly Mahnung[]
}

export const isOverdue = (
  { faellig, offen }: Pick<OpenRechnung, 'faellig' | 'offen'>,
  today: string,
): boolean => faellig !== null && sign(decimal(offen)) > 0 && today > faellig

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
