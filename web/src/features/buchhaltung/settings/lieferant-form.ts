// The supplier as a form: every value is a text or a switch, with faults in plain words. The database checks
// the same.
import type { Lieferant as TableRow } from '#contract/buchhaltung.ts'
import { isCountry, isPostcode, postcodeExample } from '#domain/countries.ts'
import { decimal, formatAmount, formatGerman, parseNumberInput } from '#domain/geld.ts'
import { formatIban, normalizeIban } from '#domain/iban.ts'
import { normalizeCreditorId } from '#domain/sepa/creditor-id.ts'
import { normalizeUstId } from '#domain/ust-id.ts'
import type { Versioned } from '../../../data/rows.ts'
import { t } from '../../../ui/text.ts'
import { numberFault, typedCents } from '../number-words.ts'
import {
  accountLines,
  accountList,
  accountsOf,
  isAccount,
  isAccountLine,
  isKeyLine,
  keyLines,
  keyList,
  keysOf,
  wrongLength,
} from './account-lines.ts'
import { FORMATS } from './lieferant-formats.ts'

/** Without the bytes of the logo, which are fetched separately. */
export type Lieferant = Omit<TableRow, 'logo'> & Versioned

export const TEXT_FIELDS = [
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'land',
  'ansprechpartner',
  'telefon',
  'mail',
  'webseite',
  'steuernummer',
  'ust_id',
  'besteuerung',
  'bank',
  'kontoinhaber',
  'iban',
  'bic',
  'glaeubiger_id',
  'einzug_tage',
  'zahlungsziel',
  'skonto_tage',
  'skonto_prozent',
  'ust_satz',
  'angebot_tage',
  'mahngebuehr_1',
  'mahngebuehr_2',
  'mahngebuehr_3',
  'mahn_kulanz',
  'mahn_frist',
  'fusszeile',
  'aufbewahrung_text',
  'datev_berater',
  'datev_mandant',
  'datev_kontenlaenge',
  'datev_debitor_von',
  'datev_erloeskonten',
  'datev_rahmen',
  'datev_jahresbeginn',
  'datev_debitor_sammel',
  'datev_bankkonto',
  'datev_skontokonten',
  'datev_anzahlungskonten',
  'datev_aufwandskonten',
  'anlagen_anzahl',
  'anlagen_mb',
] as const
const SWITCHES = ['kleinunternehmer', 'datev_festschreiben'] as const
export type Switch = (typeof SWITCHES)[number]
export type TextField = (typeof TEXT_FIELDS)[number]
export type LieferantField = TextField | Switch
export const FIELDS: readonly LieferantField[] = [...TEXT_FIELDS, ...SWITCHES]
export type LieferantValues = Record<TextField, string> & Record<Switch, boolean>
export type LieferantRecord = Versioned & Readonly<LieferantValues> & { readonly logo_typ: string | null }

const DEFAULTS: Omit<Lieferant, 'version' | 'geaendert_am' | 'geaendert_von'> = {
  name: '',
  name_zusatz: '',
  strasse: '',
  plz: '',
  ort: '',
  land: 'DE',
  steuernummer: '',
  ust_id: '',
  ansprechpartner: '',
  telefon: '',
  mail: '',
  webseite: '',
  bank: '',
  kontoinhaber: '',
  iban: '',
  bic: '',
  glaeubiger_id: '',
  einzug_tage: 14,
  fusszeile: '',
  kleinunternehmer: false,
  besteuerung: 'soll',
  besteuerung_ab: [],
  kleinunternehmer_ab: [],
  zahlungsziel: 14,
  skonto: [],
  angebot_tage: 30,
  ust_satz: 19,
  logo_typ: null,
  mahngebuehren: ['0.00', '5.00', '10.00'],
  mahn_kulanz: 3,
  mahn_frist: 10,
  basiszins: [],
  aufbewahrung_text: 'Bitte bewahren Sie diese Rechnung zwei Jahre lang auf (§ 14b Abs. 1 Satz 5 UStG).',
  datev_berater: '',
  datev_mandant: '',
  datev_kontenlaenge: 4,
  datev_erloeskonten: {},
  datev_debitor_von: 10000,
  datev_rahmen: '',
  datev_jahresbeginn: 1,
  datev_debitor_sammel: '',
  datev_bankkonto: '',
  datev_skontokonten: {},
  datev_anzahlungskonten: {},
  datev_aufwandskonten: {},
  datev_festschreiben: false,
  anlagen_anzahl: 20,
  anlagen_mb: 15,
}

