// Every rule code of the server has a message.
import { expect, test } from 'vitest'
import { FILE_REASONS, IMPORT_RULES } from '#contract/vermessung-import.ts'
import { toApiError } from './api-error.ts'
import { BY_RULE } from './rule-texts.ts'

test.each([...FILE_REASONS, ...IMPORT_RULES])('%s', (rule) =>
  expect(BY_RULE[rule]).toMatch(/^[A-ZÄÖÜ].{20,}\.$/),
)
test('what the server names stands in the sentence', async () => {
  const body = {
    code: 40_000,
    message: 'x',
    data: null,
    error: 'bad_value',
    hint: 'import_ort',
    werte: { schicht: 'Schächte {neu}' },
  }
  expect((await toApiError(400, body)).message).toBe(
    'Bitte wählen Sie die Spalten mit Ost- und Nordwert der Schicht »Schächte {neu}«.',
  )
  expect((await toApiError(400, { ...body, werte: null })).message).toContain('{schicht}')
})
