// What is said of a fault beyond its code: the sentence of the broken rule, with the values that the answer names
// for it, and the faults of the fields.
import { isDay } from '#domain/day.ts'
import { formatDate } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import { type FaultBody, type FaultKind, type SpecialWords, textOf } from './fault-body.ts'
import { fieldFaultsOf } from './field-faults.ts'
import { BY_RULE } from './rule-texts.ts'

const fieldValuesOf = (value: unknown): Record<string, string | number> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(
            (pair): pair is [string, string | number] =>
              typeof pair[1] === 'string' || typeof pair[1] === 'number',
          )
          .map(([name, one]) => [name, typeof one === 'string' && isDay(one) ? formatDate(one) : one]),
      )
    : {}

/** The general API names values to insert; the database writes them as JSON into the details. */
function valuesOf({ werte, details }: FaultBody): Record<string, string | number> {
  if (werte !== undefined || typeof details !== 'string' || !details.startsWith('{'))
    return fieldValuesOf(werte)
  try {
    return fieldValuesOf(JSON.parse(details))
  } catch {
    return {}
  }
}

export function specialWords(
  fault: FaultBody,
  { isOfFields, isCut }: FaultKind,
  origin: string | undefined,
): SpecialWords {
  const sentence = BY_RULE[textOf(fault.hint) ?? '']
  const special = sentence === undefined ? undefined : t(sentence, valuesOf(fault))
  const general = isCut
    ? t('Die Antwort ist zu groß. Bitte wählen Sie weniger Zeilen oder Spalten.')
    : undefined
  return { special, general, fields: isOfFields ? fieldFaultsOf(fault, special, origin) : [] }
}
