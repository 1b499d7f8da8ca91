// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest'
import { restoreTabs, storeTabs } from './stored-tabs.ts'
import type { Tab } from './tabs.ts'

const KEY = 'forstkontor.tabs'
const tab = (path: string, more: Partial<Tab> = {}): Tab => ({
  path,
  href: path,
  title: null,
  pinned: false,
  ...more,
})
const put = (tabs: unknown) => sessionStorage.setItem(KEY, JSON.stringify({ person: 'anna', tabs }))
beforeEach(() => sessionStorage.clear())

test('what was open is there again, pinned tabs come by themselves', () => {
  storeTabs('anna', [
    tab('/dashboard', { pinned: true }),
    tab('/kunden/7', { href: '/kunden/7?bereich=verlauf', title: 'Forst Süd' }),
    tab('/b'),
  ])
  expect(restoreTabs('anna')).toEqual([
    tab('/kunden/7', { href: '/kunden/7?bereich=verlauf', title: 'Forst Süd' }),
    tab('/b'),
  ])
})
test('somebody else gets nothing, and nothing stays', () => {
  storeTabs('anna', [tab('/kunden/7', { title: 'Forst Süd' })])
  expect(restoreTabs('berta')).toEqual([])
  expect(sessionStorage.getItem(KEY)).toBeNull()
})
test('the oldest of very many tabs are forgotten', () => {
  storeTabs(
    'anna',
    Array.from({ length: 60 }, (_, at) => tab(`/kunden/${at}`)),
  )
  expect(restoreTabs('anna').map(({ path }) => path)).toEqual(
    Array.from({ length: 40 }, (_, at) => `/kunden/${at + 20}`),
  )
})

describe('what was tampered with', () => {
  test('no address of ours, no tab', () => {
    put([
      { path: '//evil.example', href: '//evil.example', title: null },
      { path: 'javascript:alert(1)', href: 'javascript:alert(1)', title: null },
      { path: '/a', href: 'https://evil.example/a', title: null },
      { path: '/a', href: '/b', title: null },
      { path: '/a', href: '/a', title: 17 },
      { path: '/', href: '/', title: null },
      null,
      'x',
      { path: '/gut', href: '/gut', title: null },
      { path: '/gut', href: '/gut?2', title: null },
    ])
    expect(restoreTabs('anna')).toEqual([tab('/gut')])
  })
  test('what is no list is none', () => {
    for (const text of ['', '{', 'null', '7', '[]', '{"person":"anna"}', '{"person":"anna","tabs":{}}']) {
      sessionStorage.setItem(KEY, text)
      expect(restoreTabs('anna'), text).toEqual([])
    }
  })
})
