import { expect, test } from 'vitest'
import cases from './tax-area.cases.json' with { type: 'json' }
import { taxArea, territoryOf } from './tax-area.ts'

test.each(cases)('$why', ({ land, plz, gebiet, name }) => {
  expect([taxArea({ land, plz }), territoryOf({ land, plz })]).toEqual([gebiet, name])
})
