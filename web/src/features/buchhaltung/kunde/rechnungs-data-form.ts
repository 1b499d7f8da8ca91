// How a customer is billed, as a form: every value is a text or a switch, with faults in plain words. The
// database checks the same.
import type { KundeRechnung } from '#contract/buchhaltung.ts'
import { type BelegSkonto, type RechnungFormat, type XmlSyntax } from '#domain/beleg.ts'
import { isAddress } from '#domain/dispatch.ts'
import type { Place } from '#domain/supply-place.ts'
import { type LeitwegFault, leitwegFault, normalizeLeitweg } from '#domain/leitweg.ts'
import { normalizeUstId, ustIdFault } from '#domain/ust-id.ts'
import type { Versioned } from '../../../data/rows.ts'
import { t } from '../../../ui/text.ts'
import { type FieldKind, fieldFault, fieldText, fieldValue } from '../draft-fields.ts'

export type RechnungsData = KundeRechnung & Versioned

export const FIELDS = [
  'rechnungsformat',
  'syntax',
  'leitweg_id',
  'bestellnummer',
  'rechnung_mail',
  'ust_id',
  'ist_privat',
  'leistungsort',
  'leistungsland',
  'kaeufer_ref',
  'vertrag_nr',
  'zahlungsziel',
  'skonto',
  'debitor',
] as const
export type DataField = (typeof FIELDS)[number]
export type TextFieldName = Exclude<DataField, 'ist_privat'>
export type Values = Record<TextFieldName, string> & { ist_privat: boolean }
/** Tiers as one string, so that two versions can be compared. */
export type DataRecord = Versioned & Readonly<Values>

export const FORMATS: readonly RechnungFormat[] = ['zugferd', 'xrechnung', 'pdf']
export const SYNTAX_OPTIONS: readonly XmlSyntax[] = ['cii', 'ubl']
const SKONTO: FieldKind = { kind: 'skonto' }

/** Null if nothing was saved yet: then the defaults of the table apply. */
export function recordOf(row: RechnungsData | null): DataRecord {
  const from = row ?? {
    rechnungsformat: 'zugferd' as const,
    syntax: 'cii' as const,
    leitweg_id: '',
    bestellnummer: '',
    rechnung_mail: '',
    ust_id: '',
    ist_privat: false,
    leistungsort: null,
    leistungsland: null,
    kaeufer_ref: '',
    vertrag_nr: '',
    zahlungsziel: null,
    skonto: null,
    debitor: '',
    version: 0,
    geaendert_am: '',
    geaendert_von: null,
  }
  return {
    ...from,
    leistungsort: from.leistungsort ?? '',
    leistungsland: from.leistungsland ?? '',
    zahlungsziel: from.zahlungsziel === null ? '' : String(from.zahlungsziel),
    skonto: fieldText(SKONTO, from.skonto === null ? null : JSON.stringify(from.skonto)),
  }
}

export function leitwegText(fault: Exclude<LeitwegFault, 'leer'>): string {
  switch (fault) {
    case 'zeichen':
      return t('Eine Leitweg-ID besteht aus Buchstaben, Ziffern und Bindestrichen.')
    case 'aufbau':
      return t(
        'Eine Leitweg-ID hat zwei oder drei Teile und am Ende zwei Prüfziffern, zum Beispiel 04011000-1234512345-06.',
      )
    case 'grob':
      return t('Der erste Teil einer Leitweg-ID hat 2, 3, 5, 8, 9 oder 12 Ziffern.')
    case 'land':
      return t('Eine Leitweg-ID beginnt mit der Kennzahl eines Bundeslands (01 bis 16) oder des Bundes (99).')
    case 'fein':
      return t('Der mittlere Teil einer Leitweg-ID hat höchstens 30 Zeichen.')
    case 'pruefziffer':
      return t(
        'Die Prüfziffern am Ende passen nicht: Vermutlich ist ein Zeichen vertippt. Bitte mit dem Schreiben ' +
          'der Behörde vergleichen.',
      )
  }
}

