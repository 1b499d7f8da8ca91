import { expect, test } from 'vitest'
import { stockOfHeading } from './bestand-stock.ts'

test.each([
  ['Vorrat', false, false],
  ['Vorrat (Vfm)', false, false],
  ['Vfm_Harvester', false, false],
  ['Vfm/ha', true, false],
  ['Vorrat je ha', true, false],
  ['VORRAT_HA', true, false],
  ['vfmha', true, false],
  ['Vorrat [Vfm / Hektar]', true, false],
  ['Efm', false, true],
  ['Vorrat_Efm', false, true],
  ['Vorrat (Efm/ha)', true, true],
  ['Erntefestmeter', false, true],
  ['Hefmenge', false, false],
])('%s', (heading, perHectare, harvested) =>
  expect(stockOfHeading(heading)).toEqual({ perHectare, harvested }),
)
