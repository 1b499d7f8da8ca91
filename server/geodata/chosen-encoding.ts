// The encoding that a person chose for the texts of a layer.
import { isTextEncoding, type TextEncoding } from '#domain/text-encoding.ts'
import { Refusal } from '#server/errors.ts'

/** Nothing if none was chosen. @throws Refusal for one we do not know */
export function encodingOf(layer: Readonly<Record<string, unknown>>): { zeichensatz?: TextEncoding } {
  const { zeichensatz } = layer
  if (zeichensatz === undefined || zeichensatz === null) return {}
  if (isTextEncoding(zeichensatz)) return { zeichensatz }
  throw new Refusal('bad_value', 'Bitte wählen Sie einen Zeichensatz aus der Liste.')
}
