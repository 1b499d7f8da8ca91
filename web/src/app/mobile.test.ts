import { expect, test } from 'vitest'
import { isPassing, isPhoneOrTablet } from './mobile.ts'

const desk = { maxTouchPoints: 0, coarseOnly: false }
const touched = { maxTouchPoints: 5, coarseOnly: true }
const CASES: readonly (readonly [
  what: string,
  device: Parameters<typeof isPhoneOrTablet>[0],
  led: boolean,
])[] = [
  [
    'iPhone',
    {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 ' +
        'Version/19.0 Mobile/15E148 Safari/604.1',
      ...touched,
    },
    true,
  ],
  [
    'iPad that calls itself a Mac',
    {
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
      ...touched,
    },
    true,
  ],
  [
    'Mac',
    {
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
      ...desk,
    },
    false,
  ],
  [
    'Android phone',
    {
      userAgent:
        'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36',
      mobile: true,
      ...touched,
    },
    true,
  ],
  [
    'Android tablet',
    {
      userAgent: 'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      mobile: false,
      ...touched,
    },
    true,
  ],
  [
    'Android tablet that asks for the desktop page',
    {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      mobile: false,
      ...touched,
    },
    true,
  ],
  [
    'Linux on a desk',
    { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', ...desk },
    false,
  ],
  [
    'Linux laptop with a touch screen',
    {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      maxTouchPoints: 10,
      coarseOnly: false,
    },
    false,
  ],
  [
    'Windows',
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
      ...desk,
    },
    false,
  ],
  [
    'Windows tablet',
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      mobile: false,
      ...touched,
    },
    false,
  ],
  [
    'Chromebook',
    {
      userAgent: 'Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      maxTouchPoints: 10,
      coarseOnly: false,
    },
    false,
  ],
  [
    'Firefox on Android',
    { userAgent: 'Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', ...touched },
    true,
  ],
]
for (const [what, device, led] of CASES)
  test(`${what}: ${led ? 'led to the landing page' : 'stays'}`, () =>
    expect(isPhoneOrTablet(device)).toBe(led))

test('the way through the sign-in and the landing page itself are left alone', () => {
  expect(['/landing', '/auth-redirect', '/login', '/redirect/kunden/5'].map(isPassing)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['/', '/kunden/index', '/landings', '/anmelden'].map(isPassing)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
