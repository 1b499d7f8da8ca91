// What an import file may contain: the fields of a customer and of its headquarters, the column headings
// people use, and the column mapping.

interface Field {
  /** Whether the field belongs to the customer or to the headquarters in the row. */
  readonly of: 'kunde' | 'hq'
  readonly label: string
  readonly kind: 'line' | 'phone' | 'plz' | 'land' | 'epsg' | 'gender' | 'boolean' | 'date' | 'area'
  /** Characters */
  readonly longest: number
  readonly required?: boolean
  /** Headings people use, folded by foldHeader. */
  readonly aliases: string
}

export const FIELDS = {
  name: {
    of: 'kunde',
    label: 'Name des Kunden',
    kind: 'line',
    longest: 200,
    required: true,
    aliases:
      'name kunde kundenname firma firmenname waldbesitzer eigentuemer besitzer organisation name1 auftraggeber',
  },
  name_zusatz: {
    of: 'kunde',
    label: 'Namenszusatz',
    kind: 'line',
    longest: 200,
    aliases: 'namenszusatz namezusatz zusatz name2 abteilung adresszusatz',
  },
  strasse: {
    of: 'kunde',
    label: 'Straße',
    kind: 'line',
    longest: 200,
    required: true,
    aliases:
      'strasse strassehausnummer strasseundhausnummer strassenr strasseundnr strassehausnr str anschrift adresse',
  },
  hausnummer: {
    of: 'kunde',
    label: 'Hausnummer',
    kind: 'line',
    longest: 20,
    aliases: 'hausnummer hausnr nr hnr',
  },
  plz: { of: 'kunde', label: 'PLZ', kind: 'plz', longest: 5, required: true, aliases: 'plz postleitzahl' },
  ort: {
    of: 'kunde',
    label: 'Ort',
    kind: 'line',
    longest: 200,
    required: true,
    aliases: 'ort stadt wohnort ortsname',
  },
  bundesland: { of: 'kunde', label: 'Bundesland', kind: 'land', longest: 50, aliases: 'bundesland land' },
  epsg: {
    of: 'kunde',
    label: 'Koordinatensystem (EPSG)',
    kind: 'epsg',
    longest: 50,
    aliases: 'epsg epsgcode koordinatensystem bezugssystem lagebezug lagebezugssystem',
  },
  ap_gender: {
    of: 'kunde',
    label: 'Anrede (Ansprechpartner)',
    kind: 'gender',
    longest: 20,
    aliases: 'anrede anredeansprechpartner ansprechpartneranrede apanrede apgender geschlecht',
  },
  ap_vorname: {
    of: 'kunde',
    label: 'Vorname (Ansprechpartner)',
    kind: 'line',
    longest: 100,
    aliases: 'vorname vornameansprechpartner ansprechpartnervorname apvorname',
  },
  ap_nachname: {
    of: 'kunde',
    label: 'Nachname (Ansprechpartner)',
    kind: 'line',
    longest: 100,
    aliases:
      'nachname nachnameansprechpartner ansprechpartnernachname ansprechpartner apnachname familienname kontakt',
  },
  ap_tel: {
    of: 'kunde',
    label: 'Telefon',
    kind: 'phone',
    longest: 40,
    aliases: 'telefon tel telefonnummer telnr aptel rufnummer telefonansprechpartner mobil handy',
  },
  sHQ: {
    of: 'hq',
    label: 'Forstbetrieb',
    kind: 'line',
    longest: 200,
    aliases: 'forstbetrieb forstbetriebname nameforstbetrieb fachbereich betriebsname betrieb shq fb revier',
  },
  fb_enabled: {
    of: 'hq',
    label: 'Forstbetrieb aktiv',
    kind: 'boolean',
    longest: 20,
    aliases: 'aktiv forstbetriebaktiv fbaktiv fbenabled freigeschaltet',
  },
  dtFE: {
    of: 'hq',
    label: 'Stichtag Forsteinrichtung',
    kind: 'date',
    longest: 30,
    aliases:
      'stichtagforsteinrichtung stichtag forsteinrichtung datumforsteinrichtung fedatum datumfe festichtag dtfe einrichtungsstichtag',
  },
  dcFLAEHB: {
    of: 'hq',
    label: 'Fläche (ha)',
    kind: 'area',
    longest: 30,
    aliases:
      'flaeche flaecheha flaecheinha betriebsflaeche betriebsflaecheha waldflaeche waldflaecheha holzbodenflaeche dcflaehb groesseha hektar ha',
  },
  fe_enabled: {
    of: 'hq',
    label: 'Modul FE',
    kind: 'boolean',
    longest: 20,
    aliases: 'fe modulfe feenabled feaktiv fefreigeschaltet',
  },
  basis_fe_enabled: {
    of: 'hq',
    label: 'Modul Basis-FE',
    kind: 'boolean',
    longest: 20,
    aliases: 'basisfe modulbasisfe basisfeenabled basisfeaktiv',
  },
  kawm_enabled: {
    of: 'hq',
    label: 'Modul KAWM',
    kind: 'boolean',
    longest: 20,
    aliases: 'kawm modulkawm kawmenabled kawmaktiv',
  },
  kawm_area: {
    of: 'hq',
    label: 'KAWM-Fläche (ha)',
    kind: 'area',
    longest: 30,
    aliases: 'kawmflaeche kawmflaecheha kawmarea foerderflaeche foerderflaecheha',
  },
  kawm_approval_date: {
    of: 'hq',
    label: 'KAWM-Bewilligung',
    kind: 'date',
    longest: 30,
    aliases:
      'kawmbewilligung kawmbewilligungvom kawmbewilligungsdatum bewilligungsdatum bewilligung kawmapprovaldate bescheiddatum zuwendungsbescheid',
  },
} as const satisfies Record<string, Field>

