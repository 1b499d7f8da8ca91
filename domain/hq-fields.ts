// The columns of app.hq (headquarters) and app.kunde_hq (their feature switches), in the order of forms and
// history. How a declaration is read: fields.ts.
import { columnsWith, type Field, type Fields } from './fields.ts'

const OWN = { privacy: 'kunde' } as const
const AREA = {
  ...OWN,
  kind: 'area',
  nullable: true,
  longest: 30,
  atLeast: 0,
  atMost: 999_999.9999,
  decimals: 4,
  unit: 'ha',
  refused: 'Eine Fläche liegt zwischen 0 und 1.000.000 ha.',
} as const
const DATE = { ...OWN, kind: 'date', nullable: true, longest: 30 } as const
const FLAG = { ...OWN, kind: 'boolean', longest: 20 } as const
const STAMP = {
  version: { kind: 'number', privacy: 'other' },
  geaendert_am: { kind: 'moment', privacy: 'other' },
  geaendert_von: { kind: 'line', privacy: 'person', nullable: true },
} as const

export const HQ_FIELDS = {
  idHQ: { ...OWN, kind: 'number' },
  client_id: { ...OWN, kind: 'number', label: 'Kundennummer' },
  sHQ: {
    ...OWN,
    kind: 'line',
    longest: 200,
    label: 'Name',
    input: 'name',
    missing: 'Bitte geben Sie den Namen des Forstbetriebs ein.',
    refused: 'Ein Name hat 1 bis 200 Zeichen und keinen Zeilenumbruch.',
    import: {
      label: 'Forstbetrieb',
      aliases:
        'forstbetrieb forstbetriebname nameforstbetrieb fachbereich betriebsname betrieb shq fb revier',
    },
  },
  /** Whether its people may use it. */
  fb_enabled: {
    ...FLAG,
    label: 'Zugang',
    input: 'access',
    asks: 'Forstbetrieb ist freigeschaltet',
    hint: 'Ohne Freischaltung sehen die Personen dieses Forstbetriebs nur, dass er nicht freigeschaltet ist.',
    initial: true,
    import: {
      label: 'Forstbetrieb aktiv',
      aliases: 'aktiv forstbetriebaktiv fbaktiv fbenabled freigeschaltet',
    },
  },
  /** Date of the forest management plan (Forsteinrichtung). */
  dtFE: {
    ...DATE,
    label: 'FE-Stichtag',
    input: 'plan',
    hint: 'Tag, auf den sich die Forsteinrichtung bezieht.',
    import: {
      label: 'Stichtag Forsteinrichtung',
      aliases:
        'stichtagforsteinrichtung stichtag forsteinrichtung datumforsteinrichtung fedatum datumfe ' +
        'festichtag dtfe einrichtungsstichtag',
    },
  },
  dcFLAEHB: {
    ...AREA,
    label: 'Fläche laut FE',
    input: 'plan',
    hint: 'Betriebsfläche aus der Forsteinrichtung.',
    import: {
      label: 'Fläche (ha)',
      aliases:
        'flaeche flaecheha flaecheinha betriebsflaeche betriebsflaecheha waldflaeche waldflaecheha ' +
        'holzbodenflaeche dcflaehb groesseha hektar ha',
    },
  },
  /** Names of the five levels of a stand's address here; '' for a level that is not used. */
  ebenen: { ...OWN, kind: 'levels', label: 'Ebenen der forstlichen Adresse' },
  ...STAMP,
  /** Set by the database. */
  sortname: { ...OWN, kind: 'line', derived: true },
  suchtext: { ...OWN, kind: 'line', derived: true },
} as const satisfies Fields

export const SWITCH_FIELDS = {
  hqid: { ...OWN, kind: 'number' },
  client_id: { ...OWN, kind: 'number' },
  fe_enabled: {
    ...FLAG,
    label: 'Forsteinrichtung (FE)',
    input: 'fe',
    import: { label: 'Modul FE', aliases: 'fe modulfe feenabled feaktiv fefreigeschaltet' },
  },
  basis_fe_enabled: {
    ...FLAG,
    label: 'Basis-FE',
    input: 'fe',
    import: { label: 'Modul Basis-FE', aliases: 'basisfe modulbasisfe basisfeenabled basisfeaktiv' },
  },
  kawm_enabled: {
    ...FLAG,
    label: 'KAWM',
    input: 'kawm',
    asks: 'KAWM freigeschaltet',
    import: { label: 'Modul KAWM', aliases: 'kawm modulkawm kawmenabled kawmaktiv' },
  },
  kawm_custom_area_enabled: {
    ...OWN,
    kind: 'boolean',
    label: 'Abweichende KAWM-Fläche',
    input: 'kawm',
    hint: 'Der Bescheid gilt für eine andere Fläche als die des ganzen Forstbetriebs.',
  },
  kawm_area: {
    ...AREA,
    label: 'KAWM-Fläche',
    input: 'kawm',
    list: 'kawm_area',
    import: {
      label: 'KAWM-Fläche (ha)',
      aliases: 'kawmflaeche kawmflaecheha kawmarea foerderflaeche foerderflaecheha',
    },
  },
  kawm_approval_date: {
    ...DATE,
    label: 'KAWM bewilligt am',
    input: 'kawm',
    list: 'kawm_date',
    hint: 'Datum des Bescheids.',
    import: {
      label: 'KAWM-Bewilligung',
      aliases:
        'kawmbewilligung kawmbewilligungvom kawmbewilligungsdatum bewilligungsdatum bewilligung ' +
        'kawmapprovaldate bescheiddatum zuwendungsbescheid',
    },
  },
  ...STAMP,
} as const satisfies Fields

/** Columns that people type in, in the order of conflict dialog and history. */
export const HQ_INPUTS = columnsWith(HQ_FIELDS, 'input')
export const SWITCH_INPUTS = columnsWith(SWITCH_FIELDS, 'input')
export type HqField = (typeof HQ_INPUTS)[number]
export type SwitchField = (typeof SWITCH_INPUTS)[number]
/** Of either table: no input has the same name in both. */
export const hqField = (column: HqField | SwitchField): Field => ({ ...HQ_FIELDS, ...SWITCH_FIELDS })[column]
