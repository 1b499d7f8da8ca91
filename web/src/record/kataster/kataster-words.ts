// Names of the kinds of survey objects and their fields, and the visible kinds in the address.
import { OTHER } from '#contract/kataster-tile.ts'
import type { MeasuredFix } from '#domain/gnss/fix.ts'
import { TABLES, type Table } from '#domain/vermessung/fields.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const kindWords = (art: Table): { readonly one: string; readonly many: string } =>
  ({
    draenage: { one: t('Dränage'), many: t('Dränagen') },
    ausmuendung: { one: t('Ausmündung'), many: t('Ausmündungen') },
    schacht: { one: t('Schacht'), many: t('Schächte') },
    schlucker: { one: t('Schlucker'), many: t('Schlucker') },
    einlauf: { one: t('Einlauf'), many: t('Einläufe') },
  })[art]
export const tableName = (table: Table): string => kindWords(table).many

/** The other kinds, which the survey page's address hides when a single kind is viewed. */
export const otherKinds = (art: Table): string => TABLES.filter((one) => one !== art).join(',')

export const lengthText = (metres: number): string =>
  metres >= 1000
    ? t('{n} km', { n: formatNumber(metres / 1000, 1) })
    : t('{n} m', { n: formatNumber(Math.round(metres)) })

export function fieldName(field: string): string {
  return ALL_FIELDS()[field] ?? field
}
const ALL_FIELDS = (): Readonly<Record<string, string>> => ({
  geometrie: t('Geometrie'),
  schluessel: t('Kennung'),
  vermessen: t('vermessen'),
  erfq: t('Erfassungsquelle'),
  qdt: t('Qualität der Daten'),
  art: t('Art'),
  dn: t('Nennweite (mm)'),
  material: t('Material'),
  hoehe: t('Höhe (m)'),
  sohlhoehe: t('Sohlhöhe (m)'),
  tiefe: t('Tiefe (m)'),
  gefaelle: t('Gefälle (%)'),
  abstand: t('Abstand (m)'),
  baujahr: t('Baujahr'),
  plan_nr: t('Plannummer'),
  zustand: t('Zustand'),
  letzte_kontrolle: t('Letzte Kontrolle'),
  eigentuemer: t('Eigentümer'),
  genauigkeit_cm: t('Genauigkeit (cm)'),
  lage_fix: t('GNSS-Lösung'),
  genauigkeit_geschaetzt: t('Genauigkeit geschätzt'),
  datum: t('Datum'),
  bemerkung: t('Bemerkung'),
})

/** Of a receiver's kind of solution; the same as FIX in domain/habitat/choices.ts. */
export const fixName = (fix: MeasuredFix): string =>
  ({
    rtk_fixed: t('RTK fixed'),
    rtk_float: t('RTK float'),
    dgps: t('DGPS'),
    pps: t('PPS'),
    gnss: t('GNSS ohne Korrektur'),
    estimated: t('Koppelnavigation'),
  })[fix]

/** A source or quality as it is shown: what people have entered, or the word for all without one. */
export const valueText = (value: string | null): string =>
  value === null || value === OTHER ? t('Andere') : value
