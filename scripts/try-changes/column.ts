// A new optional column of a customer, from the table to form, lists, export, history, import and privacy.
import { type Change, english } from './change.ts'

export const COLUMN: Change = {
  title: 'a column of a customer',
  edits: [
    {
      file: 'db/migrations/9999_ansprechpartner_funktion.sql',
      insert:
        '-- What the contact person does there.\n' +
        'alter table app.kunde\n  add column ap_funktion text check (checks.is_line(ap_funktion, 80));\n',
    },
    {
      file: 'domain/kunde-fields.ts',
      find: "telefonansprechpartner mobil handy' },\n  },\n",
      insert: `  ap_funktion: {
    ...CONTACT,
    kind: 'line',
    longest: 80,
    label: 'Aufgabe im Betrieb',
    list: 'funktion',
    import: { aliases: 'funktion aufgabe' },
  },
`,
    },
    {
      file: 'db/nouns/kunde.sql',
      find: "('ap_tel', 'phone', 40, null, true, '{kundenadmin}'),",
      insert: " ('ap_funktion', 'line', 80, null, true, '{kundenadmin}'),",
    },
    {
      file: 'db/nouns/kunde.sql',
      find:
        'grant insert (\n  name, name_zusatz, strasse, plz, ort, land, bundesland, epsg, ap_gender, ' +
        'ap_vorname, ap_nachname, ap_tel',
      insert: ', ap_funktion',
    },
    {
      file: 'db/nouns/kunde.sql',
      find: 'ap_vorname, ap_nachname, ap_tel,\n  ordner,',
      insert: ' ap_funktion,',
    },
    {
      file: 'db/test/surface.sql.test.ts',
      find:
        "'kunde INSERT(name,name_zusatz,strasse,plz,ort,bundesland,epsg,ap_gender," +
        'ap_vorname,ap_nachname,ap_tel,land',
      insert: ',ap_funktion',
    },
    {
      file: 'db/test/surface.sql.test.ts',
      find: 'ap_nachname,ap_tel,ordner,kataster_status,land',
      insert: ',ap_funktion',
    },
    english({ 'Aufgabe im Betrieb': 'Role in the company' }),
  ],
  commands: ['npm run freeze', 'npm run texts'],
  tests: [
    'domain/import.test.ts',
    'server/operations/frozen.test.ts',
    'web/src/record/kunde/kunde-form.test.ts',
    'web/texts/texts.test.ts',
    'db/test/fields.sql.test.ts',
    'db/test/surface.sql.test.ts',
  ],
}
