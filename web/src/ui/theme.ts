// Computes everything that follows from the accent colour in both schemes: tints, a shade, the menu's
// colours, and text colours with AA contrast.

export type Rgb = readonly [r: number, g: number, b: number]

export const THEME = '#6fc760'
export const THEME_DARK = '#154d00'
const NEAR_BLACK = '#10180c'
const WHITE = '#ffffff'
const AA = 4.5
/**
 * Backgrounds that the accent is used on (tokens.css); the lightest and darkest of each scheme are enough.
 */
const LIGHT = { surface: WHITE, grounds: ['#f3f7f1', '#f4f6f2'] }
const DARK = { surface: '#1a2017', grounds: ['#232b1f', '#11160f'] }

export function parseHex(hex: string): Rgb {
  const digits = /^#?([0-9a-f]{6})$/i.exec(hex)?.[1]
  if (!digits) throw new Error(`not a colour: ${hex}`)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb
}
export const toHex = (rgb: Rgb): string =>
  `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** Mixes with white by t (0 to 0.9). */
export const tint = (rgb: Rgb, t: number): Rgb =>
  rgb.map((c) => c + Math.round(t * (255 - c))) as unknown as Rgb
/** Mixes with black by t, by default a tenth. */
export const shade = (rgb: Rgb, t = 0.1): Rgb => rgb.map((c) => Math.round((1 - t) * c)) as unknown as Rgb
/** Mixes two colours by t. */
const mix = (from: Rgb, to: Rgb, t: number): Rgb =>
  from.map((c, at) => Math.round(c + t * (to[at]! - c))) as unknown as Rgb

/** Relative luminance as in WCAG 2. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(parseHex(a)), luminance(parseHex(b))].sort((x, y) => y - x) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}
const reads = (text: string, grounds: readonly string[], ratio = AA) =>
  grounds.every((ground) => contrast(text, ground) >= ratio)

/**
 * Text colour on the accent: for the default theme its dark partner, otherwise white, each if the contrast
 * suffices; else near black.
 */
export function onAccent(accent: string): string {
  for (const text of [accent.toLowerCase() === THEME ? THEME_DARK : WHITE, NEAR_BLACK])
    if (contrast(text, accent) >= AA) return text
  return contrast(WHITE, accent) > contrast('#000000', accent) ? WHITE : '#000000'
}

/** The first step away from a colour that has enough contrast. */
function firstThatReads(
  step: (t: number) => Rgb,
  grounds: readonly string[],
  ratio: number,
  otherwise: string,
): string {
  for (let t = 0; t < 1; t += 0.05) {
    const colour = toHex(step(t))
    if (reads(colour, grounds, ratio)) return colour
  }
  return otherwise
}

/** A pale background in the accent's colour: 7 is the strongest, 9 the palest. */
const paleLight = (rgb: Rgb, step: number) => tint(rgb, step / 10)
const paleDark = (rgb: Rgb, step: number) => mix(parseHex(DARK.surface), rgb, 1 - step / 10)

/** Accent-coloured text on light backgrounds: darkened until the contrast suffices. */
export function accentText(accent: string): string {
  if (accent.toLowerCase() === THEME) return THEME_DARK
  const rgb = parseHex(accent)
  return firstThatReads(
    (t) => shade(rgb, t),
    [...LIGHT.grounds, LIGHT.surface, toHex(paleLight(rgb, 7))],
    AA,
    NEAR_BLACK,
  )
}
/** A dark accent would be invisible on dark backgrounds: lightened until it stands out. */
export const accentOnDark = (accent: string): string =>
  firstThatReads((t) => tint(parseHex(accent), t), [DARK.surface], 3, WHITE)
/** Accent-coloured text on dark backgrounds: lightened until the contrast suffices. */
export function accentTextOnDark(accent: string): string {
  const rgb = parseHex(accentOnDark(accent))
  return firstThatReads(
    (t) => tint(rgb, t),
    [...DARK.grounds, DARK.surface, toHex(paleDark(rgb, 7))],
    AA,
    WHITE,
  )
}

/** Hover and pressed colour: moves away from the text colour, so that contrast never gets worse. */
const pressed = (accent: string, t: number): string => {
  const rgb = parseHex(accent)
  return toHex(
    contrast(onAccent(accent), '#000000') > contrast(onAccent(accent), WHITE) ? shade(rgb, t) : tint(rgb, t),
  )
}

/** The menu is dark in both schemes and has the accent's hue. The default theme's colours are hand-picked. */
function sidebarTokens(accent: string): Record<string, string> {
  if (accent.toLowerCase() === THEME)
    return {
      '--sidebar': '#14290c',
      '--sidebar-raised': '#1f3b14',
      '--sidebar-text': '#d5e2cf',
      '--sidebar-soft': '#a3b79a',
      '--sidebar-line': '#2b4a1f',
    }
  const [hue, saturation] = hueOf(parseHex(accent))
  const at = (strength: number, lightness: number) =>
    toHex(fromHsl(hue, Math.min(saturation, strength), lightness))
  return {
    '--sidebar': at(0.5, 0.11),
    '--sidebar-raised': at(0.48, 0.17),
    '--sidebar-text': at(0.25, 0.86),
    '--sidebar-soft': at(0.2, 0.68),
    '--sidebar-line': at(0.4, 0.22),
  }
}
function hueOf([r, g, b]: Rgb): [hue: number, saturation: number] {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const range = most - least
  if (range === 0) return [0, 0]
  const hue = most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  const sum = (most + least) / 255
  return [hue * 60, range / 255 / (1 - Math.abs(sum - 1))]
}
function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const strength = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

const inBoth = (light: string, dark: string): string =>
  light === dark ? light : `light-dark(${light}, ${dark})`

/** The custom properties for an accent colour. */
export function themeTokens(accent: string): Record<string, string> {
  const dark = accentOnDark(accent)
  const [onLight, onDark] = [parseHex(accent), parseHex(dark)]
  const tokens: Record<string, string> = {
    '--accent': inBoth(toHex(onLight), dark),
    '--accent-shade': inBoth(toHex(shade(onLight)), toHex(shade(onDark))),
    '--on-accent': inBoth(onAccent(accent), onAccent(dark)),
    '--accent-hover': inBoth(pressed(accent, 0.2), pressed(dark, 0.2)),
    '--accent-active': inBoth(pressed(accent, 0.5), pressed(dark, 0.5)),
    '--accent-text': inBoth(accentText(accent), accentTextOnDark(accent)),
    ...sidebarTokens(accent),
  }
  for (let step = 1; step <= 9; step++)
    tokens[`--accent-${step}0`] = inBoth(toHex(paleLight(onLight, step)), toHex(paleDark(onDark, step)))
  return tokens
}
