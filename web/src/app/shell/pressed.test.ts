// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Router } from '../routing/router.ts'
import { markPressed } from './pressed.ts'

let stop = () => {}
beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn())
  Element.prototype.checkVisibility = () => true
  history.replaceState(null, '', '/dashboard')
  document.body.innerHTML = '<button id="one"><span>Ort</span></button><button id="two">PLZ</button>'
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const byId = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!
const marked = () => [...document.querySelectorAll('[data-going]')].map(({ id }) => id)

/** A drawn page with two buttons; the first leads to an address, the second does nothing. */
function open(load: () => Promise<unknown>) {
  const router = new Router({ guard: () => undefined, load })
  router.drawn()
  stop = markPressed(router)
  byId('one').addEventListener('click', () => router.navigate('/kunden/index'))
  return router
}

test('what was pressed is marked until the page it leads to is drawn, from its code on', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const router = open(() => promise)
  byId('two').click()
  expect(marked()).toEqual([])
  byId('one').querySelector('span')!.click()
  expect(marked()).toEqual(['one'])
  resolve()
  await settle()
  expect(router.shown().pathname).toBe('/kunden/index')
  expect(marked()).toEqual(['one'])
  router.drawn()
  expect(marked()).toEqual([])
  byId('two').click()
  expect(marked()).toEqual([])
})

test('a press meanwhile takes the mark, and an end of the application as well', async () => {
  open(() => new Promise(() => {}))
  byId('one').click()
  byId('two').click()
  expect(marked()).toEqual(['two'])
  stop()
  expect(marked()).toEqual([])
})
