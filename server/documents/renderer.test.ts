import { afterEach, describe, expect, test } from 'vitest'
import { belegOf, manyPositions, xrechnung } from './beleg.fixture.ts'
import { createRenderer, type Renderer, type RendererOptions } from './renderer.ts'
import { createWorkbench } from './typesetter.ts'

const opened: Renderer[] = []
const open = (options?: RendererOptions): Renderer => {
  const renderer = createRenderer(options)
  opened.push(renderer)
  return renderer
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((renderer) => renderer.close()))
})

const FAILING = new URL('./renderer.fixture.ts', import.meta.url)
const saying = (remarks: string, documentNumber = 'RE-1') =>
  belegOf({ zuerl: remarks, nummer: documentNumber }, [])
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

describe('a document', () => {
  test('comes out of the process as it comes out of the compiler', async () => {
    const bytes = await open().render(xrechnung())
    expect(
      Buffer.from(bytes).equals(Buffer.from(createWorkbench().beleg(xrechnung(), { logo: null, xml: null }))),
    ).toBe(true)
  })
  test('is the same after the process was replaced', async () => {
    const renderer = open({ documentsPerWorker: 1 })
    const [one, two, three] = await Promise.all([
      renderer.render(xrechnung()),
      renderer.render(manyPositions(30)),
      renderer.render(xrechnung()),
    ])
    expect(Buffer.from(one).equals(Buffer.from(three))).toBe(true)
    expect(two.length).toBeGreaterThan(one.length)
  })
  test('with a logo that is none is refused by that name', () =>
    expect(
      open().render(xrechnung(), { logo: { bytes: Buffer.from('x'), typ: 'image/png' } }),
    ).rejects.toMatchObject({ code: 'logo' }))
  test('whose logo brings the compiler down fails alone: the server lives, and the next one is set', async () => {
    const renderer = open()
    const deep =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 ' +
      `1">${'<g>'.repeat(20_000)}${'</g>'.repeat(20_000)}</svg>`
    await expect(
      renderer.render(xrechnung(), { logo: { bytes: Buffer.from(deep), typ: 'image/svg+xml' } }),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:absturz|logo)$/),
    })
    expect((await renderer.render(xrechnung())).length).toBeGreaterThan(10_000)
  })
  test('that the template cannot take is refused, and the next one is set', async () => {
    const renderer = open()
    await expect(renderer.render({ ...xrechnung(), datum: '2026-02-31' })).rejects.toMatchObject({
      code: 'satz',
    })
    expect((await renderer.render(xrechnung())).length).toBeGreaterThan(10_000)
  })
})

describe('a process', () => {
  test('that ends is replaced: one document fails, the others are set', async () => {
    const renderer = open({ worker: FAILING })
    const [ended, thrown, sound] = await Promise.allSettled([
      renderer.render(saying('end')),
      renderer.render(saying('throw')),
      renderer.render(saying('', 'RE-3')),
    ])
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'absturz' } })
    expect(thrown).toMatchObject({ status: 'rejected', reason: { code: 'absturz' } })
    expect(sound.status === 'fulfilled' && text(sound.value)).toBe('RE-3')
  })
  test('that hangs is given up after a while', async () => {
    const renderer = open({ worker: FAILING, timeoutMs: 2_000 })
    const [hung, sound] = await Promise.allSettled([
      renderer.render(saying('hang')),
      renderer.render(saying('', 'RE-2')),
    ])
    expect(hung).toMatchObject({ status: 'rejected', reason: { code: 'zeit' } })
    expect(sound.status === 'fulfilled' && text(sound.value)).toBe('RE-2')
  })
  test('that does not exist is a clear fault', () =>
    expect(
      open({ worker: new URL('./gibt-es-nicht.ts', import.meta.url) }).render(saying('')),
    ).rejects.toMatchObject({ code: 'absturz' }))
})

test('only so many may wait', async () => {
  const renderer = open({ worker: FAILING, maxWaiting: 2 })
  const all = await Promise.allSettled(
    ['1', '2', '3', '4', '5'].map((documentNumber) => renderer.render(saying('', documentNumber))),
  )
  expect(
    all.map((result) =>
      result.status === 'fulfilled' ? text(result.value) : (result.reason as { code: string }).code,
    ),
  ).toEqual(['1', '2', '3', 'voll', 'voll'])
})

test('what is asked in order is answered in order', async () => {
  const renderer = open({ worker: FAILING, documentsPerWorker: 3 })
  const order: string[] = []
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      order.push(text(await renderer.render(saying('', String(index)))))
    }),
  )
  expect(order).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

test('at the end, what is being set is awaited, what waits is refused, and nothing new is taken', async () => {
  const renderer = open()
  const all = Promise.allSettled([renderer.render(xrechnung()), renderer.render(xrechnung())])
  await renderer.close()
  expect(await all).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'beendet' } },
  ])
  await expect(renderer.render(xrechnung())).rejects.toMatchObject({ code: 'beendet' })
})
