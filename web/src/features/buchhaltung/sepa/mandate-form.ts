// A typed mandate. The database checks the same.
import { ibanFault, isBic, normalizeIban } from '#domain/iban.ts'
import { isDebitAccount } from '#domain/sepa/area.ts'
import { isSepaReference } from '#domain/sepa/charset.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'

export interface MandateValues {
  readonly client_id: string
  readonly referenz: string
  readonly unterschrieben: string
  readonly inhaber: string
  readonly iban: string
  readonly bic: string
  readonly art: string
  readonly einmalig: boolean
}
export const NEW_MANDATE: MandateValues = {
  client_id: '',
  referenz: '',
  unterschrieben: '',
  inhaber: '',
  iban: '',
  bic: '',
  art: 'core',
  einmalig: false,
}

const outsideText = (): string =>
  t(
    'Von Konten außerhalb des Europäischen Wirtschaftsraums kann hier nicht eingezogen werden. Bitte vereinbaren ' +
      'Sie mit dem Kunden eine Überweisung.',
  )

export function checkMandate(typed: MandateValues, today: string): Checked<MandateValues> {
  const day = parseDay(typed.unterschrieben)
  const values = {
    ...typed,
    referenz: typed.referenz.trim(),
    unterschrieben: day ?? '',
    inhaber: typed.inhaber.trim(),
    iban: normalizeIban(typed.iban),
    bic: typed.bic.replaceAll(/\s/g, '').toUpperCase(),
  }
  return unlessFaulty(values, {
    client_id: values.client_id === '' ? t('Bitte wählen Sie einen Kunden.') : undefined,
    referenz: isSepaReference(values.referenz)
      ? undefined
      : t('Bis zu 35 Buchstaben, Ziffern und Zeichen wie - . / ohne Leerzeichen und Umlaute.'),
    unterschrieben:
      day === null
        ? dayExpected()
        : day > today || day < '2009-11-02'
          ? t('Der Tag der Unterschrift, spätestens heute.')
          : undefined,
    inhaber:
      values.inhaber === '' || values.inhaber.length > 70
        ? t('Der Name des Kontoinhabers, höchstens 70 Zeichen.')
        : undefined,
    iban:
      ibanFault(values.iban) !== null
        ? t('Diese IBAN stimmt nicht. Bitte vergleichen Sie sie mit dem Mandat.')
        : isDebitAccount(values.iban)
          ? undefined
          : outsideText(),
    bic:
      values.bic === '' || isBic(values.bic)
        ? undefined
        : t('Eine BIC hat 8 oder 11 Zeichen, zum Beispiel BYLADEM1001.'),
  })
}