/** Fault texts by field. */
export function checkRechnungData(values: Values): Partial<Record<DataField, string>> {
  const faults: Partial<Record<DataField, string>> = {}
  const typed = (field: TextFieldName) => values[field].trim()
  const say = (field: DataField, broken: boolean, text: () => string) => {
    if (broken) faults[field] ??= text()
  }
  const leitweg = leitwegFault(typed('leitweg_id'))
  if (leitweg !== null && leitweg !== 'leer') faults.leitweg_id = leitwegText(leitweg)
  say('rechnungsformat', !(FORMATS as readonly string[]).includes(values.rechnungsformat), () =>
    t('Bitte wählen Sie einen Eintrag der Liste.'),
  )
  say('syntax', !(SYNTAX_OPTIONS as readonly string[]).includes(values.syntax), () =>
    t('Bitte wählen Sie einen Eintrag der Liste.'),
  )
  const ust = ustIdFault(typed('ust_id'))
  say('ust_id', ust !== null && ust !== 'leer', () =>
    ust === 'pruefziffer'
      ? t('Die Prüfziffer dieser USt-IdNr. passt nicht: Vermutlich ist eine Ziffer vertippt.')
      : t('So sieht keine USt-IdNr. aus. Sie beginnt mit dem Kürzel des Landes, zum Beispiel DE136695976.'),
  )
  say('leistungsland', values.leistungsort === 'grundstueck_ausland' && values.leistungsland === '', () =>
    t('Bitte das Land auswählen, in dem das Grundstück liegt.'),
  )
  say('rechnung_mail', typed('rechnung_mail') !== '' && !isAddress(typed('rechnung_mail')), () =>
    t('Das ist keine gültige E-Mail-Adresse.'),
  )
  for (const field of ['bestellnummer', 'kaeufer_ref', 'vertrag_nr'] as const)
    say(field, Array.from(typed(field)).length > 100, () => t('Höchstens {n} Zeichen.', { n: 100 }))
  say(
    'zahlungsziel',
    !/^(?:\d{1,3})?$/.test(typed('zahlungsziel')) || Number(typed('zahlungsziel')) > 365,
    () => t('Eine ganze Zahl von {von} bis {bis}.', { von: 0, bis: 365 }),
  )
  const skonto = fieldFault(SKONTO, values.skonto)
  if (skonto !== null) faults.skonto = skonto
  say('debitor', !/^\d{0,9}$/.test(typed('debitor')), () => t('Höchstens {n} Ziffern.', { n: 9 }))
  return faults
}

/** What an e-invoice will require, although saving works without it. */
export function stillMissing(values: Values): string | null {
  if (values.rechnungsformat !== 'xrechnung') return null
  return values.leitweg_id.trim() === '' && values.kaeufer_ref.trim() === ''
    ? t(
        'Für eine XRechnung fehlt noch die Leitweg-ID oder eine andere Referenz des Kunden. ' +
          'Ohne sie lässt sich keine Rechnung an diesen Kunden ausstellen.',
      )
    : null
}

/**
 * Values as they would be stored, in the form's shape: normalized, so that only real differences count as
 * changes.
 */
export function tidied(values: Values): Values {
  const skonto = fieldValue(SKONTO, values.skonto)
  return {
    rechnungsformat: values.rechnungsformat,
    syntax: values.syntax,
    leitweg_id: normalizeLeitweg(values.leitweg_id),
    bestellnummer: values.bestellnummer.normalize('NFC').trim(),
    rechnung_mail: values.rechnung_mail.trim(),
    ust_id: normalizeUstId(values.ust_id),
    ist_privat: values.ist_privat,
    leistungsort: values.leistungsort,
    leistungsland: values.leistungsort === 'grundstueck_ausland' ? values.leistungsland : '',
    kaeufer_ref: values.kaeufer_ref.normalize('NFC').trim(),
    vertrag_nr: values.vertrag_nr.normalize('NFC').trim(),
    zahlungsziel: values.zahlungsziel.trim() === '' ? '' : String(Number(values.zahlungsziel)),
    skonto: fieldText(SKONTO, skonto),
    debitor: values.debitor.trim(),
  }
}

/** The changed fields as sent to the procedure. */
export function fieldValuesOf(
  changes: Partial<Values>,
): Partial<Omit<KundeRechnung, 'client_id' | 'version'>> {
  const { zahlungsziel, skonto, rechnungsformat, syntax, leistungsort, leistungsland, ...same } = changes
  return {
    ...same,
    ...(rechnungsformat !== undefined && { rechnungsformat: rechnungsformat as RechnungFormat }),
    ...(syntax !== undefined && { syntax: syntax as XmlSyntax }),
    ...(leistungsort !== undefined && { leistungsort: (leistungsort || null) as Place | null }),
    ...(leistungsland !== undefined && { leistungsland: leistungsland || null }),
    ...(zahlungsziel !== undefined && { zahlungsziel: zahlungsziel === '' ? null : Number(zahlungsziel) }),
    ...(skonto !== undefined && {
      skonto: skonto === '' ? null : (JSON.parse(String(fieldValue(SKONTO, skonto))) as BelegSkonto[]),
    }),
  }
}
