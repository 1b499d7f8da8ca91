// A discount beside its line; below zero it is a surcharge.
import { decimal, formatGerman, negateText } from '#domain/geld.ts'
import { isSurcharge } from '#domain/rechnung.ts'
import { t } from '../../ui/text.ts'

/** "−5 %", or "+5 %" of a surcharge. */
export const discountText = (discountPercent: string): string =>
  isSurcharge(discountPercent)
    ? t('+{prozent} %', { prozent: formatGerman(decimal(negateText(discountPercent))) })
    : t('−{prozent} %', { prozent: formatGerman(decimal(discountPercent)) })
