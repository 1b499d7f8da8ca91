/** The name of a day's or month's month in the language shown: Mär 26 or März 2026, Mar 26 or March 2026. */
export const monthName = (day: string, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(globalThis.document?.documentElement.lang === 'en' ? 'en-GB' : 'de-DE', {
    month: style,
    year: style === 'short' ? '2-digit' : 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day.slice(0, 7)}-01T00:00:00Z`))
