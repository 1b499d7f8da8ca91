// The template's display helpers with its exact outputs, including its faults (vectors: shell.md B11).
// Screens show the German forms of web/src/ui/format.ts; these are for code that has to produce or compare
// the former ones. Times are in the machine's zone, and the clock is a parameter.

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const DAY_MS = 86_400_000

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Both in seconds since 1970. `3 minutes`, `1 hour`, `2 days`: without "ago", and negative in the future. */
export function timeAgo(then: number, now: number): string {
  const between = Math.trunc(now - then)
  if (between < HOUR) return plural(Math.trunc(between / MINUTE), 'minute')
  if (between < DAY) return plural(Math.trunc(between / HOUR), 'hour')
  return plural(Math.trunc(between / DAY), 'day')
}

const UNITS = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** 1500 with one digit is `1.5k`. Rounding never moves to the next unit: 999999 is `1000k`. */
export function shortNumber(value: number, digits = 0): string {
  for (const [unit, symbol] of UNITS) {
    if (value >= unit)
      return (value / unit + 0.1 ** 14).toFixed(digits).replace(/\.0+$|(\.[0-9]*[1-9])0+$/, '$1') + symbol
  }
  return String(value)
}

/** `1234567.891` is `1,234,567.891`; anything that is not a number is `0`. */
export function withThousands(value: unknown): string {
  const [whole = '0', fraction] = String(Number(value) || 0).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Ten digits are seconds, otherwise milliseconds; slashes make the text parse as local time. */
function toDate(time: Date | string | number): Date {
  if (time instanceof Date) return time
  const text = String(time)
  if (/^\d+$/.test(text)) return new Date(Number(text) * (text.length === 10 ? 1000 : 1))
  return new Date(text.replaceAll('-', '/'))
}

const WEEKDAYS = ['日', '一', '二', '三', '四', '五', '六']

/**
 * `{y}-{m}-{d} {h}:{i}:{s}`, and {a} for the weekday as the template writes it. Null for empty input and for
 * the number 0.
 */
export function formatTime(
  time: Date | string | number | null | undefined,
  pattern = '{y}-{m}-{d} {h}:{i}:{s}',
): string | null {
  if (time === null || time === undefined || time === '' || time === 0) return null
  const date = toDate(time)
  const parts: Readonly<Record<string, number>> = {
    y: date.getFullYear(),
    m: date.getMonth() + 1,
    d: date.getDate(),
    h: date.getHours(),
    i: date.getMinutes(),
    s: date.getSeconds(),
    a: date.getDay(),
  }
  return pattern.replaceAll(/\{([ymdhisa])+\}/g, (_whole, key: string) => {
    const value = parts[key] ?? Number.NaN
    return key === 'a' ? (WEEKDAYS[value] ?? '') : String(value).padStart(2, '0')
  })
}

/**
 * `just now` under 30 seconds and in the future, then minutes and hours rounded up, `1 day ago`, then the
 * pattern if given, otherwise month, day, hour and minute.
 */
export function relativeTime(time: number | string, now: Date, pattern?: string): string {
  const ms = String(time).length === 10 ? Number.parseInt(String(time), 10) * 1000 : Number(time)
  const then = new Date(ms)
  const between = (now.getTime() - ms) / 1000
  if (between < 30) return 'just now'
  if (between < HOUR) return `${Math.ceil(between / MINUTE)} minutes ago`
  if (between < DAY) return `${Math.ceil(between / HOUR)} hours ago`
  if (between < 2 * DAY) return '1 day ago'
  if (pattern !== undefined && pattern !== '') return formatTime(ms, pattern) ?? ''
  return [then.getMonth() + 1, then.getDate(), then.getHours(), then.getMinutes()].join('-')
}

/** The default range of a list: 90 days back as a number, the start of today as a date. */
export function defaultRange(now: Date): { readonly start: number; readonly end: Date } {
  return {
    start: now.getTime() - 90 * DAY_MS,
    end: new Date(now.getFullYear(), now.getMonth(), now.getDate()),
  }
}

/** A category's name in a chart; only null and undefined become `other`. */
export const categoryOf = (name: string | null | undefined, other: string): string =>
  name === null || name === undefined ? other : name

/** Survey overview: measured, assumed, or left out. */
export const surveyCategory = (surveyed: boolean | null): 'vermessen' | 'vermutet' | null =>
  surveyed === null ? null : surveyed ? 'vermessen' : 'vermutet'
