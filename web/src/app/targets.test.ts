import { describe, expect, test } from 'vitest'
import { loginPath, safeTarget } from './targets.ts'

describe('only addresses of this application are followed', () => {
  const OURS: readonly (readonly [wanted: string, target: string])[] = [
    ['/', '/'],
    ['/kunden/index', '/kunden/index'],
    ['/kunden/index?ort=K%C3%B6ln&seite=2#liste', '/kunden/index?ort=K%C3%B6ln&seite=2#liste'],
    ['/kunden/../profile/index', '/profile/index'],
    ['/redirect/kunden/index', '/redirect/kunden/index'],
    ['/kunden/index?weiter=//evil.example', '/kunden/index?weiter=//evil.example'],
    ['/javascript:alert(1)', '/javascript:alert(1)'],
  ]
  for (const [wanted, target] of OURS) test(wanted, () => expect(safeTarget(wanted)).toBe(target))

  const REFUSED: readonly unknown[] = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/kunden/..//evil.example',
    'https://evil.example',
    'https:/kunden/index',
    'HTTPS://evil.example',
    'http:evil.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://evil.example/1',
    'kunden/index',
    'evil.example',
    '?x=1',
    '#x',
    '@evil.example',
    '',
    '/\u0000',
    '/login',
    '/login?redirect=%2Flogin',
    '/login/x',
    '/auth-redirect?code=x',
    undefined,
    null,
    17,
    ['/kunden/index'],
    { toString: () => '/kunden/index' },
  ]
  for (const wanted of REFUSED)
    test(`refused: ${JSON.stringify(wanted)}`, () => expect(safeTarget(wanted)).toBe('/'))

  test('whatever comes out stays on the same origin', () => {
    for (const wanted of [...OURS.map(([text]) => text), ...REFUSED]) {
      const target = safeTarget(wanted)
      expect(new URL(target, 'https://forst.example').origin, String(wanted)).toBe('https://forst.example')
    }
  })
})

test('the way back is one query value, however many signs it holds', () => {
  const path = loginPath('/kunden/index?a=1&b=2#c')
  expect(new URL(path, 'https://forst.example').searchParams.get('redirect')).toBe('/kunden/index?a=1&b=2#c')
  expect(loginPath('//evil.example', 'fehler')).toBe('/login?redirect=%2F&grund=fehler')
})
