// The business constants and limits of the specification (section 9). Code takes them from here; where a
// stylesheet has to repeat one, the test compares them.

/** Accessible without sign-in. */
export const OPEN_PATHS: readonly string[] = ['/login', '/auth-redirect']

export const TOKEN_STORAGE_KEY = 'Admin-Token'
export const TOKEN_CHECK_MS = 60_000
/** A token with less time left is renewed. */
export const TOKEN_MIN_VALIDITY_S = 70

export const REQUEST_TIMEOUT_MS = 5_000
export const MESSAGE_MS = 5_000
export const SUCCESS_CODE = 20_000
/** Illegal token, another client signed in, token expired: the session is over. */
export const SESSION_CODES: readonly number[] = [50_008, 50_012, 50_014]
export const WRONG_PASSWORD_CODE = 60_204

/** Narrower viewports use mobile mode. */
export const MOBILE_BELOW_PX = 992
export const SIDEBAR_PX = 210
export const CONTEXT_MENU_MIN_PX = 105
export const CONTEXT_MENU_MARGIN_PX = 15

/** More headquarters than this make a multiple_fb. */
export const MULTIPLE_HQ_ABOVE = 1

export const FIELD_COOKIE = 'feldgeraet'
export const SIZE_COOKIE = 'size'
export const DEFAULT_SIZE = 'medium'
export const SIDEBAR_COOKIE = 'sidebarStatus'
export const DEFAULT_DEVICE = 'desktop'

export const THEME_COLOUR = '#6fc760'
export const THEME_DARK_COLOUR = '#154d00'
export const PICKER_COLOUR = '#409eff'
export const TINTS: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
export const SHADE = 0.1

export const TAB_SPACING_PX = 4
export const WHEEL_DIVISOR = 4

/** Category of chart rows without one. */
export const OTHER_CATEGORY = 'Andere'

/** Defaults for a new user. */
export const DEFAULT_SETTINGS = {
  showSettings: false,
  tagsView: false,
  fixedHeader: false,
  sidebarLogo: true,
} as const
