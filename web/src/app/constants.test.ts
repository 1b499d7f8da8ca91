// Checks section 9 of the specification against the places that use it: a stylesheet cannot import a number,
// and a module may fail to.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as k from '#domain/constants.ts'
import { deriveRoles } from '#domain/roles.ts'
import { DEFAULT_TIMEOUT_MS } from '../data/client.ts'
import { currentPreferences } from '../ui/preferences.ts'
import { PRESETS } from '../ui/theme-choice.ts'
import { parseHex, shade, THEME, THEME_DARK, tint, toHex } from '../ui/theme.ts'
import { TOAST_MS } from '../ui/toasts.ts'
import { ROUTES } from './routes.ts'
import { readSidebarStatus } from './shell/use-sidebar.ts'
import { afterNavigation, afterWheel, placeMenu, TAB_SPACING } from './views/pane.ts'

const source = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('as the specification has them', () => {
  expect(k.OPEN_PATHS).toEqual(['/login', '/auth-redirect'])
  expect([k.TOKEN_STORAGE_KEY, k.TOKEN_CHECK_MS, k.TOKEN_MIN_VALIDITY_S]).toEqual(['Admin-Token', 60_000, 70])
  expect([k.REQUEST_TIMEOUT_MS, k.MESSAGE_MS, k.SUCCESS_CODE]).toEqual([5_000, 5_000, 20_000])
  expect([k.SESSION_CODES, k.WRONG_PASSWORD_CODE]).toEqual([[50_008, 50_012, 50_014], 60_204])
  expect([k.MOBILE_BELOW_PX, k.SIDEBAR_PX, k.CONTEXT_MENU_MIN_PX, k.CONTEXT_MENU_MARGIN_PX]).toEqual([
    992, 210, 105, 15,
  ])
  expect([k.DEFAULT_SIZE, k.SIZE_COOKIE, k.SIDEBAR_COOKIE, k.DEFAULT_DEVICE]).toEqual([
    'medium',
    'size',
    'sidebarStatus',
    'desktop',
  ])
  expect([k.THEME_COLOUR, k.THEME_DARK_COLOUR, k.PICKER_COLOUR]).toEqual(['#6fc760', '#154d00', '#409eff'])
  expect([k.TINTS.length, k.TINTS[0], k.TINTS.at(-1), k.SHADE]).toEqual([10, 0, 0.9, 0.1])
  expect([k.TAB_SPACING_PX, k.WHEEL_DIVISOR, k.OTHER_CATEGORY]).toEqual([4, 4, 'Andere'])
  expect(k.DEFAULT_SETTINGS).toEqual({
    showSettings: false,
    tagsView: false,
    fixedHeader: false,
    sidebarLogo: true,
  })
})
test('client and messages', () =>
  expect([DEFAULT_TIMEOUT_MS, TOAST_MS]).toEqual([k.REQUEST_TIMEOUT_MS, k.MESSAGE_MS]))
test('what may be opened without sign-in', () => {
  const open = ROUTES.filter((line) => line.open).map(({ path }) => path)
  for (const path of k.OPEN_PATHS) expect(open).toContain(path)
})
test('narrower than 992 is mobile; 992 is not', () =>
  expect(source('app/shell/use-sidebar.ts')).toContain(
    `(max-width: ${(k.MOBILE_BELOW_PX - 0.02).toFixed(2)}px)`,
  ))
test('the sidebar is 210 px wide, and the page begins beside it', () => {
  expect(source('app/shell/sidebar.css')).toMatch(new RegExp(`width: ${k.SIDEBAR_PX}px`))
  expect(source('app/shell/frame.css')).toMatch(new RegExp(`margin-left: ${k.SIDEBAR_PX}px`))
})
test('the sidebar is open unless its cookie says 0', () =>
  expect(['', `${k.SIDEBAR_COOKIE}=1`, `${k.SIDEBAR_COOKIE}=0`].map(readSidebarStatus)).toEqual([
    true,
    true,
    false,
  ]))
test('tabs: 4 px between, a quarter of the wheel, a menu 15 px beside the pointer and 105 px before the end', () => {
  expect(TAB_SPACING).toBe(k.TAB_SPACING_PX)
  const pane = { scrollLeft: 0, width: 100, scrollWidth: 1_000 }
  expect(afterWheel(pane, 120)).toBe(120 / k.WHEEL_DIVISOR)
  const tabs = [0, 1, 2, 3, 4].map((nr) => ({ left: nr * 200, width: 200 }))
  expect(afterNavigation(pane, tabs, 1)).toBe(600 + k.TAB_SPACING_PX - 100)
  const menu = { width: 100, height: 100 }
  const room = { width: 2_000, height: 1_000 }
  const bar = { left: 0, width: 1_000 }
  expect(placeMenu({ x: 100, y: 50 }, bar, menu, room).left).toBe(100 + k.CONTEXT_MENU_MARGIN_PX)
  expect(placeMenu({ x: 990, y: 50 }, bar, menu, room).left).toBe(1_000 - k.CONTEXT_MENU_MIN_PX)
})
test('colours: the theme, its dark partner, the first preset, tints in tenths and a shade of a tenth', () => {
  expect([THEME, THEME_DARK, PRESETS[0]]).toEqual([k.THEME_COLOUR, k.THEME_DARK_COLOUR, k.PICKER_COLOUR])
  expect(PRESETS).toHaveLength(8)
  const rgb = parseHex(k.PICKER_COLOUR)
  expect(k.TINTS.map((t) => toHex(tint(rgb, t)))).toEqual(
    '409eff 53a8ff 66b1ff 79bbff 8cc5ff a0cfff b3d8ff c6e2ff d9ecff ecf5ff'
      .split(' ')
      .map((hex) => `#${hex}`),
  )
  expect(toHex(shade(rgb, k.SHADE))).toBe('#3a8ee6')
})
test('a new user’s choices', () => {
  const { showSettings: _offered, ...shown } = k.DEFAULT_SETTINGS
  expect(currentPreferences()).toMatchObject({
    ...shown,
    theme: k.THEME_COLOUR,
    size: k.DEFAULT_SIZE,
    language: 'de',
  })
})
test('more than one headquarters makes multiple_fb', () => {
  const rolesWith = (count: number) =>
    deriveRoles({
      groups: ['appuser_validated'],
      system_status: 'ogf_standard',
      apus_admin: false,
      apus_team: false,
      pruefer: false,
      kunden: [],
      hqs: Array.from({ length: count }, () => ({ hq_status: [], fb_enabled: true })),
    }).includes('multiple_fb')
  expect([rolesWith(k.MULTIPLE_HQ_ABOVE), rolesWith(k.MULTIPLE_HQ_ABOVE + 1)]).toEqual([false, true])
})