/** Null if nothing was saved yet: then the defaults of the table apply. */
export function recordOf(row: Lieferant | null): LieferantRecord {
  const from = row ?? { ...DEFAULTS, version: 0, geaendert_am: '', geaendert_von: null }
  const fee = (at: number) => formatAmount(from.mahngebuehren[at] ?? '0.00')
  const [tier] = from.skonto
  return {
    ...from,
    iban: formatIban(from.iban),
    einzug_tage: String(from.einzug_tage),
    zahlungsziel: String(from.zahlungsziel),
    angebot_tage: String(from.angebot_tage),
    ust_satz: formatGerman(decimal(String(from.ust_satz))),
    skonto_tage: tier ? String(tier.tage) : '',
    skonto_prozent: tier ? formatGerman(decimal(tier.prozent)) : '',
    mahngebuehr_1: fee(0),
    mahngebuehr_2: fee(1),
    mahngebuehr_3: fee(2),
    mahn_kulanz: String(from.mahn_kulanz),
    mahn_frist: String(from.mahn_frist),
    datev_kontenlaenge: String(from.datev_kontenlaenge),
    datev_debitor_von: String(from.datev_debitor_von),
    datev_erloeskonten: accountList(from.datev_erloeskonten),
    datev_jahresbeginn: String(from.datev_jahresbeginn),
    datev_skontokonten: accountList(from.datev_skontokonten),
    datev_anzahlungskonten: accountList(from.datev_anzahlungskonten),
    datev_aufwandskonten: keyList(from.datev_aufwandskonten),
    anlagen_anzahl: String(from.anlagen_anzahl),
    anlagen_mb: String(from.anlagen_mb),
  }
}

const LONGEST: Partial<Record<TextField, number>> = {
  name: 200,
  name_zusatz: 200,
  strasse: 200,
  plz: 12,
  ort: 200,
  steuernummer: 40,
  ansprechpartner: 100,
  telefon: 40,
  mail: 254,
  webseite: 200,
  bank: 100,
  kontoinhaber: 70,
  fusszeile: 1000,
  aufbewahrung_text: 500,
}
const REQUIRED: ReadonlySet<TextField> = new Set<TextField>(['name', 'strasse', 'plz', 'ort'])
const SEVERAL_LINES: ReadonlySet<TextField> = new Set<TextField>(['fusszeile', 'aufbewahrung_text'])

type Faults = Partial<Record<LieferantField, string>>
/** Least and most. */
const WHOLE = {
  einzug_tage: [1, 60],
  zahlungsziel: [0, 365],
  angebot_tage: [1, 730],
  mahn_kulanz: [0, 90],
  mahn_frist: [1, 90],
  datev_kontenlaenge: [4, 8],
  datev_debitor_von: [10000, 999999999],
  anlagen_anzahl: [0, 50],
  anlagen_mb: [1, 15],
} as const
const WHOLE_FIELDS = Object.keys(WHOLE) as (keyof typeof WHOLE)[]
const DIGITS = { datev_berater: 7, datev_mandant: 5 } as const
const FEES = ['mahngebuehr_1', 'mahngebuehr_2', 'mahngebuehr_3'] as const
const ACCOUNTS = ['datev_erloeskonten', 'datev_skontokonten', 'datev_anzahlungskonten'] as const

const wholeFault = (text: string, [least, most]: readonly [number, number]): string | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? undefined
    : t('Eine ganze Zahl von {von} bis {bis}.', { von: least, bis: most })
