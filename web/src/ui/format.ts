// German dates and numbers.

const DATE = new Intl.DateTimeFormat('de-DE', { day: '2-digit', month: '2-digit', year: 'numeric' })
const DATE_TIME = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** ISO date or time → 31.12.2026. A date without a time has no zone and is not shifted. */
export function formatDate(iso: string | null | undefined): string {
  if (!iso) return ''
  const bare = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  if (bare) return `${bare[3]}.${bare[2]}.${bare[1]}`
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : DATE.format(date)
}

/** ISO time → 31.12.2026, 14:05. */
export function formatDateTime(iso: string | null | undefined): string {
  if (!iso) return ''
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : DATE_TIME.format(date)
}

const NUMBERS = new Map<string, Intl.NumberFormat>()
/** 1234.5 → 1.234,5; `digits` fixes the number of decimals. */
export function formatNumber(value: number | string | null | undefined, digits?: number): string {
  if (value === null || value === undefined || value === '') return ''
  const number = Number(value)
  if (!Number.isFinite(number)) return ''
  const key = String(digits)
  let format = NUMBERS.get(key)
  if (!format) {
    format = new Intl.NumberFormat(
      'de-DE',
      digits === undefined
        ? { maximumFractionDigits: 4 }
        : { minimumFractionDigits: digits, maximumFractionDigits: digits },
    )
    NUMBERS.set(key, format)
  }
  return format.format(number)
}

/** Bytes → 1,4 GB. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return ''
  const units = ['Byte', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${formatNumber(bytes / 1000 ** step, step === 0 ? 0 : 1)} ${units[step]}`
}
