// The columns of app.habitatbaeume, in the order of files; forms and history have them by group (TREE_GROUPS).
// How a declaration is read: fields.ts.
import { columnsWith, type Field, type Fields } from './fields.ts'
import { FIX, LOSS, MARK, METHOD, STATE, STATUS } from './habitat/choices.ts'

const OWN = { privacy: 'kunde' } as const
const LINE = { ...OWN, kind: 'line', nullable: true } as const
const CHOICE = { ...OWN, kind: 'choice', longest: 100 } as const
const DATE = { ...OWN, kind: 'date' } as const
const AMOUNT = { ...OWN, kind: 'amount', nullable: true } as const
const PERSON = { kind: 'line', privacy: 'person', nullable: true } as const
const LEVEL = { ...LINE, longest: 60, input: 'address', bulk: true } as const

export const HABITATBAUM_FIELDS = {
  id: { ...OWN, kind: 'number' },
  /** UUID made by the recording device; the server makes one if none is sent. */
  kennung: {
    ...OWN,
    kind: 'uuid',
    longest: 36,
    label: 'Kennung',
    import: { label: 'Kennung (aus unserem Export)', aliases: 'kennung uuid guid globalid' },
  },
  client_id: { ...OWN, kind: 'number' },
  idHQ: { ...OWN, kind: 'number' },
  nummer: {
    ...LINE,
    longest: 40,
    label: 'Nummer',
    input: 'tree',
    hint: 'Wie sie am Baum steht, zum Beispiel auf der Plakette.',
    import: {
      aliases: 'nummer baumnummer baumnr nr plakette plakettennummer plakettennr lfdnr id name',
    },
  },
  art: {
    ...OWN,
    kind: 'species',
    longest: 100,
    label: 'Baumart',
    input: 'tree',
    missing: 'Bitte wählen Sie die Baumart.',
    bulk: true,
    import: { aliases: 'art baumart ba artcode species' },
  },
  /** The species in words, required with 'sonstige'. */
  art_text: {
    ...LINE,
    longest: 100,
    label: 'Baumart in Worten',
    input: 'tree',
    bulk: true,
    import: { aliases: 'arttext artfrei artname' },
  },
  bhd_cm: {
    ...AMOUNT,
    atLeast: 0.1,
    atMost: 500,
    decimals: 1,
    unit: 'cm',
    longest: 7,
    label: 'BHD',
    input: 'tree',
    hint: 'Durchmesser in Brusthöhe',
    refused: 'Bitte Zentimeter von 0,1 bis 500 mit höchstens einer Nachkommastelle.',
    import: { aliases: 'bhdcm bhd durchmesser brusthoehendurchmesser dbh d13' },
  },
  hoehe_m: {
    ...AMOUNT,
    atLeast: 0.1,
    atMost: 80,
    decimals: 1,
    unit: 'm',
    longest: 6,
    label: 'Höhe',
    input: 'tree',
    refused: 'Bitte Meter von 0,1 bis 80 mit höchstens einer Nachkommastelle.',
    import: { aliases: 'hoehem hoehe baumhoehe height' },
  },
  zustand: {
    ...CHOICE,
    choices: STATE,
    label: 'Zustand',
    input: 'tree',
    initial: 'lebend',
    bulk: true,
    import: { aliases: 'zustand vitalitaet condition' },
  },
  status: {
    ...CHOICE,
    choices: STATUS,
    label: 'Status',
    input: 'tree',
    initial: 'baum',
    bulk: true,
    import: { aliases: 'status kategorie typ' },
  },
  strukturen: {
    ...OWN,
    kind: 'structures',
    longest: 500,
    label: 'Strukturen',
    input: 'structures',
    wide: true,
    import: { aliases: 'strukturen struktur mikrohabitate mikrohabitat trems merkmale' },
  },
  /** |1.1|7.1|: all structure codes. */
  struktur_suche: { ...OWN, kind: 'line', derived: true },
  markierung_art: {
    ...CHOICE,
    choices: MARK,
    nullable: true,
    label: 'Markierung',
    input: 'mark',
    empty: 'nicht markiert',
    bulk: true,
    import: {
      aliases: 'markierungart markierung markiert kennzeichnung marking',
      none: 'nein keine 0 false falsch ohne no',
    },
  },
  markierung_datum: {
    ...DATE,
    nullable: true,
    label: 'Markiert am',
    input: 'mark',
    bulk: true,
    import: { aliases: 'markierungdatum markiertam markierungam datummarkierung' },
  },
  erfasst_am: {
    ...DATE,
    label: 'Erfasst am',
    input: 'capture',
    missing: 'Diese Angabe fehlt.',
    import: { aliases: 'erfasstam erfassungsdatum datum aufnahmedatum aufgenommenam date' },
  },
  erfasser: {
    ...PERSON,
    longest: 200,
    label: 'Erfasst von',
    input: 'capture',
    bulk: true,
    import: { aliases: 'erfasser bearbeiter aufgenommenvon kartierer recorder' },
  },
  lat: {
    ...OWN,
    kind: 'degrees',
    atLeast: 45,
    atMost: 57,
    unit: '°N',
    longest: 20,
    label: 'Breite',
    input: 'place',
    missing: 'Diese Angabe fehlt. Tippen Sie auf die Karte oder geben Sie Grad ein.',
    refused: 'Die Breite liegt hier zwischen 45 und 57 Grad. Vielleicht sind Länge und Breite vertauscht.',
  },
  lon: {
    ...OWN,
    kind: 'degrees',
    atLeast: 3,
    atMost: 18,
    unit: '°O',
    longest: 20,
    label: 'Länge',
    input: 'place',
    missing: 'Diese Angabe fehlt. Tippen Sie auf die Karte oder geben Sie Grad ein.',
    refused: 'Die Länge liegt hier zwischen 3 und 18 Grad. Vielleicht sind Länge und Breite vertauscht.',
  },
  genauigkeit_m: {
    ...AMOUNT,
    atLeast: 0,
    atMost: 99_999.99,
    decimals: 2,
    unit: 'm',
    longest: 9,
    label: 'Genauigkeit',
    input: 'place',
    refused: 'Bitte Meter ab 0, zum Beispiel 2,5.',
    import: { aliases: 'genauigkeitm genauigkeit accuracy' },
  },
  lage_methode: {
    ...CHOICE,
    choices: METHOD,
    label: 'Lage bestimmt',
    input: 'place',
    initial: 'karte',
    import: { aliases: 'lagemethode methode lagequelle' },
  },
  /** By the receiver's own clock; kept from its fix, not typed. */
  lage_zeit: {
    ...OWN,
    kind: 'moment',
    nullable: true,
    longest: 40,
    label: 'Lage gemessen am',
    input: 'place',
  },
  /** The receiver's kind of solution; null: measured by another one than NMEA's, or not at all. Not typed. */
  lage_fix: {
    ...CHOICE,
    choices: FIX,
    nullable: true,
    label: 'GNSS-Lösung',
    input: 'place',
    empty: 'nicht bekannt',
    import: { aliases: 'lagefix fixtyp fixtype fix loesung loesungsart' },
  },
  /** Made from HDOP, because the receiver states none. Not typed. */
  genauigkeit_geschaetzt: {
    ...OWN,
    kind: 'boolean',
    label: 'Genauigkeit geschätzt',
    input: 'place',
    initial: false,
    import: { aliases: 'genauigkeitgeschaetzt' },
  },
  /** The place as degrees and in web mercator. */
  lage: { ...OWN, kind: 'point', derived: true },
  g3857: { kind: 'point', privacy: 'other', derived: true },
  sLVL01: { ...LEVEL, import: { aliases: 'slvl01 forstamt betrieb' } },
  sLVL02: { ...LEVEL, import: { aliases: 'slvl02 revier distrikt' } },
  sLVL03: { ...LEVEL, import: { aliases: 'slvl03 abteilung abt jagen' } },
  sLVL04: { ...LEVEL, import: { aliases: 'slvl04 unterabteilung uabt' } },
  sLVL05: { ...LEVEL, import: { aliases: 'slvl05 teilflaeche tfl' } },
  iSTAND: {
    ...OWN,
    kind: 'number',
    nullable: true,
    atLeast: 0,
    atMost: 1_000_000,
    decimals: 0,
    longest: 9,
    label: 'Bestandsnummer',
    input: 'address',
    refused: 'Bitte eine ganze Zahl von 0 bis 1.000.000.',
    bulk: true,
    import: { aliases: 'istand bestand bestandsnummer bestandnr' },
  },
  bemerkung: {
    ...OWN,
    kind: 'text',
    nullable: true,
    longest: 2000,
    label: 'Bemerkung',
    input: 'remark',
    wide: true,
    list: 'bemerkung',
    import: { aliases: 'bemerkung bemerkungen notiz kommentar anmerkung remark' },
  },
  /** Both or neither. */
  verlust_datum: {
    ...DATE,
    nullable: true,
    label: 'Verloren am',
    input: 'loss',
    bulk: true,
    import: { aliases: 'verlustdatum verlustam abgangam abgang' },
  },
  verlust_grund: {
    ...CHOICE,
    choices: LOSS,
    nullable: true,
    label: 'Grund des Verlusts',
    input: 'loss',
    empty: 'steht noch',
    bulk: true,
    import: { aliases: 'verlustgrund abgangsgrund grund' },
  },
  /** Counts towards the subsidy. */
  kawm: {
    ...OWN,
    kind: 'boolean',
    label: 'Zählt für die Förderung (KAWM)',
    input: 'capture',
    wide: true,
    initial: true,
    bulk: true,
    import: { aliases: 'kawm foerderung foerderfaehig' },
  },
  angelegt_am: { ...OWN, kind: 'moment' },
  angelegt_von: PERSON,
  version: { kind: 'number', privacy: 'other' },
  geaendert_am: { kind: 'moment', privacy: 'other' },
  geaendert_von: PERSON,
  sortname: { ...OWN, kind: 'line', derived: true },
  suchtext: { ...OWN, kind: 'line', derived: true },
} as const satisfies Fields

const INPUTS = columnsWith(HABITATBAUM_FIELDS, 'input')
export type TreeField = (typeof INPUTS)[number]
export const treeField = (column: TreeField): Field => HABITATBAUM_FIELDS[column]

export type TreeGroup = (typeof HABITATBAUM_FIELDS)[TreeField]['input']
const TREE_GROUPS: readonly TreeGroup[] = [
  'tree',
  'structures',
  'mark',
  'place',
  'address',
  'capture',
  'remark',
  'loss',
]
export const treeInputsOf = (group: TreeGroup): readonly TreeField[] =>
  INPUTS.filter((column) => HABITATBAUM_FIELDS[column].input === group)
/** Levels of the forest address, named by the holding. */
export const LEVEL_FIELDS = ['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05'] as const
/** Columns that people type in, in the order of the form. */
export const TREE_INPUTS: readonly TreeField[] = TREE_GROUPS.flatMap(treeInputsOf)
