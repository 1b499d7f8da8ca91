// A typed base rate: the half-year, the rate and where it was read. The database checks the same.
import { formatDecimal, parseNumberInput } from '#domain/geld.ts'
import { type BaseRate, type BaseRateFault, baseRateFault } from '#domain/interest.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'

export interface BaseRateValues {
  readonly ab: string
  readonly satz: string
  readonly quelle: string
}

const FIELD = { halbjahr: 'ab', doppelt: 'ab', satz: 'satz', quelle: 'quelle' } as const

function faultText(fault: BaseRateFault): string {
  switch (fault) {
    case 'halbjahr':
      return t('Der 1. Januar oder 1. Juli eines Jahres, zum Beispiel 01.07.2026.')
    case 'doppelt':
      return t('Für dieses Halbjahr ist schon ein Satz eingetragen. Nehmen Sie ihn zuerst heraus.')
    case 'satz':
      return t('Von −5,00 bis 20,00 mit höchstens zwei Stellen nach dem Komma.')
    case 'quelle':
      return t('Wo der Satz steht, mit höchstens 200 Zeichen.')
  }
}

export function checkBaseRate(values: BaseRateValues, others: readonly BaseRate[]): Checked<BaseRate> {
  const percent = parseNumberInput(values.satz, { decimals: 2, integerDigits: 2, allowNegative: true })
  const rate = {
    ab: parseDay(values.ab) ?? '',
    satz: typeof percent === 'string' ? '' : formatDecimal(percent),
    quelle: values.quelle.trim(),
  }
  const fault = baseRateFault(rate, others)
  return unlessFaulty(rate, fault === null ? {} : { [FIELD[fault]]: faultText(fault) })
}
