/** Today's local date, ISO. */
export function today(now: Date = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** The date this many days from today, ISO. */
export function dayAhead(days: number, now: Date = new Date()): string {
  return today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days))
}
