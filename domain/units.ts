// Units as people type them, with their codes of UN/ECE recommendation 20, which the e-invoice requires
// (BT-130). The hectare is H18: the official rules refuse HAR.

export interface Unit {
  readonly code: string
  /** As offered and printed. */
  readonly name: string
  /** Other spellings, folded (foldUnit). */
  readonly aliases: readonly string[]
}

export const UNITS: readonly Unit[] = [
  {
    code: 'HUR',
    name: 'Std',
    aliases: ['stunde', 'stunden', 'h', 'arbeitsstunde', 'arbeitsstunden', 'hour', 'hours'],
  },
  { code: 'MIN', name: 'min', aliases: ['minute', 'minuten'] },
  {
    code: 'DAY',
    name: 'Tag',
    aliases: [
      'tage',
      'd',
      'at',
      'arbeitstag',
      'arbeitstage',
      'pt',
      'personentag',
      'personentage',
      'tagewerk',
      'tagessatz',
      'manntag',
      'manntage',
    ],
  },
  { code: 'WEE', name: 'Woche', aliases: ['wochen', 'wo'] },
  { code: 'MON', name: 'Monat', aliases: ['monate', 'mon'] },
  { code: 'QAN', name: 'Quartal', aliases: ['quartale'] },
  { code: 'ANN', name: 'Jahr', aliases: ['jahre'] },
  { code: 'H18', name: 'ha', aliases: ['hektar', 'hektare'] },
  { code: 'ARE', name: 'a', aliases: ['ar', 'are'] },
  {
    code: 'MTR',
    name: 'm',
    aliases: [
      'meter',
      'lfm',
      'lfdm',
      'lfd m',
      'lm',
      'laufmeter',
      'laufende meter',
      'laufender meter',
      'trm',
      'trassenmeter',
    ],
  },
  { code: 'KMT', name: 'km', aliases: ['kilometer', 'lfkm', 'fahrkilometer'] },
  { code: 'CMT', name: 'cm', aliases: ['zentimeter'] },
  { code: 'MMT', name: 'mm', aliases: ['millimeter'] },
  { code: 'MTK', name: 'm²', aliases: ['qm', 'quadratmeter'] },
  { code: 'KMK', name: 'km²', aliases: ['qkm', 'quadratkilometer'] },
  // Also solid and stacked wood: the recommendation's stere is a cubic metre.
  {
    code: 'MTQ',
    name: 'm³',
    aliases: [
      'cbm',
      'kubikmeter',
      'fm',
      'efm',
      'vfm',
      'festmeter',
      'erntefestmeter',
      'vorratsfestmeter',
      'rm',
      'raummeter',
      'ster',
      'srm',
      'schüttraummeter',
    ],
  },
  { code: 'LTR', name: 'l', aliases: ['liter', 'ltr'] },
  { code: 'GRM', name: 'g', aliases: ['gramm'] },
  { code: 'KGM', name: 'kg', aliases: ['kilo', 'kilogramm'] },
  { code: 'DTN', name: 'dt', aliases: ['dezitonne', 'dezitonnen', 'doppelzentner', 'dz'] },
  { code: 'TNE', name: 't', aliases: ['to', 'tonne', 'tonnen'] },
  {
    code: 'H87',
    name: 'Stk',
    aliases: [
      'stück',
      'stueck',
      'stck',
      'st',
      'pcs',
      'stücke',
      'baum',
      'bäume',
      'pflanze',
      'pflanzen',
      'punkt',
      'punkte',
      'karte',
      'karten',
      'plan',
      'pläne',
      'blatt',
      'schacht',
      'schächte',
      'objekt',
      'objekte',
      'exemplar',
      'exemplare',
      'ex',
      'anzahl',
    ],
  },
  { code: 'LS', name: 'psch', aliases: ['pauschal', 'pauschale', 'pausch', 'pa', 'pschl', 'pau'] },
  { code: 'SET', name: 'Satz', aliases: ['sätze', 'set'] },
  { code: 'PR', name: 'Paar', aliases: ['paare'] },
  { code: 'P1', name: '%', aliases: ['prozent', 'vh', 'v h'] },
  { code: 'KWH', name: 'kWh', aliases: ['kilowattstunde', 'kilowattstunden'] },
  {
    code: 'C62',
    name: 'Einheit',
    aliases: ['einheiten', 'eh', 'le', 'leistungseinheit', 'leistungseinheiten', 'x'],
  },
]

/**
 * Lower case, no points, single blanks, plain instead of superscript digits: "Lfd. m" is "lfd m", "m ²" is
 * "m2".
 */
const foldUnit = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll('²', '2')
    .replaceAll('³', '3')
    .replaceAll('^', '')
    .replaceAll('.', ' ')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .trim()
    .replaceAll(/ (?=[23]$)/g, '')

const CODES: ReadonlyMap<string, string> = new Map(
  UNITS.flatMap(({ code, name, aliases }) =>
    [foldUnit(name), ...aliases].map((text): [string, string] => [text, code]),
  ),
)
const OWN_CODES: ReadonlySet<string> = new Set(UNITS.map(({ code }) => code))

/** "one", the code sent for an unknown unit. */
export const UNKNOWN_UNIT = 'C62'

export interface UnitCode {
  readonly code: string
  /** False: sent as C62, so the code does not tell the recipient the unit. */
  readonly bekannt: boolean
}

/** Also accepts a code itself, in capital letters. */
export function unitCode(text: string): UnitCode {
  const code = OWN_CODES.has(text.trim()) ? text.trim() : CODES.get(foldUnit(text))
  return code === undefined ? { code: UNKNOWN_UNIT, bekannt: false } : { code, bekannt: true }
}