function amountFault(text: string, integerDigits: number): string | undefined {
  const value = parseNumberInput(text, { decimals: 2, integerDigits })
  return typeof value === 'string' ? numberFault(value, 2) : undefined
}

function textFault(field: TextField, text: string): string | undefined {
  const longest = LONGEST[field]
  if (REQUIRED.has(field) && text === '') return t('Diese Angabe fehlt.')
  if (longest !== undefined) {
    if (Array.from(text).length > longest) return t('Höchstens {n} Zeichen.', { n: longest })
    if (!SEVERAL_LINES.has(field) && /\p{Cc}/u.test(text))
      return t('Bitte ohne Zeilenumbruch und Steuerzeichen.')
  }
  const format = FORMATS[field]
  return text !== '' && format?.isRight(text) === false ? format.fault() : undefined
}

function skontoFaults(days: string, percent: string): Faults {
  if (days === '' && percent === '') return {}
  const share = parseNumberInput(percent, { decimals: 2, integerDigits: 2 })
  return withoutNone({
    skonto_tage: wholeFault(days, [1, 999]),
    skonto_prozent:
      typeof share === 'string'
        ? numberFault(share, 2)
        : share.wert === 0n
          ? t('Der Betrag muss größer als null sein.')
          : undefined,
  })
}

function accountFaults(values: LieferantValues, digits: number): Faults {
  const [bank, collective] = [values.datev_bankkonto.trim(), values.datev_debitor_sammel.trim()]
  return withoutNone({
    ...Object.fromEntries(
      ACCOUNTS.map((field) => {
        const line = wrongLength(values[field], digits)
        const fault = t('Ein Sachkonto hat hier {n} Stellen: {zeile}', { n: digits, zeile: line ?? '' })
        return [field, line === undefined ? undefined : fault]
      }),
    ),
    datev_bankkonto:
      bank === '' || isAccount(bank, digits)
        ? undefined
        : t('Ein Sachkonto mit {n} Stellen, ohne führende Null.', { n: digits }),
    datev_debitor_sammel:
      collective === '' || isAccount(collective, digits + 1)
        ? undefined
        : t('Ein Debitorenkonto mit {n} Stellen, ohne führende Null.', { n: digits + 1 }),
  })
}

const withoutNone = (faults: Partial<Record<LieferantField, string | undefined>>): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))

/** Fault texts by field. */
export function checkLieferant(values: LieferantValues): Faults {
  const typed = Object.fromEntries(TEXT_FIELDS.map((field) => [field, values[field].trim()])) as Record<
    TextField,
    string
  >
  const { land, plz } = typed
  const each = <F extends TextField>(fields: readonly F[], fault: (field: F) => string | undefined) =>
    withoutNone(Object.fromEntries(fields.map((field) => [field, fault(field)])))
  const faults: Faults = {
    ...withoutNone({
      land: isCountry(land) ? undefined : t('Zwei Großbuchstaben, zum Beispiel DE.'),
      plz:
        postcodeExample(land) !== null && plz !== '' && !isPostcode(land, plz)
          ? t('Passt nicht zum Land. Dort sieht eine Postleitzahl aus wie {beispiel}.', {
              beispiel: postcodeExample(land) ?? '',
            })
          : undefined,
      ust_satz: amountFault(values.ust_satz, 2),
    }),
    ...each(WHOLE_FIELDS, (field) => wholeFault(typed[field], WHOLE[field])),
    ...each(['datev_berater', 'datev_mandant'], (field) =>
      /^\d*$/.test(typed[field]) && typed[field].length <= DIGITS[field]
        ? undefined
        : t('Höchstens {n} Ziffern.', { n: DIGITS[field] }),
    ),
    ...each(FEES, (field) => amountFault(values[field], 6)),
    ...skontoFaults(typed.skonto_tage, typed.skonto_prozent),
    ...each(['datev_aufwandskonten'], (field) =>
      keyLines(values[field]).every(isKeyLine)
        ? undefined
        : t('Je Zeile Konto und Schlüssel, zum Beispiel: 3400 = ohne'),
    ),
    ...each(ACCOUNTS, (field) =>
      accountLines(values[field]).every(isAccountLine)
        ? undefined
        : t('Je Zeile Steuersatz und Konto, zum Beispiel: 19 % = 8400'),
    ),
    // Said before anything else about the same field.
    ...each(TEXT_FIELDS, (field) => textFault(field, typed[field])),
  }
  // Accounts can only be checked once their length is valid.
  return faults.datev_kontenlaenge === undefined
    ? { ...accountFaults(values, Number(typed.datev_kontenlaenge)), ...faults }
    : faults
}

