// The values of a survey object as forms and queue have them: those of the imports' field table, where it is,
// and whether it is to be deleted.
import { ALL_FIELDS, fieldsOf, type Table } from '#domain/vermessung/fields.ts'
import type { SurveyRow } from '#contract/vermessung.ts'

/** lage: text as in the contract; geloescht: asked to be deleted; loeschgrund: why. */
export type SurveyValues = Readonly<Record<string, string | number | boolean | null>>
export const SURVEY_INPUTS: readonly string[] = [
  'lage',
  ...ALL_FIELDS.map(({ name }) => name),
  'geloescht',
  'loeschgrund',
]

export const NO_VALUES: SurveyValues = {
  ...Object.fromEntries(SURVEY_INPUTS.map((field) => [field, null])),
  geloescht: false,
}
export function surveyValuesOf(row: SurveyRow): SurveyValues {
  const all = row as unknown as SurveyValues
  return {
    ...NO_VALUES,
    ...Object.fromEntries(
      SURVEY_INPUTS.filter((field) => Object.hasOwn(all, field)).map((f) => [f, all[f]!]),
    ),
  }
}
/** Without fields that the kind does not have: the server refuses them. */
export function surveyFieldsOf(table: Table, values: Partial<SurveyValues>): Partial<SurveyValues> {
  const own = new Set(['lage', ...fieldsOf(table).map(({ name }) => name)])
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) =>
        own.has(field) ||
        (field === 'geloescht' && value === true) ||
        (field === 'loeschgrund' && values['geloescht'] === true),
    ),
  )
}
