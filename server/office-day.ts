/**
 * The day of the office (ISO), whatever time zone the machine has: terms end and dates change at the midnight of
 * Berlin. The database has the same as checks.today().
 */
export const officeDay = (moment: Date = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(moment)
