// Texts that are filled in and enlarged by text blocks.
import { unknownPlaceholders } from '#domain/placeholders.ts'
import { t } from '../../ui/text.ts'

/** Text blocks start their own paragraph. */
export const appendBlock = (text: string, block: string): string =>
  text.trim() === '' ? block : `${text.trimEnd()}\n\n${block}`

/** What is wrong with a text that may not be empty. */
export function filledTextFault(text: string): string | undefined {
  if (text.trim() === '') return t('Diese Angabe fehlt.')
  const [unknown] = unknownPlaceholders(text)
  return unknown === undefined
    ? undefined
    : t('{platzhalter} ist kein Platzhalter. Bitte ersetzen oder die Klammer entfernen.', {
        platzhalter: unknown,
      })
}
