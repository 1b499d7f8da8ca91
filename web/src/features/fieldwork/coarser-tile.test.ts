import { expect, test } from 'vitest'
import { tileOrCoarser } from './coarser-tile.ts'
import { tileKey } from './packet-extent.ts'

const saved = (...keys: readonly string[]) => {
  const asked: string[] = []
  const tileAt = async (at: { z: number; x: number; y: number }) => {
    asked.push(tileKey(at))
    return keys.includes(tileKey(at)) ? new Blob([tileKey(at)]) : null
  }
  return { asked, tileAt }
}
const textOf = async (found: Awaited<ReturnType<typeof tileOrCoarser>>) => found && found.blob.text()

test('a tile that was saved is itself', async () => {
  const { asked, tileAt } = saved('17/10/21', '16/5/10')
  const found = await tileOrCoarser({ z: 17, x: 10, y: 21 }, 12, tileAt)
  expect(found).toMatchObject({ left: 0, top: 0, side: 1 })
  expect([await textOf(found), asked]).toEqual(['17/10/21', ['17/10/21']])
})
test('otherwise the part of the finest one above', async () => {
  const { tileAt } = saved('15/2/5', '14/1/2')
  const found = await tileOrCoarser({ z: 17, x: 11, y: 22 }, 12, tileAt)
  expect(found).toMatchObject({ left: 0.75, top: 0.5, side: 0.25 })
  expect(await textOf(found)).toBe('15/2/5')
})
test('not above the coarsest level, nor further than five', async () => {
  const { asked, tileAt } = saved('11/0/0')
  expect(await tileOrCoarser({ z: 17, x: 1, y: 1 }, 15, tileAt)).toBeNull()
  expect(asked).toEqual(['17/1/1', '16/0/0', '15/0/0'])
  expect(await tileOrCoarser({ z: 17, x: 1, y: 1 }, 0, tileAt)).toBeNull()
})
