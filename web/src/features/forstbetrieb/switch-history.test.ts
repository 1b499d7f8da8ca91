import { expect, test } from 'vitest'
import { sinceOf } from './switch-history.ts'

const entry = (
  time: string,
  who: string | null,
  after: Record<string, unknown> | null,
  action: 'neu' | 'geaendert' = 'geaendert',
) => ({
  zeit: time,
  wer: who,
  neu: after,
  aktion: action,
})
const ENTRIES = [
  entry('2026-05-03', 'Anna', { kawm_area: 12 }),
  entry('2026-04-02', 'Bert', { kawm_enabled: true, kawm_area: 11 }),
  entry('2026-03-01', 'Cara', { kawm_enabled: false }),
  entry('2026-01-01', null, { kawm_enabled: true, fe_enabled: false }, 'neu'),
]
test('the newest change of that very field counts', () => {
  expect(sinceOf(ENTRIES, 'kawm_enabled')).toEqual({ zeit: '2026-04-02', wer: 'Bert' })
  expect(sinceOf(ENTRIES, 'kawm_area')).toEqual({ zeit: '2026-05-03', wer: 'Anna' })
})
test('that the row was made says nothing of who chose the value', () =>
  expect(sinceOf(ENTRIES, 'fe_enabled')).toBeNull())
test('an empty history knows nothing', () => expect(sinceOf([], 'fe_enabled')).toBeNull())
