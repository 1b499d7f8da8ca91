// The accent colour and what follows from it: tints, a shade, and text colours that keep AA contrast.

export type Rgb = readonly [r: number, g: number, b: number]

export const THEME = '#6fc760'
export const THEME_DARK = '#154d00'
const NEAR_BLACK = '#10180c'
const WHITE = '#ffffff'
const AA = 4.5

export function parseHex(hex: string): Rgb {
  const digits = /^#?([0-9a-f]{6})$/i.exec(hex)?.[1]
  if (!digits) throw new Error(`not a colour: ${hex}`)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb
}
export const toHex = (rgb: Rgb): string => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** Towards white by t (0 to 0.9). */
export const tint = (rgb: Rgb, t: number): Rgb => rgb.map((c) => c + Math.round(t * (255 - c))) as unknown as Rgb
/** Towards black by a tenth, or by t. */
export const shade = (rgb: Rgb, t = 0.1): Rgb => rgb.map((c) => Math.round((1 - t) * c)) as unknown as Rgb

/** Relative luminance of WCAG 2. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(parseHex(a)), luminance(parseHex(b))].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Text on the accent: the theme's dark partner where it reads well, else white, else near black. */
export function onAccent(accent: string): string {
  for (const text of [accent.toLowerCase() === THEME ? THEME_DARK : WHITE, NEAR_BLACK]) if (contrast(text, accent) >= AA) return text
  return contrast(WHITE, accent) > contrast('#000000', accent) ? WHITE : '#000000'
}

/** Accent-coloured text on white or a pale ground: darkened until it reads. */
export function accentText(accent: string): string {
  if (accent.toLowerCase() === THEME) return THEME_DARK
  for (let t = 0; t < 1; t += 0.05) {
    const colour = toHex(shade(parseHex(accent), t))
    if (contrast(colour, toHex(tint(parseHex(accent), 0.9))) >= AA) return colour
  }
  return NEAR_BLACK
}

/** The custom properties of an accent. */
export function themeTokens(accent: string): Record<string, string> {
  const rgb = parseHex(accent)
  const tokens: Record<string, string> = {
    '--accent': toHex(rgb),
    '--accent-shade': toHex(shade(rgb)),
    '--on-accent': onAccent(accent),
    '--accent-text': accentText(accent),
  }
  for (let step = 1; step <= 9; step++) tokens[`--accent-${step}0`] = toHex(tint(rgb, step / 10))
  return tokens
}
export function applyTheme(accent: string, root: HTMLElement = document.documentElement) {
  for (const [name, value] of Object.entries(themeTokens(accent))) root.style.setProperty(name, value)
}
