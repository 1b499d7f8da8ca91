// Choosing an accent colour. Loaded only with the screens that offer it.
import { currentPreferences, setPreference } from './preferences.ts'
import { THEME, themeTokens } from './theme.ts'

/** The picker's eight presets. */
export const PRESETS = [
  '#409eff',
  '#1890ff',
  '#304156',
  '#212121',
  '#11a983',
  '#13c2c2',
  '#6959cd',
  '#f5222d',
] as const

/** #409EFF, 409eff, #49f → #rrggbb; undefined if it is not a colour. */
export function parseColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}

export function chooseTheme(colour: string) {
  if (colour === currentPreferences().theme) return
  if (colour === THEME) setPreference('theme', undefined)
  else setPreference('theme', colour, themeTokens(colour))
}
