// Texts for plans: fields, stages, answers, and what they mean to a customer.
import type { Karte, KarteClientStatus } from '#contract/karte.ts'
import { epsgName } from '#domain/epsg.ts'
import type { GeorefType } from '#domain/georef/transform.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { STATUS, statusForCustomer, statusName, statusTone } from '../../record/karte-status.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export { STATUS, statusForCustomer, statusName, statusTone }
export const CLIENT_STATUS: readonly KarteClientStatus[] = [
  'offen',
  'in_pruefung',
  'freigegeben',
  'rueckfrage',
]
export const DIN = ['A0', 'A1', 'A2', 'A3', 'A4', 'sonstige'] as const

/** The customer's answer, worded for staff. */
export function answerName(status: KarteClientStatus): string {
  switch (status) {
    case 'offen':
      return t('Noch keine Antwort')
    case 'in_pruefung':
      return t('Kunde prüft')
    case 'freigegeben':
      return t('Freigegeben')
    case 'rueckfrage':
      return t('Rückfrage')
  }
}
/** The customer's own answer, worded for them. */
export function answerForCustomer(status: KarteClientStatus): string {
  switch (status) {
    case 'offen':
      return t('Noch nicht beantwortet')
    case 'in_pruefung':
      return t('Ich prüfe noch')
    case 'freigegeben':
      return t('Der Plan ist richtig')
    case 'rueckfrage':
      return t('Ich habe eine Rückfrage')
  }
}
export function answerTone(status: KarteClientStatus): Tone {
  if (status === 'freigegeben') return 'success'
  return status === 'rueckfrage' ? 'warning' : status === 'in_pruefung' ? 'info' : 'neutral'
}

/** What a customer is asked to do now. Only one of their admins can answer. */
export function todoText(status: KarteClientStatus, mayAnswer: boolean): string {
  switch (status) {
    case 'offen':
      return mayAnswer
        ? t('Bitte ansehen und antworten')
        : t('Die Verwaltung Ihres Betriebs wird um Antwort gebeten')
    case 'in_pruefung':
      return mayAnswer
        ? t('Bitte antworten, wenn die Prüfung fertig ist')
        : t('Wird in Ihrem Betrieb geprüft')
    case 'rueckfrage':
      return t('Nichts zu tun: Ihre Rückfrage liegt bei uns')
    case 'freigegeben':
      return t('Nichts zu tun: Sie haben den Plan freigegeben')
  }
}
export const isWaiting = (status: KarteClientStatus): boolean =>
  status === 'offen' || status === 'in_pruefung'

export const georefName = (kind: GeorefType): string => typeNames()[kind]

/** Suggestions only: offices use their own terms. */
export const types = (): readonly string[] => [
  t('Dränplan'),
  t('Meliorationsplan'),
  t('Lageplan'),
  t('Übersichtsplan'),
  t('Bestandsplan'),
  t('Längsschnitt'),
]

export const scaleText = (scale: number | null): string => (scale === null ? '' : `1:${formatNumber(scale)}`)

const labels = (): Readonly<Record<string, string>> => ({
  id: t('Nr.'),
  map_name: t('Name'),
  client_id: t('Kunde'),
  typ: t('Art des Plans'),
  auftr_nr: t('Auftragsnummer'),
  reg_nr: t('Registernummer'),
  jahr: t('Jahr'),
  scale: t('Maßstab'),
  din: t('Blattformat'),
  ausf_unternehmen: t('Ausführendes Unternehmen'),
  kreis: t('Kreis'),
  gemeinde: t('Gemeinde'),
  gemarkung: t('Gemarkung'),
  epsg: t('Koordinatensystem'),
  status: t('Status'),
  show_client: t('Für den Kunden sichtbar'),
  client_status: t('Antwort des Kunden'),
  bem_client: t('Bemerkung des Kunden'),
  bem_to_client: t('Bemerkung an den Kunden'),
  bem_apus: t('Interne Bemerkung'),
  georef_typ: t('Verfahren'),
  georef_label: t('Bezeichnung der Georeferenzierung'),
  georef_bash: t('Befehle für QGIS und GDAL'),
  res: t('Auflösung'),
  width: t('Breite des Scans'),
  height: t('Höhe des Scans'),
})
/** A column's German name; unknown columns keep their own. */
export const fieldLabel = (field: string): string => labels()[field] ?? field

/** Register fields that a customer sees. */
export const REGISTER_ORDER = [
  'typ',
  'jahr',
  'scale',
  'din',
  'kreis',
  'gemeinde',
  'gemarkung',
  'auftr_nr',
  'reg_nr',
  'ausf_unternehmen',
] as const satisfies readonly (keyof Karte)[]

const among = <T extends string>(list: readonly T[], value: unknown): value is T =>
  (list as readonly unknown[]).includes(value)

/** A value as displayed; empty if there is none. */
export function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field === 'show_client') return value === true ? t('ja') : t('nein')
  if (field === 'epsg') return epsgName(Number(value))
  if (field === 'scale') return scaleText(Number(value))
  if (field === 'din') return dinName(value)
  if (field === 'status' && among(STATUS, value)) return statusName(value)
  if (field === 'client_status' && among(CLIENT_STATUS, value)) return answerName(value)
  if (field === 'georef_typ' && Object.hasOwn(typeNames(), String(value)))
    return georefName(value as GeorefType)
  if (field === 'res') return formatNumber(Number(value))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
export const dinName = (value: unknown): string =>
  value === 'sonstige' ? t('sonstiges Format') : value === null ? '' : `DIN ${String(value)}`

/** What a customer will see of a plan, stated before it is opened to them. */
export function viewText(
  karte: Pick<Karte, 'show_client' | 'status' | 'bem_to_client'>,
  kunde: string,
): string {
  if (!karte.show_client) return t('{kunde} sieht diesen Plan nicht.', { kunde })
  const values = { kunde, stand: statusForCustomer(karte.status) }
  return karte.bem_to_client === null || karte.bem_to_client.trim() === ''
    ? t(
        '{kunde} sieht den Plan mit dem Status „{stand}“, die Registerdaten und die Dateien. Interne ' +
          'Bemerkungen bleiben bei uns.',
        values,
      )
    : t(
        '{kunde} sieht den Plan mit dem Status „{stand}“, die Registerdaten, die Dateien und Ihre ' +
          'Bemerkung an den Kunden. Interne Bemerkungen bleiben bei uns.',
        values,
      )
}

/** mein-plan_03.TIF → mein-plan_03; empty if nothing usable remains. */
export function nameFromFile(file: string): string {
  const bare = file
    .normalize('NFC')
    .replace(/^.*[\\/]/, '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
  return Array.from(bare).slice(0, 200).join('').trim()
}

/** What the customer is asked. Whether plan and ground agree, only once they have seen both. */
export const questionAbout = (result: object | undefined, seen: boolean): string =>
  result === undefined
    ? t('Ist das der richtige Plan? Auf der Karte liegt er noch nicht.')
    : seen
      ? t('Stimmt der Plan mit dem Gelände überein?')
      : t('Ist das der richtige Plan? Auf der Karte ist er hier nicht zu sehen.')
