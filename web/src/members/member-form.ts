// Validation of the form for a new person. The database applies the same rules (0001_stammdaten.sql) and has
// the last word.
import * as z from 'zod/mini'
import { t } from '../ui/text.ts'

/** The same rule as checks.is_email. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/.test(text)

const tidied = () => z.overwrite<string>((text) => text.normalize('NFC').trim())
const nameLine = () =>
  z.string().check(
    tidied(),
    z.refine((text) => Array.from(text).length <= 100, {
      error: () => t('Höchstens {n} Zeichen.', { n: 100 }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  )

export const MemberSchema = z.object({
  mail: z.string().check(
    z.trim(),
    z.refine((text) => text !== '', {
      error: () => t('Bitte geben Sie die E-Mail-Adresse an, mit der sich die Person anmeldet.'),
      abort: true,
    }),
    z.refine(isEmail, { error: () => t('Das ist keine gültige E-Mail-Adresse.') }),
  ),
  first_name: nameLine(),
  last_name: z.string().check(
    tidied(),
    z.refine((text) => text !== '', { error: () => t('Bitte geben Sie den Nachnamen an.'), abort: true }),
    z.refine((text) => Array.from(text).length <= 100, {
      error: () => t('Höchstens {n} Zeichen.', { n: 100 }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  ),
})
export interface MemberValues {
  mail: string
  first_name: string
  last_name: string
}
export const MEMBER_FIELDS = ['mail', 'first_name', 'last_name'] as const
export const NEW_MEMBER: MemberValues = { mail: '', first_name: '', last_name: '' }
