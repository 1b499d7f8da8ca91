/** The name of a day's or month's month: Mär 26 or März 2026. */
export const monthName = (day: string, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat('de-DE', {
    month: style,
    year: style === 'short' ? '2-digit' : 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day.slice(0, 7)}-01T00:00:00Z`))
