// The contract names the calls that the database publishes, and no other.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EITHER_ENGINE, openEngine } from './engines.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')

/** Called by the server alone, for the auditor's archive. */
const SERVER_ONLY = ['a_get_buch_kunden']

const inContract = (): Set<string> =>
  new Set(
    readdirSync(CONTRACT).flatMap((file) =>
      [...readFileSync(join(CONTRACT, file), 'utf8').matchAll(/^ {2}((?:a|__o)_\w+): \{/gm)].map(
        ([, name]) => name!,
      ),
    ),
  )

test('every published call is in the contract, and the other way round', async () => {
  const engine = await openEngine(EITHER_ENGINE[0]!)
  try {
    const { rows } = await engine.owner.query<{ name: string }>(
      `select distinct p.proname as name from pg_proc p
       where p.pronamespace = 'app'::regnamespace and p.proname ~ '^(a|__o)_'
         and has_function_privilege('nutzer', p.oid, 'execute')`,
    )
    const [published, declared] = [new Set(rows.map(({ name }) => name)), inContract()]
    expect(declared.size).toBeGreaterThan(100)
    const without = (names: Set<string>, others: Set<string>) =>
      [...names].filter((name) => !others.has(name)).toSorted()
    expect(without(published, declared), 'only in the database').toEqual(SERVER_ONLY)
    expect(without(declared, published), 'only in the contract').toEqual([])
  } finally {
    await engine.close()
  }
})
