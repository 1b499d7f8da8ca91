// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { themeTokens } from './theme.ts'

const KEY = 'forstkontor.einstellung'
const BLUE = '#409eff'
type Module = typeof import('./preferences.ts')

/** The module as after a page reload. */
async function load(): Promise<Module> {
  vi.resetModules()
  return import('./preferences.ts')
}
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as Record<string, unknown> | null
const root = document.documentElement

beforeEach(() => {
  localStorage.clear()
  root.removeAttribute('style')
  for (const name of Object.keys(root.dataset)) delete root.dataset[name]
})

describe('choices', () => {
  test('hold at once, are kept, and are there again when the page is loaded anew', async () => {
    const first = await load()
    first.setPreference('scheme', 'dark')
    first.setPreference('theme', BLUE, themeTokens(BLUE))
    expect(root.dataset['scheme']).toBe('dark')
    expect(root.style.getPropertyValue('--accent')).toBe(BLUE)
    const second = await load()
    expect(second.currentPreferences()).toMatchObject({ scheme: 'dark', theme: BLUE })
    expect(second.waitingPreferences()).toEqual({ scheme: 'dark', theme: BLUE })
  })

  test('that are taken back leave the delivered value, and the server is told so', async () => {
    const p = await load()
    p.setPreference('theme', BLUE, themeTokens(BLUE))
    p.setPreference('theme', undefined)
    expect(p.currentPreferences().theme).toBe('#6fc760')
    expect(root.style.getPropertyValue('--accent')).toBe('')
    expect(p.waitingPreferences()).toEqual({ theme: null })
  })

  test('a store that holds nonsense costs nothing', async () => {
    for (const nonsense of [
      '{',
      '7',
      'null',
      '[]',
      '{"values":{"scheme":"pink","theme":"red","tagsView":1,"language":"fr"},"waiting":"x"}',
    ]) {
      localStorage.setItem(KEY, nonsense)
      const p = await load()
      expect(p.currentPreferences(), nonsense).toMatchObject({
        scheme: 'auto',
        theme: '#6fc760',
        tagsView: false,
        language: 'de',
      })
      expect(p.waitingPreferences()).toEqual({})
    }
  })

  test('defaults come from the installation; what it offers nobody is as it delivers it', async () => {
    const p = await load()
    p.setPreferenceDefaults({ tagsView: true, sidebarLogo: false })
    expect(p.currentPreferences()).toMatchObject({ tagsView: true, sidebarLogo: false, fixedHeader: false })
    p.setPreference('tagsView', false)
    expect(p.currentPreferences().tagsView).toBe(false)
    p.setPreferenceDefaults({ tagsView: true }, ['tagsView'])
    expect(p.currentPreferences().tagsView).toBe(true)
    p.setPreferenceDefaults({ tagsView: true })
    expect(p.currentPreferences().tagsView, 'the choice is not lost').toBe(false)
  })
})

describe('with the server', () => {
  test('what it has is adopted, except where a choice is still on its way', async () => {
    const p = await load()
    p.bindPreferences(7)
    p.setPreference('scheme', 'dark')
    p.adoptPreferences(
      { scheme: 'light', theme: BLUE, tagsView: true, unknown: 1, language: 'xx' },
      themeTokens,
    )
    expect(p.currentPreferences()).toMatchObject({
      scheme: 'dark',
      theme: BLUE,
      tagsView: true,
      language: 'de',
    })
    expect(root.style.getPropertyValue('--accent')).toBe(BLUE)
    expect(p.waitingPreferences()).toEqual({ scheme: 'dark' })
  })

  test('what it no longer has is gone here as well', async () => {
    const p = await load()
    p.bindPreferences(7)
    p.setPreference('theme', BLUE, themeTokens(BLUE))
    p.confirmPreferences(p.waitingPreferences())
    p.adoptPreferences({}, themeTokens)
    expect(p.currentPreferences().theme).toBe('#6fc760')
    expect(root.style.getPropertyValue('--accent')).toBe('')
  })

  test('a confirmation does not cover what was chosen after it was sent', async () => {
    const p = await load()
    p.bindPreferences(7)
    p.setPreference('scheme', 'dark')
    const sent = p.waitingPreferences()
    p.setPreference('scheme', 'light')
    p.confirmPreferences(sent)
    expect(p.waitingPreferences()).toEqual({ scheme: 'light' })
    p.confirmPreferences(p.waitingPreferences())
    expect(p.waitingPreferences()).toEqual({})
  })

  test('another person gets nothing of the one before', async () => {
    const p = await load()
    p.bindPreferences(7)
    p.setPreference('scheme', 'dark')
    p.bindPreferences(8)
    expect(p.currentPreferences().scheme).toBe('auto')
    expect(p.waitingPreferences()).toEqual({})
    expect(root.dataset['scheme']).toBeUndefined()
    expect(stored()).toMatchObject({ user: 8, values: {} })
  })
})

test('the density is in the specification’s cookie too, until it is taken back or the person goes', async () => {
  const p = await load()
  p.setPreference('size', 'small')
  expect(document.cookie).toContain('size=small')
  p.setPreference('size', 'medium')
  expect(document.cookie).toContain('size=medium')
  p.setPreference('size', undefined)
  expect(document.cookie).not.toContain('size=')
  p.setPreference('size', 'small')
  p.forgetPreferences()
  expect(document.cookie).not.toContain('size=')
})

test('forgetting leaves nothing, neither in the store nor on the page', async () => {
  const p = await load()
  p.bindPreferences(7)
  p.setPreference('theme', BLUE, themeTokens(BLUE))
  p.setPreference('size', 'small')
  p.forgetPreferences()
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(root.getAttribute('style') ?? '').toBe('')
  expect({ ...root.dataset }).toEqual({})
})

test('an answer that comes after the end of the session brings nothing back', async () => {
  const p = await load()
  p.bindPreferences(7)
  p.setPreference('recent', ['/kunden/1'])
  const sent = p.waitingPreferences()
  p.forgetPreferences()
  p.confirmPreferences(sent)
  p.adoptPreferences({ favourites: ['/kunden/2'] }, themeTokens)
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(p.currentPreferences()).toMatchObject({ recent: [], favourites: [] })
})

test('another window’s choice is seen, and so is its end of the session', async () => {
  const p = await load()
  p.watchOtherWindows()
  const seen = vi.fn()
  p.subscribePreferences(seen)
  localStorage.setItem(KEY, JSON.stringify({ user: 7, values: { scheme: 'dark' }, waiting: [] }))
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }))
  expect(p.currentPreferences().scheme).toBe('dark')
  localStorage.removeItem(KEY)
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }))
  expect(p.currentPreferences().scheme).toBe('auto')
  expect(seen).toHaveBeenCalledTimes(2)
})
