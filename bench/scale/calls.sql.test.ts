// Every call that reads is measured at scale (docs/scale.md), or is named here with the reason. One with an
// argument of a new name needs a value for it in requests.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, EITHER_ENGINE, openEngine } from '../../db/test/engines.ts'
import { unmeasuredCalls } from './requests.ts'

let engine: Engine
beforeAll(async () => {
  engine = await openEngine(EITHER_ENGINE[0]!)
})
afterAll(() => engine?.close())

test('a call that nobody measures is noticed', async () => {
  expect(await unmeasuredCalls(engine.owner)).toEqual([
    // For programs: return everything by their nature.
    'a_get_invoices',
    'a_get_offers',
    // Of an import: look up the rows of the file.
    'a_import_find_kunden',
    'a_probe_bank',
  ])
})
