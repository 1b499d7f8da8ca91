import type { ZahlungKind } from '#contract/zahlung.ts'
import { t } from '../../../ui/text.ts'

/** Beside the question whether more was paid than is open. */
export const costsHint = (): string =>
  t(
    'Mahngebühren und Zinsen gehören nicht dazu: Auf sie fällt keine Umsatzsteuer an. Tragen Sie sie mit der ' +
      'Art „Mahnkosten“ ein.',
  )

/** Beside the same question; the server does it (books.withdraw_loss). */
export const lossHint = (): string =>
  t(
    'War ein Ausfall gebucht, wird er in Höhe des Geldes zurückgenommen. Die Umsatzsteuer zählt im Monat der ' +
      'Zahlung, der Monat des Ausfalls bleibt, wie er ist.',
  )

export function zahlungKindText(art: ZahlungKind): string {
  switch (art) {
    case 'zahlung':
      return t('Zahlung')
    case 'skonto':
      return t('Skonto')
    case 'ausfall':
      return t('Ausfall')
    case 'mahnkosten':
      return t('Mahnkosten')
  }
}
