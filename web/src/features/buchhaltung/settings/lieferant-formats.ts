// Fields of the supplier that have their own form, and what is said where they have not.
import { isAddress } from '#domain/dispatch.ts'
import { ibanFault, isBic } from '#domain/iban.ts'
import { creditorIdFault } from '#domain/sepa/creditor-id.ts'
import { taxNumberFault } from '#domain/tax-number.ts'
import { ustIdFault } from '#domain/ust-id.ts'
import { t } from '../../../ui/text.ts'

interface Rule {
  readonly isRight: (text: string) => boolean
  readonly fault: () => string
}
/** By field of the supplier. Checked only if something was entered. */
export const FORMATS: Readonly<Partial<Record<string, Rule>>> = {
  mail: { isRight: isAddress, fault: () => t('Das ist keine gültige E-Mail-Adresse.') },
  iban: {
    isRight: (text) => ibanFault(text) === null,
    fault: () => t('Diese IBAN stimmt nicht. Bitte Zeichen für Zeichen mit dem Kontoauszug vergleichen.'),
  },
  bic: {
    isRight: (text) => isBic(text.toUpperCase()),
    fault: () => t('Eine BIC hat 8 oder 11 Zeichen, zum Beispiel BYLADEM1001.'),
  },
  glaeubiger_id: {
    isRight: (text) => creditorIdFault(text) === null,
    fault: () =>
      t('Diese Gläubiger-ID stimmt nicht. Sie steht im Schreiben der Bundesbank und hat 18 Zeichen.'),
  },
  ust_id: {
    isRight: (text) => ustIdFault(text) === null,
    fault: () => t('Diese USt-IdNr. stimmt nicht. Bitte vergleichen Sie sie mit Ihrem Bescheid.'),
  },
  steuernummer: {
    isRight: (text) => taxNumberFault(text) === null,
    fault: () =>
      t(
        'Diese Steuernummer hat nicht die Form eines Bundeslands. Bitte vergleichen Sie sie mit Ihrem Bescheid.',
      ),
  },
}
