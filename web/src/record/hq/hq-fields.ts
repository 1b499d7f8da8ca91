// Display names and values of the fields of a headquarters and of its feature switches.
import type { Hq, KundeHq } from '#contract/hq.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const HQ_FIELDS = ['sHQ', 'fb_enabled', 'dtFE', 'dcFLAEHB'] as const satisfies readonly (keyof Hq)[]
export type HqField = (typeof HQ_FIELDS)[number]

export const SWITCH_FIELDS = [
  'fe_enabled',
  'basis_fe_enabled',
  'kawm_enabled',
  'kawm_custom_area_enabled',
  'kawm_area',
  'kawm_approval_date',
] as const satisfies readonly (keyof KundeHq)[]
export type SwitchField = (typeof SWITCH_FIELDS)[number]

/** A column's German name; unknown columns keep their own. */
export function hqLabel(field: string): string {
  switch (field) {
    case 'idHQ':
      return t('Nummer')
    case 'client_id':
      return t('Kundennummer')
    case 'sHQ':
      return t('Name')
    case 'fb_enabled':
      return t('Zugang')
    case 'dtFE':
      return t('FE-Stichtag')
    case 'dcFLAEHB':
      return t('Fläche laut FE')
    case 'fe_enabled':
      return t('Forsteinrichtung (FE)')
    case 'basis_fe_enabled':
      return t('Basis-FE')
    case 'kawm_enabled':
      return t('KAWM')
    case 'kawm_area':
      return t('KAWM-Fläche')
    case 'kawm_approval_date':
      return t('KAWM bewilligt am')
    case 'kawm_custom_area_enabled':
      return t('Abweichende KAWM-Fläche')
    case 'geom':
      return t('Lage')
    case 'hq_status':
      return t('Rolle im Forstbetrieb')
    case 'user_id':
      return t('Person')
    default:
      return field
  }
}

export const accessName = (enabled: boolean): string =>
  enabled ? t('freigeschaltet') : t('nicht freigeschaltet')
export const hqStatusName = (status: readonly string[]): string =>
  status.includes('hq_admin') ? t('Verwaltung') : t('Nutzer')

/** `SRID=25833;POLYGON((320000 5690000,…` → its centre. */
function placeOf(ewkt: string): string {
  const corners = [...ewkt.matchAll(/(-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?)/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  )
  const srid = /SRID=(\d+)/.exec(ewkt)?.[1]
  if (corners.length === 0) return ewkt
  const middle = (at: 0 | 1) =>
    (Math.min(...corners.map((corner) => corner[at])) + Math.max(...corners.map((corner) => corner[at]))) / 2
  const digits = Math.abs(middle(0)) <= 180 ? 4 : 0
  return t('um Ost {x}, Nord {y} (EPSG {srid})', {
    x: formatNumber(middle(0), digits),
    y: formatNumber(middle(1), digits),
    srid: srid ?? '?',
  })
}

/** A value as displayed; empty if there is none. */
export function showHqValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  switch (field) {
    case 'fb_enabled':
      return accessName(value === true)
    case 'dtFE':
    case 'kawm_approval_date':
      return formatDate(String(value))
    case 'dcFLAEHB':
    case 'kawm_area':
      return `${formatNumber(Number(value))}\u00a0ha`
    case 'hq_status':
      return hqStatusName(Array.isArray(value) ? value.map(String) : [])
    case 'geom':
      return placeOf(String(value))
    default:
      if (typeof value === 'boolean') return value ? t('ein') : t('aus')
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}
