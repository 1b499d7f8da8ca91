// The supplier as a form: every value is a text or a switch, with faults in plain words. The database checks
// the same.
import type { Lieferant as TableRow } from '#contract/buchhaltung.ts'
import { decimal, formatAmount, formatCents, formatGerman, parseNumberInput } from '#domain/geld.ts'
import { formatIban, ibanFault, isBic, normalizeIban } from '#domain/iban.ts'
import { taxNumberFault } from '#domain/tax-number.ts'
import { normalizeUstId, ustIdFault } from '#domain/ust-id.ts'
import type { Versioned } from '../../../data/rows.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'

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
  'bank',
  'kontoinhaber',
  'iban',
  'bic',
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
] as const
const SWITCHES = ['kleinunternehmer', 'datev_festschreiben'] as const
type Switch = (typeof SWITCHES)[number]
export type TextField = (typeof TEXT_FIELDS)[number]
export type LieferantField = TextField | Switch
export const FIELDS: readonly LieferantField[] = [...TEXT_FIELDS, ...SWITCHES]
export type LieferantValues = Record<TextField, string> & Record<Switch, boolean>
export type LieferantRecord = Versioned & Readonly<LieferantValues> & { readonly logo_typ: string | null }

/** Accounts as lines: "S 19.00 = 8400". */
const accountList = (accounts: Readonly<Record<string, string>>): string =>
  Object.entries(accounts)
    .map(([group, account]) => `${group} = ${account}`)
    .toSorted()
    .join('\n')
const LINE = /^(S|E|AE|O) (\d{1,2}\.\d{2}) = (\d{4,8})$/
/** As people type it: a rate alone means taxed, a category alone means no rate. */
const TYPED = /^(AE|S|E|O)? ?(?:(\d{1,2})(?:[.,](\d{1,2}))? ?%?)? ?[=:] ?(\d{4,8})$/i
function accountLine(line: string): string {
  const [found, kind, whole, cents = '', account] = TYPED.exec(line) ?? []
  if (
    found === undefined ||
    (kind === undefined && Number(whole ?? 0) === 0) ||
    (whole === undefined && kind?.toUpperCase() === 'S')
  )
    return line
  return `${(kind ?? 'S').toUpperCase()} ${Number(whole ?? 0)}.${cents.padEnd(2, '0')} = ${account}`
}

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
  fusszeile: '',
  kleinunternehmer: false,
  zahlungsziel: 14,
  skonto: [],
  angebot_tage: 30,
  ust_satz: 19,
  logo_typ: null,
  mahngebuehren: ['0.00', '5.00', '10.00'],
  mahn_kulanz: 3,
  mahn_frist: 10,
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
  datev_festschreiben: false,
}