/**
 * Values as they would be stored, in the form's shape: normalized, so that only real differences count as
 * changes.
 */
export function tidied(values: LieferantValues): LieferantValues {
  const trimmed = Object.fromEntries(TEXT_FIELDS.map((field) => [field, values[field].trim()])) as Record<
    TextField,
    string
  >
  return {
    ...trimmed,
    kleinunternehmer: values.kleinunternehmer,
    datev_festschreiben: values.datev_festschreiben,
    iban: formatIban(trimmed.iban),
    bic: trimmed.bic.toUpperCase(),
    glaeubiger_id: normalizeCreditorId(trimmed.glaeubiger_id),
    ust_id: normalizeUstId(trimmed.ust_id),
    datev_erloeskonten: accountLines(values.datev_erloeskonten).toSorted().join('\n'),
    datev_skontokonten: accountLines(values.datev_skontokonten).toSorted().join('\n'),
    datev_anzahlungskonten: accountLines(values.datev_anzahlungskonten).toSorted().join('\n'),
    datev_aufwandskonten: keyLines(values.datev_aufwandskonten).toSorted().join('\n'),
  }
}

const NUMBERS = [...WHOLE_FIELDS, 'datev_jahresbeginn'] as const
const CONVERTED: ReadonlySet<TextField> = new Set<TextField>([
  ...NUMBERS,
  ...FEES,
  ...ACCOUNTS,
  'datev_aufwandskonten',
  'iban',
  'ust_satz',
  'skonto_tage',
  'skonto_prozent',
])
/** Stored as they are. */
const AS_TYPED = TEXT_FIELDS.filter((field) => !CONVERTED.has(field))

/**
 * The changed fields as sent to the procedure. `all`: the whole form, for values that are stored together.
 */
export function fieldValuesOf(
  changes: Partial<LieferantValues>,
  all: LieferantValues,
  stored: Lieferant | null,
) {
  const given = (...fields: LieferantField[]) => fields.some((field) => field in changes)
  const sent = <F extends LieferantField, V>(fields: readonly F[], value: (field: F) => V) =>
    Object.fromEntries(
      fields.filter((field) => given(field)).map((field) => [field, value(field)]),
    ) as Partial<Record<F, V>>
  const [tier, ...others] = stored?.skonto ?? []
  return {
    ...Object.fromEntries(AS_TYPED.filter((field) => given(field)).map((field) => [field, changes[field]])),
    ...sent(SWITCHES, (field) => all[field]),
    ...sent(NUMBERS, (field) => Number(all[field])),
    ...sent(ACCOUNTS, (field) => accountsOf(all[field])),
    ...sent(['datev_aufwandskonten'], (field) => keysOf(all[field])),
    ...(given('iban') && { iban: normalizeIban(all.iban) }),
    ...(given('ust_satz') && { ust_satz: Number(typedCents(all.ust_satz)) }),
    ...(given(...FEES) && { mahngebuehren: FEES.map((field) => typedCents(all[field])) }),
    // Further tiers are kept.
    ...(given('skonto_tage', 'skonto_prozent') && {
      skonto: [
        ...(all.skonto_tage === ''
          ? []
          : [{ ...tier, tage: Number(all.skonto_tage), prozent: typedCents(all.skonto_prozent) }]),
        ...others,
      ],
    }),
  }
}
