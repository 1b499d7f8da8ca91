// Parses dates as typed in German.
import { t } from './text.ts'

/** Error message of all date fields. */
export const dayExpected = (): string => t('Bitte ein Datum wie 31.12.2026.')

/**
 * 31.12.2026, 1.2.26, 31122026, 311226 and 2026-12-31 → 2026-12-31; null if it is not a date. Two-digit years
 * are in this century. Commas are accepted because number pads on phones have no full stop.
 */
export function parseDay(text: string): string | null {
  const typed = text.trim()
  const german =
    /^(\d{1,2})[.,]\s*(\d{1,2})[.,]\s*(\d{4}|\d{2})$/.exec(typed) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(typed)
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed)
  const parts = iso
    ? [iso[1], iso[2], iso[3]]
    : german
      ? [german[3]!.length === 2 ? `20${german[3]}` : german[3], german[2], german[1]]
      : null
  if (parts === null) return null
  const [year, month, date] = parts.map(Number) as [number, number, number]
  const day = new Date(Date.UTC(year, month - 1, date))
  return day.getUTCFullYear() === year && day.getUTCMonth() === month - 1 && day.getUTCDate() === date
    ? day.toISOString().slice(0, 10)
    : null
}
