// Names in code that something outside the compiler fixes, besides the API's own; they keep that spelling
// (docs/glossary.md).

/** Of properties, and of variables that take one out of an object; by what fixes them. */
export const FIXED_NAMES: Readonly<Record<string, readonly string[]>> = {
  'keys of stored records and stores of the browser (IndexedDB), and of the file that rescues them': [
    'abgelehnt',
    'bestaetigt_am',
    'ebene',
    'geholt_am',
    'gesendet',
    'konflikte',
    'pakete',
    'umrisse',
    'unterwegs',
    'vorschau',
    'weiteres',
  ],
  'columns and aliases of SQL, and keys of what SQL answers': [
    'abt',
    'antwort_an',
    'antworten',
    'aufgenommen',
    'ausserhalb',
    'erzeugt',
    'firma',
    'gebuehren_bisher',
    'gefragt',
    'kleinunternehmer_bis',
    'kleinunternehmer_von',
    'rechnung_betrag',
    'rechnung_faellig',
    'versuch',
    'vertraut',
    'vorgang',
  ],
  'keys of lookups by a stored word': [
    'anmelden',
    'entzerren',
    'haufen',
    'laengste',
    'mosaik',
    'naht',
    'orte',
    'pruefen',
    'punkt',
    'unbekannt',
  ],
  'parameters of texts and of addresses': ['platzhalter'],
  'fields of forms': ['nachname', 'vorname'],
  'cases of fixtures, by name': ['spalte'],
}

/** Of anything. */
export const PROPER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'packages from which the background of maps is made': ['loc', 'presimplify'],
  settings: ['ABO_LAUFZEIT', 'ABO_PREIS_BASIS_FE', 'ABO_PREIS_FE', 'ABO_PREIS_KAWM', 'ABO_UST_SATZ'],
  'people and places': [
    'alma',
    'BERT',
    'bodo',
    'BREMEN',
    'eva',
    'EVA',
    'asEva',
    'GAUSS_KRUEGER',
    'karl',
    'lena',
    'uwe',
  ],
}