/** Null if nothing was saved yet: then the defaults of the table apply. */
export function recordOf(row: Lieferant | null): LieferantRecord {
  const from = row ?? { ...DEFAULTS, version: 0, geaendert_am: '', geaendert_von: null }
  const fee = (at: number) => formatAmount(from.mahngebuehren[at] ?? '0.00')
  const [tier] = from.skonto
  return {
    ...from,
    iban: formatIban(from.iban),
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
const isMail = (text: string): boolean =>
  /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/.test(text)
const whole = (text: string, least: number, most: number): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most

/** Fault texts by field. */
export function checkLieferant(values: LieferantValues): Partial<Record<LieferantField, string>> {
  const faults: Partial<Record<LieferantField, string>> = {}
  const typed = (field: TextField) => values[field].trim()
  const say = (field: TextField, broken: boolean, text: string) => {
    if (broken) faults[field] ??= text
  }
  for (const field of ['name', 'strasse', 'plz', 'ort'] as const)
    say(field, typed(field) === '', t('Diese Angabe fehlt.'))
  for (const [field, longest] of Object.entries(LONGEST) as [TextField, number][]) {
    say(field, Array.from(typed(field)).length > longest, t('Höchstens {n} Zeichen.', { n: longest }))
    const lines = field === 'fusszeile' || field === 'aufbewahrung_text'
    say(field, !lines && /\p{Cc}/u.test(typed(field)), t('Bitte ohne Zeilenumbruch und Steuerzeichen.'))
  }
  say('land', !/^[A-Z]{2}$/.test(typed('land')), t('Zwei Großbuchstaben, zum Beispiel DE.'))
  say(
    'plz',
    typed('land') === 'DE' && typed('plz') !== '' && !/^\d{5}$/.test(typed('plz')),
    t('Fünf Ziffern, zum Beispiel 01067.'),
  )
  say('mail', typed('mail') !== '' && !isMail(typed('mail')), t('Das ist keine gültige E-Mail-Adresse.'))
  say(
    'iban',
    typed('iban') !== '' && ibanFault(typed('iban')) !== null,
    t('Diese IBAN stimmt nicht. Bitte Zeichen für Zeichen mit dem Kontoauszug vergleichen.'),
  )
  say(
    'bic',
    typed('bic') !== '' && !isBic(typed('bic').toUpperCase()),
    t('Eine BIC hat 8 oder 11 Zeichen, zum Beispiel BYLADEM1001.'),
  )
  say(
    'ust_id',
    typed('ust_id') !== '' && ustIdFault(typed('ust_id')) !== null,
    t('Diese USt-IdNr. stimmt nicht. Bitte vergleichen Sie sie mit Ihrem Bescheid.'),
  )
  say(
    'steuernummer',
    typed('steuernummer') !== '' && taxNumberFault(typed('steuernummer')) !== null,
    t(
      'Diese Steuernummer hat nicht die Form eines Bundeslands. Bitte vergleichen Sie sie mit Ihrem Bescheid.',
    ),
  )
  say(
    'zahlungsziel',
    !whole(typed('zahlungsziel'), 0, 365),
    t('Eine ganze Zahl von {von} bis {bis}.', { von: 0, bis: 365 }),
  )
  say(
    'angebot_tage',
    !whole(typed('angebot_tage'), 1, 730),
    t('Eine ganze Zahl von {von} bis {bis}.', { von: 1, bis: 730 }),
  )
  say(
    'mahn_kulanz',
    !whole(typed('mahn_kulanz'), 0, 90),
    t('Eine ganze Zahl von {von} bis {bis}.', { von: 0, bis: 90 }),
  )
  say(
    'mahn_frist',
    !whole(typed('mahn_frist'), 1, 90),
    t('Eine ganze Zahl von {von} bis {bis}.', { von: 1, bis: 90 }),
  )
  say(
    'datev_kontenlaenge',
    !whole(typed('datev_kontenlaenge'), 4, 8),
    t('Eine ganze Zahl von {von} bis {bis}.', { von: 4, bis: 8 }),
  )
  say(
    'datev_debitor_von',
    !whole(typed('datev_debitor_von'), 10000, 999999999),
    t('Eine ganze Zahl von {von} bis {bis}.', { von: 10000, bis: 999999999 }),
  )
  say('datev_berater', !/^\d{0,7}$/.test(typed('datev_berater')), t('Höchstens {n} Ziffern.', { n: 7 }))
  say('datev_mandant', !/^\d{0,5}$/.test(typed('datev_mandant')), t('Höchstens {n} Ziffern.', { n: 5 }))
  const rate = parseNumberInput(values.ust_satz, { decimals: 2, integerDigits: 2 })
  if (typeof rate === 'string') say('ust_satz', true, numberFault(rate, 2))
  for (const field of ['mahngebuehr_1', 'mahngebuehr_2', 'mahngebuehr_3'] as const) {
    const fee = parseNumberInput(values[field], { decimals: 2, integerDigits: 6 })
    if (typeof fee === 'string') say(field, true, numberFault(fee, 2))
  }
  const [days, percent] = [typed('skonto_tage'), typed('skonto_prozent')]
  if (days !== '' || percent !== '') {
    say('skonto_tage', !whole(days, 1, 999), t('Eine ganze Zahl von {von} bis {bis}.', { von: 1, bis: 999 }))
    const share = parseNumberInput(percent, { decimals: 2, integerDigits: 2 })
    if (typeof share === 'string') say('skonto_prozent', true, numberFault(share, 2))
    else say('skonto_prozent', share.wert === 0n, t('Der Betrag muss größer als null sein.'))
  }
  for (const field of ['datev_erloeskonten', 'datev_skontokonten'] as const)
    for (const line of accountLines(values[field]))
      say(field, !LINE.test(line), t('Je Zeile Steuersatz und Konto, zum Beispiel: 19 % = 8400'))
  const digits = typed('datev_kontenlaenge')
  // Accounts can only be checked once their length is valid.
  return faults.datev_kontenlaenge === undefined
    ? { ...accountFaults(values, Number(digits)), ...faults }
    : faults
}
function accountFaults(values: LieferantValues, n: number): Partial<Record<LieferantField, string>> {
  const faults: Partial<Record<LieferantField, string>> = {}
  const isAccount = (text: string, digits: number): boolean =>
    /^[1-9]\d*$/.test(text) && text.length === digits
  for (const field of ['datev_erloeskonten', 'datev_skontokonten'] as const) {
    const wrong = accountLines(values[field]).find((line) => !isAccount(LINE.exec(line)?.[3] ?? '', n))
    if (wrong !== undefined)
      faults[field] = t('Ein Sachkonto hat hier {n} Stellen: {zeile}', { n, zeile: wrong })
  }
  const [bank, collective] = [values.datev_bankkonto.trim(), values.datev_debitor_sammel.trim()]
  if (bank !== '' && !isAccount(bank, n))
    faults.datev_bankkonto = t('Ein Sachkonto mit {n} Stellen, ohne führende Null.', { n })
  if (collective !== '' && !isAccount(collective, n + 1))
    faults.datev_debitor_sammel = t('Ein Debitorenkonto mit {n} Stellen, ohne führende Null.', { n: n + 1 })
  return faults
}
const accountLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')
    .map(accountLine)

const cents = (text: string): string => {
  const value = parseNumberInput(text, { decimals: 2, integerDigits: 6 })
  return typeof value === 'string' ? '0.00' : formatCents(value)
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
    ust_id: normalizeUstId(trimmed.ust_id),
    datev_erloeskonten: accountLines(values.datev_erloeskonten).toSorted().join('\n'),
    datev_skontokonten: accountLines(values.datev_skontokonten).toSorted().join('\n'),
  }
}

/**
 * The changed fields as sent to the procedure. `all`: the whole form, for values that are stored together.
 */
export function fieldValuesOf(
  changes: Partial<LieferantValues>,
  all: LieferantValues,
  stored: Lieferant | null,
) {
  const given = (...fields: LieferantField[]) => fields.some((field) => field in changes)
  const same = TEXT_FIELDS.filter(
    (field) =>
      !/^(?:skonto_|mahngebuehr_|mahn_|datev_kontenlaenge|datev_debitor_von|datev_jahresbeginn|datev_erloeskonten|datev_skontokonten|zahlungsziel|angebot_tage|ust_satz|iban)/.test(
        field,
      ),
  )
  const texts = Object.fromEntries(
    same.filter((field) => field in changes).map((field) => [field, changes[field]]),
  )
  const [tier, ...others] = stored?.skonto ?? []
  return {
    ...texts,
    ...(given('kleinunternehmer') && { kleinunternehmer: all.kleinunternehmer }),
    ...(given('datev_festschreiben') && { datev_festschreiben: all.datev_festschreiben }),
    ...(given('iban') && { iban: normalizeIban(all.iban) }),
    ...(given('ust_satz') && { ust_satz: Number(cents(all.ust_satz)) }),
    ...(given('zahlungsziel') && { zahlungsziel: Number(all.zahlungsziel) }),
    ...(given('angebot_tage') && { angebot_tage: Number(all.angebot_tage) }),
    ...(given('mahn_kulanz') && { mahn_kulanz: Number(all.mahn_kulanz) }),
    ...(given('mahn_frist') && { mahn_frist: Number(all.mahn_frist) }),
    ...(given('datev_kontenlaenge') && { datev_kontenlaenge: Number(all.datev_kontenlaenge) }),
    ...(given('datev_debitor_von') && { datev_debitor_von: Number(all.datev_debitor_von) }),
    ...(given('datev_jahresbeginn') && { datev_jahresbeginn: Number(all.datev_jahresbeginn) }),
    ...(given('mahngebuehr_1', 'mahngebuehr_2', 'mahngebuehr_3') && {
      mahngebuehren: [cents(all.mahngebuehr_1), cents(all.mahngebuehr_2), cents(all.mahngebuehr_3)],
    }),
    // Further tiers are kept.
    ...(given('skonto_tage', 'skonto_prozent') && {
      skonto: [
        ...(all.skonto_tage === ''
          ? []
          : [{ ...tier, tage: Number(all.skonto_tage), prozent: cents(all.skonto_prozent) }]),
        ...others,
      ],
    }),
    ...(given('datev_erloeskonten') && { datev_erloeskonten: accountsOf(all.datev_erloeskonten) }),
    ...(given('datev_skontokonten') && { datev_skontokonten: accountsOf(all.datev_skontokonten) }),
  }
}
const accountsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    accountLines(text).flatMap((line) => {
      const parts = LINE.exec(line)
      return parts ? [[`${parts[1]} ${parts[2]}`, parts[3]!]] : []
    }),
  )
