// Countries: their German names, how their postcodes are written and where these stand in an address. Countries
// without an entry in POSTCODES take any line. SQL has the same forms (checks.is_postcode, checks.is_country);
// both are tested with country.cases.json.

/** ISO 3166-1 alpha-2, as the code list of the e-invoice has them (BR-CL-14). */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
const COUNTRIES: ReadonlySet<string> = new Set(CODES.split(' '))
export const isCountry = (code: string): boolean => COUNTRIES.has(code)

/** Taxed as a part of the EU; Monaco belongs to France (§ 1 (2a) sentence 2 UStG). */
const EU: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' '),
)
export const isEuCountry = (code: string): boolean => EU.has(code)

/** Where German is read; people elsewhere get English words beside it. */
const GERMAN: ReadonlySet<string> = new Set(['DE', 'AT', 'CH', 'LI', 'LU', 'BE'])
export const readsGerman = (code: string): boolean => GERMAN.has(code)

interface Postcode {
  /** With blanks as people write them, or without. */
  readonly form: RegExp
  readonly example: string
}
const POSTCODES: Readonly<Record<string, Postcode>> = {
  AT: { form: /^[1-9]\d{3}$/, example: '1010' },
  BE: { form: /^[1-9]\d{3}$/, example: '1000' },
  BG: { form: /^[1-9]\d{3}$/, example: '1000' },
  CA: { form: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, example: 'K1A 0B1' },
  CH: { form: /^[1-9]\d{3}$/, example: '8001' },
  CZ: { form: /^\d{3} ?\d{2}$/, example: '110 00' },
  DE: { form: /^\d{5}$/, example: '01067' },
  DK: { form: /^\d{4}$/, example: '1050' },
  EE: { form: /^\d{5}$/, example: '10111' },
  ES: { form: /^\d{5}$/, example: '28001' },
  FI: { form: /^\d{5}$/, example: '00100' },
  FR: { form: /^\d{5}$/, example: '75001' },
  GB: { form: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, example: 'SW1A 1AA' },
  GR: { form: /^\d{3} ?\d{2}$/, example: '105 57' },
  HR: { form: /^\d{5}$/, example: '10000' },
  HU: { form: /^[1-9]\d{3}$/, example: '1011' },
  IT: { form: /^\d{5}$/, example: '39100' },
  LI: { form: /^9\d{3}$/, example: '9490' },
  LT: { form: /^(?:LT-)?\d{5}$/, example: '01100' },
  LU: { form: /^\d{4}$/, example: '1009' },
  LV: { form: /^(?:LV-)?\d{4}$/, example: 'LV-1010' },
  MC: { form: /^980\d{2}$/, example: '98000' },
  NL: { form: /^[1-9]\d{3} ?[A-Z]{2}$/, example: '1012 AB' },
  NO: { form: /^\d{4}$/, example: '0150' },
  PL: { form: /^\d{2}-\d{3}$/, example: '00-001' },
  PT: { form: /^\d{4}-\d{3}$/, example: '1000-001' },
  RO: { form: /^\d{6}$/, example: '010011' },
  SE: { form: /^\d{3} ?\d{2}$/, example: '111 20' },
  SI: { form: /^[1-9]\d{3}$/, example: '1000' },
  SK: { form: /^\d{3} ?\d{2}$/, example: '811 01' },
  US: { form: /^\d{5}(?:-\d{4})?$/, example: '10001' },
}

/** Their posts have no codes (Universal Postal Union), or ones that hardly anybody writes in an address. */
const NO_POSTCODES: ReadonlySet<string> = new Set(
  (
    'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GD GH GM GQ GY HK JM KI KM KN ' +
    'KP ML MO MR NR PA QA RW SB SC SL SR ST SX SY TG TO TV UG VU YE ZW'
  ).split(' '),
)

/** A right postcode of the country; null for one whose form is not known. */
export const postcodeExample = (country: string): string | null =>
  Object.hasOwn(POSTCODES, country) ? POSTCODES[country]!.example : null

