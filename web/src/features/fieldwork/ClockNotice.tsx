// Says on every screen of the field mode that the device's clock is wrong, and by how much.
import { useSyncExternalStore } from 'react'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { deviceClock, type ClockFault } from './device-clock.ts'

const UNITS: readonly (readonly [ms: number, one: () => string, many: (n: string) => string])[] = [
  [365.25 * 86_400_000, () => t('1 Jahr'), (n) => t('{n} Jahre', { n })],
  [86_400_000, () => t('1 Tag'), (n) => t('{n} Tage', { n })],
  [3_600_000, () => t('1 Stunde'), (n) => t('{n} Stunden', { n })],
  [60_000, () => t('1 Minute'), (n) => t('{n} Minuten', { n })],
]
/** In the largest unit of which there are two, or exactly one: 90 minutes are not two hours. */
export function spanText(ms: number): string {
  const length = Math.abs(ms)
  for (const [unit, one, many] of UNITS) {
    if (Math.abs(length - unit) < unit * 0.1) return one()
    if (length >= unit * 1.9) return many(formatNumber(Math.round(length / unit)))
  }
  return t('weniger als 1 Minute')
}

function clockText({ off, by }: ClockFault): string {
  const span = spanText(off)
  if (by === 'mindestens') return t('Die Uhr dieses Geräts geht mindestens {span} nach.', { span })
  return off > 0
    ? t('Die Uhr dieses Geräts geht {span} vor.', { span })
    : t('Die Uhr dieses Geräts geht {span} nach.', { span })
}

export function ClockNotice() {
  const fault = useSyncExternalStore(deviceClock.subscribe, deviceClock.fault)
  if (fault === null) return null
  return (
    <Notice tone="warning" title={clockText(fault)}>
      {fault.by === 'server'
        ? t(
            'Erfassungen erhalten die Zeit des Servers. Bitte stellen Sie die Uhr in den Einstellungen des Geräts.',
          )
        : fault.by === 'gnss'
          ? t(
              'Erfassungen erhalten die Zeit der Satelliten. Bitte stellen Sie die Uhr in den Einstellungen ' +
                'des Geräts.',
            )
          : t(
              'Wie spät es ist, weiß das Gerät ohne Netz nicht. Bitte stellen Sie die Uhr, bevor Sie erfassen, und ' +
                'prüfen Sie das Datum.',
            )}
    </Notice>
  )
}
