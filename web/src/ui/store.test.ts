// The small store behind pages with several parts.
import { expect, test } from 'vitest'
import { createStore } from './store.ts'

test('a step is taken at once, and everybody who listens is told', () => {
  const store = createStore({ count: 0 })
  const seen: number[] = []
  const stop = store.subscribe(() => seen.push(store.get().count))
  store.change(({ count }) => ({ count: count + 1 }))
  store.change(({ count }) => ({ count: count + 1 }))
  expect(seen).toEqual([1, 2])
  stop()
  store.change(({ count }) => ({ count: count + 1 }))
  expect(seen).toEqual([1, 2])
  expect(store.get().count).toBe(3)
})
test('a step that returns its own state is no change', () => {
  const store = createStore({ count: 0 })
  let told = 0
  store.subscribe(() => told++)
  store.change((now) => now)
  expect(told).toBe(0)
})
test('a listener that leaves while others are told keeps nobody from being told', () => {
  const store = createStore(0)
  const told: string[] = []
  const leave = store.subscribe(() => {
    told.push('first')
    leave()
  })
  store.subscribe(() => told.push('second'))
  store.change((now) => now + 1)
  store.change((now) => now + 1)
  expect(told).toEqual(['first', 'second', 'second'])
})
