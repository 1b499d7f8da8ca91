// The columns of app.kunde, in the order of forms and history. How a declaration is read: fields.ts.
import { columnsWith, type Field, type Fields } from './fields.ts'

const CONTACT = {
  privacy: 'person',
  nullable: true,
  input: 'contact',
  changedBy: ['kundenadmin'],
} as const

export const KUNDE_FIELDS = {
  client_id: { kind: 'number', privacy: 'kunde', label: 'Kundennummer' },
  /** What the rest of an address has depends on it. */
  land: {
    kind: 'country',
    privacy: 'kunde',
    longest: 2,
    label: 'Land',
    input: 'address',
    initial: 'DE',
    import: { aliases: 'staat country' },
  },
  name: {
    kind: 'line',
    privacy: 'kunde',
    longest: 200,
    label: 'Name',
    input: 'address',
    wide: true,
    missing: 'Bitte geben Sie den Namen des Kunden ein.',
    refused: 'Ein Name hat 1 bis 200 Zeichen und keinen Zeilenumbruch.',
    import: {
      label: 'Name des Kunden',
      aliases:
        'name kunde kundenname firma firmenname waldbesitzer eigentuemer besitzer organisation name1 auftraggeber',
    },
  },
  name_zusatz: {
    kind: 'line',
    privacy: 'kunde',
    nullable: true,
    longest: 200,
    label: 'Namenszusatz',
    input: 'address',
    wide: true,
    import: { aliases: 'namenszusatz namezusatz zusatz name2 abteilung adresszusatz' },
  },
  strasse: {
    kind: 'line',
    privacy: 'kunde',
    longest: 200,
    label: 'Straße und Hausnummer',
    input: 'address',
    wide: true,
    missing: 'Bitte geben Sie Straße und Hausnummer ein.',
    refused: 'Straße und Hausnummer haben 1 bis 200 Zeichen und keinen Zeilenumbruch.',
    import: {
      label: 'Straße',
      aliases:
        'strasse strassehausnummer strasseundhausnummer strassenr strasseundnr strassehausnr str anschrift adresse',
    },
  },
  plz: {
    kind: 'plz',
    privacy: 'kunde',
    longest: 12,
    label: 'PLZ',
    input: 'address',
    missing: 'Bitte die PLZ angeben.',
    refused: 'Passt nicht zum Land.',
    import: { aliases: 'plz postleitzahl' },
  },
  ort: {
    kind: 'line',
    privacy: 'kunde',
    longest: 200,
    label: 'Ort',
    input: 'address',
    missing: 'Bitte geben Sie den Ort ein.',
    refused: 'Ein Ort hat 1 bis 200 Zeichen und keinen Zeilenumbruch.',
    import: { aliases: 'ort stadt wohnort ortsname' },
  },
  bundesland: {
    kind: 'land',
    privacy: 'kunde',
    nullable: true,
    longest: 50,
    label: 'Bundesland',
    input: 'address',
    refused: 'Bitte wählen Sie ein Bundesland der Liste.',
    changedBy: ['apus_team'],
    import: { aliases: 'bundesland land' },
  },
  ap_gender: {
    ...CONTACT,
    kind: 'gender',
    longest: 20,
    label: 'Anrede',
    import: {
      label: 'Anrede (Ansprechpartner)',
      aliases: 'anrede anredeansprechpartner ansprechpartneranrede apanrede apgender geschlecht',
    },
  },
  ap_vorname: {
    ...CONTACT,
    kind: 'line',
    longest: 100,
    label: 'Vorname',
    import: {
      label: 'Vorname (Ansprechpartner)',
      aliases: 'vorname vornameansprechpartner ansprechpartnervorname apvorname',
    },
  },
  ap_nachname: {
    ...CONTACT,
    kind: 'line',
    longest: 100,
    label: 'Nachname',
    import: {
      label: 'Nachname (Ansprechpartner)',
      aliases:
        'nachname nachnameansprechpartner ansprechpartnernachname ansprechpartner apnachname familienname kontakt',
    },
  },
  ap_tel: {
    ...CONTACT,
    kind: 'phone',
    longest: 40,
    label: 'Telefon',
    refused: 'Bitte 3 bis 40 Zeichen: Ziffern, Leerzeichen und + ( ) / . -',
    list: 'telefon',
    import: { aliases: 'telefon tel telefonnummer telnr aptel rufnummer telefonansprechpartner mobil handy' },
  },
  /** System in which this customer's geometries are stored. */
  epsg: {
    kind: 'epsg',
    privacy: 'kunde',
    longest: 50,
    label: 'Koordinatensystem',
    input: 'settings',
    wide: true,
    initial: '25832',
    hint:
      'Beim Speichern werden die Flächen der Forstbetriebe in das neue System umgerechnet. Zwischen den alten ' +
      'Systemen (DHDN, S42/83) und ETRS89 geht das hier nicht genau genug: dann bleiben sie im bisherigen.',
    refused: 'Dieses Koordinatensystem wird nicht unterstützt. Bitte wählen Sie eines der Liste.',
    changedBy: ['apus_team'],
    import: {
      label: 'Koordinatensystem (EPSG)',
      aliases: 'epsg epsgcode koordinatensystem bezugssystem lagebezug lagebezugssystem',
    },
  },
  /** Whether the survey overviews (Kataster) are switched on for this customer. */
  kataster_status: { kind: 'boolean', privacy: 'kunde', label: 'Kataster' },
  /** Project folder on the file server: one path segment. */
  ordner: { kind: 'line', privacy: 'kunde', nullable: true, longest: 100, label: 'Projektordner' },
  /** Incremented at every change; a save names the version it is based on. */
  version: { kind: 'number', privacy: 'other' },
  geaendert_am: { kind: 'moment', privacy: 'other', label: 'Geändert am' },
  geaendert_von: { kind: 'line', privacy: 'person', nullable: true, label: 'Geändert von' },
  /** Set by the database: sort key of the name (DIN 5007-1). */
  sortname: { kind: 'line', privacy: 'kunde', derived: true },
  sortort: { kind: 'line', privacy: 'kunde', derived: true },
  /**
   * Set by the database: search text in lower case with umlauts also written out. Search it with like and
   * lower-case words: ilike takes three times as long.
   */
  suchtext: { kind: 'line', privacy: 'kunde', derived: true },
  /** Day until which the data of a customer that left must be kept. */
  gesperrt_bis: { kind: 'date', privacy: 'kunde', nullable: true },
} as const satisfies Fields

export type KundeColumn = keyof typeof KUNDE_FIELDS
export const kundeField = (column: KundeColumn): Field => KUNDE_FIELDS[column]
/** Columns that people type in, in the order of the form. */
export const KUNDE_INPUTS = columnsWith(KUNDE_FIELDS, 'input')
