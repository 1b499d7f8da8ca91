import { expect, test } from 'vitest'
import type { HabitatCapture } from '#contract/habitat.ts'
import { createTransport } from './sync-transport.ts'

const token = `e30.${btoa(JSON.stringify({ sub: 'ich' }))}.x`

test('half an emoji and a NUL in one remark do not have the whole request refused', async () => {
  const bodies: string[] = []
  const transport = createTransport('ich', {
    dataApi: 'https://forst.example/rest',
    generalApi: 'https://forst.example/allg',
    token: () => token,
    renew: () => Promise.resolve(false),
    fetch: (_address, init) => {
      bodies.push(init?.body as string)
      return Promise.resolve(Response.json([]))
    },
  })
  const capture: HabitatCapture = { kennung: 'a', version: null, bemerkung: 'Höhle \ud83c oben\0 🌲' }
  await transport.sync([capture], AbortSignal.timeout(5_000))
  expect(JSON.parse(bodies[0]!)).toEqual({
    erfassungen: [{ kennung: 'a', version: null, bemerkung: 'Höhle � oben 🌲' }],
  })
  expect(bodies[0]).not.toMatch(/\\u/)
})
