// Checks of inputs that many forms have, with texts for the person typing. The database checks the same and
// has the last word.
import * as z from 'zod/mini'
import { t } from '../ui/text.ts'

/** A text as checked and sent. */
export const tidy = (text: string): string => text.normalize('NFC').trim()
export const tidied = () => z.overwrite<string>(tidy)

/** One line of text; `missing` asks for it if it is required. */
export function line(longest: number, missing?: () => string) {
  return z.string().check(
    tidied(),
    z.refine((text) => missing === undefined || text !== '', { error: () => missing?.(), abort: true }),
    z.refine((text) => Array.from(text).length <= longest, {
      error: () => t('Höchstens {n} Zeichen.', { n: longest }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  )
}

/** A text that may be empty and otherwise has a shape. */
export const shaped = (isRight: (text: string) => boolean, message: () => string) =>
  z.string().check(
    tidied(),
    z.refine((text) => text === '' || isRight(text), { error: message }),
  )

export const choice = (list: readonly string[]) =>
  shaped(
    (text) => list.includes(text),
    () => t('Bitte wählen Sie einen Eintrag der Liste.'),
  )
