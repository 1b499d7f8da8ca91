// Display names of the transformations.
import type { GeorefType } from '#domain/georef/transform.ts'
import { t } from '../ui/text.ts'

export const typeNames = (): Record<GeorefType, string> => ({
  linear: t('Linear'),
  helmert: t('Helmert'),
  polynom1: t('Polynom 1. Ordnung'),
  polynom2: t('Polynom 2. Ordnung'),
  polynom3: t('Polynom 3. Ordnung'),
  tps: t('Thin Plate Spline'),
  projektiv: t('Projektiv'),
})
