// An upsert on a table of the product, whose roles may not set settings of the transaction.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { type ListeningApi, listenToApi } from '../../db/test/listening-api.ts'
import { buildWorld } from '../../db/test/nouns.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`upserts in the product on ${engineName}`, () => {
    let engine: Engine
    let api: ListeningApi
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      api = await listenToApi(engine.api)
    })
    afterAll(async () => {
      api?.close()
      await engine?.close()
    })

    test('a row is added, then replaced', async () => {
      const send = (wert: number) =>
        fetch(`${api.address}/einstellung?on_conflict=user_id,schluessel&select=schluessel,wert`, {
          method: 'POST',
          headers: {
            authorization: 'Bearer apus_admin',
            'content-type': 'application/json',
            prefer: 'resolution=merge-duplicates, return=representation',
          },
          body: JSON.stringify({ schluessel: 'upsert', wert }),
        })
      const added = await send(1)
      expect([added.status, await added.json()]).toEqual([201, [{ schluessel: 'upsert', wert: 1 }]])
      const replaced = await send(2)
      // A part of the key is a default, the caller's number, that may be evaluated again.
      expect([replaced.status, await replaced.json()]).toEqual([200, [{ schluessel: 'upsert', wert: 2 }]])
    })

    test('a number is no configuration of a search', async () => {
      const answer = await fetch(`${api.address}/kunde?name=fts(1).x`, {
        headers: { authorization: 'Bearer apus_admin' },
      })
      expect(answer.status).toBe(400)
    })
  })
