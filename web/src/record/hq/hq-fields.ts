// Display names and values of the fields of a headquarters and of its feature switches (domain/hq-fields.ts).
import { HQ_FIELDS, HQ_INPUTS, type HqField, hqField, SWITCH_FIELDS } from '#domain/hq-fields.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { labelsOf } from '../declared.ts'

export const hqInputsOf = (group: string): readonly HqField[] =>
  HQ_INPUTS.filter((column) => hqField(column).input === group)

const FIELDS = { ...HQ_FIELDS, ...SWITCH_FIELDS, client_id: HQ_FIELDS.client_id }
const declaredLabel = labelsOf(FIELDS)

/** A column's German name; unknown columns keep their own. */
export function hqLabel(field: string): string {
  switch (field) {
    // Of the area and of its people, which have their history here.
    case 'geom':
      return t('Lage')
    case 'hq_status':
      return t('Rolle im Forstbetrieb')
    case 'user_id':
      return t('Person')
    default:
      return declaredLabel(field)
  }
}

export const accessName = (enabled: boolean): string =>
  enabled ? t('freigeschaltet') : t('nicht freigeschaltet')
export const hqStatusName = (status: readonly string[]): string =>
  status.includes('hq_admin') ? t('Verwaltung') : t('Nutzer/in')

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

const isDeclared = (field: string): field is keyof typeof FIELDS => Object.hasOwn(FIELDS, field)

/** A value as displayed; empty if there is none. */
export function showHqValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field === 'hq_status') return hqStatusName(Array.isArray(value) ? value.map(String) : [])
  if (field === 'geom') return placeOf(String(value))
  if (field === 'fb_enabled') return accessName(value === true)
  switch (isDeclared(field) && FIELDS[field].kind) {
    case 'date':
      return formatDate(String(value))
    case 'area':
      return `${formatNumber(Number(value))}\u00a0ha`
    case 'levels':
      return (value as string[]).filter((name) => name !== '').join(', ')
    default:
      if (typeof value === 'boolean') return value ? t('ein') : t('aus')
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}
