let clock = (): Date => new Date()
/** Days are counted by this clock from now on: a device's own may be wrong. */
export const countDaysBy = (other: () => Date): void => {
  clock = other
}

/** Today's local date, ISO. */
export function today(now: Date = clock()): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** The date this many days from today, ISO. */
export function dayAhead(days: number, now: Date = clock()): string {
  return today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days))
}