/** Characters before the last blank of a postcode that has one, counted from its end. */
const LAST_PART: Readonly<Record<string, number>> = { CA: 3, CZ: 2, GB: 3, GR: 2, NL: 2, SE: 2, SK: 2 }

/** As the country writes it: '1234ab' in the Netherlands is '1234 AB'. Elsewhere only the edges are trimmed. */
export function normalizePostcode(country: string, text: string): string {
  const typed = text.trim()
  if (postcodeExample(country) === null) return typed
  const bare = typed.toUpperCase().replaceAll(/[\s\u00A0]+/g, '')
  const last = LAST_PART[country]
  const set = last === undefined ? bare : `${bare.slice(0, -last)} ${bare.slice(-last)}`
  return POSTCODES[country]!.form.test(set) ? set : typed
}

/** Nothing is one where the country has none; what somebody writes there all the same is taken. */
export function isPostcode(country: string, text: string): boolean {
  if (text === '') return NO_POSTCODES.has(country)
  return postcodeExample(country) === null ? [...text].length <= 12 : POSTCODES[country]!.form.test(text)
}

const NAMES = new Intl.DisplayNames(['de'], { type: 'region', fallback: 'none' })
export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code

/** Where most customers come from; lists of countries begin with them. */
const NEIGHBOURS = 'DE AT CH BE CZ DK FR IT LU NL PL'.split(' ')
/** Neighbours first, then by name. */
export function countryList(): readonly { readonly code: string; readonly name: string }[] {
  const all = CODES.split(' ').map((code) => ({ code, name: countryName(code) }))
  const rank = ({ code }: { code: string }) => (NEIGHBOURS.includes(code) ? NEIGHBOURS.indexOf(code) : 99)
  return all.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'de'))
}

const BY_NAME = new Map<string, string>()
/** 'Österreich', 'AT' and 'A' are AT; null for anything else. */
export function parseCountry(text: string): string | null {
  const typed = text.trim()
  const code = typed.toUpperCase()
  if (isCountry(code)) return code
  if (BY_NAME.size === 0) {
    for (const one of countryList()) BY_NAME.set(one.name.toLowerCase(), one.code)
    // Signs of vehicles that letters still have, and short names.
    for (const [word, of] of Object.entries({ a: 'AT', d: 'DE', f: 'FR', i: 'IT', l: 'LU', b: 'BE' }))
      BY_NAME.set(word, of)
    for (const [word, of] of Object.entries({ 'tschechische republik': 'CZ', holland: 'NL', usa: 'US' }))
      BY_NAME.set(word, of)
    BY_NAME.set('großbritannien', 'GB').set('england', 'GB')
  }
  return BY_NAME.get(typed.toLowerCase()) ?? null
}

interface PlaceOf {
  readonly plz: string
  readonly ort: string
  readonly land: string
}
/** Below the town (British and Irish post), or behind it. Everywhere else the postcode comes before the town. */
const BELOW = new Set(['GB', 'IE', 'GG', 'JE', 'IM', 'GI'])
const BEHIND = new Set(['US', 'CA', 'AU', 'NZ', 'LV'])

/** Postcode and town as the country's post writes them: one line or two. */
export function placeLines({ plz, ort, land }: PlaceOf): string[] {
  const code = normalizePostcode(land, plz)
  if (code === '') return [ort]
  if (BELOW.has(land)) return [ort, code]
  if (land === 'LV') return [`${ort}, ${code.startsWith('LV-') ? code : `LV-${code}`}`]
  if (BEHIND.has(land)) return [`${ort} ${code}`]
  // Dutch post wants two blanks; one of them non-breaking, because runs of blanks are closed up on paper.
  return [`${code}${land === 'NL' ? '\u00A0 ' : ' '}${ort}`]
}
/** The same on one line. */
export const placeLine = (place: PlaceOf): string => placeLines(place).join(', ')

/** Capitals, as the postal service requires below a foreign address; empty at home. */
export const countryLine = (land: string): string =>
  land === '' || land === 'DE' ? '' : countryName(land).toLocaleUpperCase('de')
