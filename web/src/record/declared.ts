// Texts of declared fields (domain/fields.ts) in the language of the screen.
import type { Choices, Field, Fields } from '#domain/fields.ts'
import { t } from '../ui/text.ts'

type Text = 'label' | 'asks' | 'missing' | 'refused' | 'hint' | 'empty'

/** A declared text, undefined if the field has none. */
export function textOf(field: Field, text: Text): string | undefined {
  const german = field[text]
  return german === undefined ? undefined : t(german)
}

/** The name among the columns of a file, if it has one of its own. */
export function importName(field: Field): string | undefined {
  const german = field.import?.label
  return german === undefined ? undefined : t(german)
}

/** The name of a choice; unknown ones keep their code. */
export const choiceName =
  <C extends Choices>(choices: C) =>
  (code: string & keyof C): string => {
    const choice = choices[code]
    return choice === undefined ? code : t(choice.label)
  }
export const codesOf = <C extends Choices>(choices: C): readonly (string & keyof C)[] => Object.keys(choices)

/** Names of the columns; columns that are not declared keep their own. */
export const labelsOf =
  (fields: Fields) =>
  (column: string): string => {
    const field = fields[column]
    return (field && textOf(field, 'label')) ?? column
  }

/** The values of the inputs of these columns: texts, and yes or no for a switch. */
export type InputsOf<F extends Fields, C extends keyof F> = {
  [K in C]: F[K]['kind'] extends 'boolean' ? boolean : string
}