export type FieldKey = keyof typeof FIELDS
export const FIELD_KEYS = Object.keys(FIELDS) as FieldKey[]
export const fieldOf = (key: FieldKey): Field => FIELDS[key]

/** Column by column: the field it contains, or null if it is ignored. */
export type Mapping = readonly (FieldKey | null)[]

/** 'Straße / Haus-Nr.' → 'strassehausnr': spelling differences do not make another heading. */
export function foldHeader(header: string): string {
  return header
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '')
}

const BY_ALIAS: ReadonlyMap<string, FieldKey> = new Map(
  FIELD_KEYS.flatMap((key) =>
    [key.toLowerCase().replace(/_/g, ''), ...FIELDS[key].aliases.split(' ')].map(
      (alias) => [alias, key] as const,
    ),
  ),
)

/**
 * The mapping that the headings suggest. Each field is assigned once: to the heading that names it exactly,
 * otherwise to one that starts with its name.
 */
export function proposeMapping(headers: readonly string[]): Mapping {
  const folded = headers.map(foldHeader)
  const mapping: (FieldKey | null)[] = folded.map(() => null)
  const free = (key: FieldKey) => !mapping.includes(key)
  folded.forEach((header, column) => {
    const key = BY_ALIAS.get(header)
    if (key && free(key)) mapping[column] = key
  })
  folded.forEach((header, column) => {
    if (mapping[column] !== null) return
    // Longest alias first: 'kawmflaechebewilligt' is the KAWM area and not the module.
    const alias = [...BY_ALIAS.keys()]
      .filter((known) => known.length >= 4 && header.startsWith(known))
      .toSorted((a, b) => b.length - a.length)[0]
    const key = alias === undefined ? undefined : BY_ALIAS.get(alias)
    if (key && free(key)) mapping[column] = key
  })
  return mapping
}

const KEY_COLUMNS = 60
const KEY_LENGTH = 30

/** Names of the columns, with numbers that distinguish identical headings ('Telefon', 'Telefon'). */
function columnNames(headers: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return headers.slice(0, KEY_COLUMNS).map((header) => {
    const name = foldHeader(header).slice(0, KEY_LENGTH)
    const nr = (seen.get(name) ?? 0) + 1
    seen.set(name, nr)
    return nr === 1 ? name : `${name}#${nr}`
  })
}

/** Key under which a mapping is remembered: the set of headings, in any order. */
export const headerKey = (headers: readonly string[]): string => columnNames(headers).toSorted().join('|')

/** A remembered mapping: heading → field. */
export type SavedMapping = Readonly<Record<string, FieldKey>>

export function saveMapping(headers: readonly string[], mapping: Mapping): SavedMapping {
  return Object.fromEntries(
    columnNames(headers).flatMap((name, column) => (mapping[column] ? [[name, mapping[column]]] : [])),
  )
}

/** A remembered mapping is checked again, because fields come and go between versions. */
export function restoreMapping(
  headers: readonly string[],
  saved: Readonly<Record<string, unknown>>,
): Mapping {
  const taken = new Set<FieldKey>()
  const names = columnNames(headers)
  return headers.map((_, column) => {
    const name = names[column]
    const key = FIELD_KEYS.find(
      (field) => name !== undefined && Object.hasOwn(saved, name) && field === saved[name],
    )
    if (key === undefined || taken.has(key)) return null
    taken.add(key)
    return key
  })
}

/** Required fields that no column is mapped to. */
export const missingFields = (mapping: Mapping): FieldKey[] =>
  FIELD_KEYS.filter((key) => fieldOf(key).required && !mapping.includes(key))
