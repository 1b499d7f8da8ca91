import { expect, test } from 'vitest'
import { checkBaseRate } from './base-rate-form.ts'

const OTHERS = [{ ab: '2026-01-01', satz: '1.27', quelle: 'Deutsche Bundesbank' }]
const TYPED = { ab: '1.7.2026', satz: '1,3', quelle: ' Bundesanzeiger ' }

test('a base rate is read as people write it', () => {
  expect(checkBaseRate(TYPED, OTHERS)).toEqual({
    values: { ab: '2026-07-01', satz: '1.30', quelle: 'Bundesanzeiger' },
  })
  expect(checkBaseRate({ ...TYPED, satz: '-0,88 %' }, OTHERS)).toMatchObject({ values: { satz: '-0.88' } })
})
test.each([
  ['ab', '30.06.2026'],
  ['ab', '01.01.2026'],
  ['ab', 'Juli'],
  ['satz', '1,275'],
  ['satz', '20,01'],
  ['satz', 'viel'],
  ['quelle', ' '],
])('%s may not be %j', (field, value) =>
  expect(checkBaseRate({ ...TYPED, [field]: value }, OTHERS)).toMatchObject({
    faults: { [field]: expect.any(String) as string },
  }),
)
