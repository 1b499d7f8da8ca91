// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Place } from './place.ts'
import { Router, type RouterRules } from './router.ts'

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn())
  // happy-dom does not have it; only the window scrolls here.
  Element.prototype.checkVisibility = () => true
  history.replaceState(null, '', '/dashboard')
})
afterEach(() => vi.unstubAllGlobals())

const open = (rules: Partial<RouterRules> = {}) =>
  new Router({ guard: () => undefined, load: () => Promise.resolve(), ...rules })
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

test('begins where the address bar is, past the guard', () => {
  const router = open({
    guard: ({ pathname }) => (pathname === '/dashboard' ? '/kunden/index?plz=01' : undefined),
  })
  expect(router.shown()).toMatchObject({ pathname: '/kunden/index', search: { plz: '01' } })
  expect(location.pathname + location.search).toBe('/kunden/index?plz=01')
})

test('a guard that sends in circles ends', () => {
  const router = open({ guard: ({ pathname }) => (pathname === '/a' ? '/b' : '/a') })
  expect(['/a', '/b']).toContain(router.shown().pathname)
})

test('page and address stay until the code of the new one is there', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const router = open({ load: () => promise })
  router.navigate('/kunden/index')
  expect(location.pathname).toBe('/dashboard')
  expect(router.shown().pathname).toBe('/dashboard')
  resolve()
  await settle()
  expect(location.pathname).toBe('/kunden/index')
  expect(router.shown().pathname).toBe('/kunden/index')
})

test('a page whose code cannot be had is opened all the same: it says so itself', async () => {
  const router = open({ load: () => Promise.reject(new Error('away')) })
  router.navigate('/kunden/index')
  await settle()
  expect(router.shown().pathname).toBe('/kunden/index')
})

test('a later navigation wins over one that still waits', async () => {
  const first = Promise.withResolvers<void>()
  const router = open({
    load: ({ pathname }) => (pathname === '/kunden/index' ? first.promise : Promise.resolve()),
  })
  router.navigate('/kunden/index')
  router.navigate('/profile/index')
  await settle()
  first.resolve()
  await settle()
  expect(router.shown().pathname).toBe('/profile/index')
})

test('a query that the page writes by itself does not call off the way to another page', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const router = open({ load: () => promise })
  router.navigate('/kunden/index')
  router.navigate('/dashboard?suche=wald', { replace: true, keepScroll: true })
  expect(router.shown().search).toEqual({ suche: 'wald' })
  resolve()
  await settle()
  expect(router.shown().pathname).toBe('/kunden/index')
})

test('another query of the same page is shown at once', () => {
  const router = open()
  router.navigate('/dashboard?a=1', { replace: true, keepScroll: true })
  expect(router.shown().search).toEqual({ a: '1' })
})

test('a step in the history for each page, none for replacing and none for where one is', async () => {
  const router = open()
  const before = history.length
  router.navigate('/kunden/index')
  await settle()
  router.navigate('/kunden/index')
  await settle()
  router.navigate('/profile/index', { replace: true })
  await settle()
  expect(history.length).toBe(before + 1)
})

test('blocked: nothing moves until the answer', async () => {
  const router = open()
  const asked: string[] = []
  const unblock = router.block({
    blocks: (from: Place, to: Place) => asked.push(`${from.pathname} ${to.pathname}`) > 0,
    blocksClosing: () => true,
  })
  router.navigate('/kunden/index')
  expect(router.current.pathname).toBe('/dashboard')
  expect(asked).toEqual(['/dashboard /kunden/index'])
  router.blocked()?.reset()
  expect(router.blocked()).toBeNull()
  router.navigate('/kunden/index')
  router.blocked()?.proceed()
  await settle()
  expect(router.shown().pathname).toBe('/kunden/index')
  unblock()
  router.navigate('/profile/index')
  await settle()
  expect(router.shown().pathname).toBe('/profile/index')
})

test('rights that are gone lead away, unasked', async () => {
  let allowed = true
  const router = open({
    guard: ({ pathname }) => (pathname === '/dashboard' && !allowed ? '/401' : undefined),
  })
  router.block({ blocks: () => true, blocksClosing: () => false })
  allowed = false
  router.invalidate()
  await settle()
  expect(router.shown().pathname).toBe('/401')
})
