// A new rule of vouchers: a subscription is free of charge for two years at most.
import { type Change, english } from './change.ts'

export const VOUCHER_RULE: Change = {
  title: 'a rule of vouchers',
  edits: [
    {
      file: 'domain/gutschein.ts',
      find: 'rabatt_abo === 0 && rabatt_kawm === 0,\n  },\n',
      insert: `  frei_zu_lang: {
    field: 'laufzeit',
    broken: ({ rabatt_abo, laufzeit }) => rabatt_abo === 100 && (laufzeit ?? 0) > 24,
  },
`,
    },
    {
      file: 'domain/gutschein.cases.json',
      find: '"faults": { "rabatt_abo": "kein_rabatt" } }',
      insert:
        ',\n  { "why": "free for two years", "input": { "rabatt_abo": "100", "rabatt_kawm": "0", ' +
        '"expire_date": "2090-03-31", "laufzeit": "24" }, "faults": null },\n' +
        '  { "why": "free for longer", "input": { "rabatt_abo": "100", "rabatt_kawm": "0", ' +
        '"expire_date": "2090-03-31", "laufzeit": "25" }, "faults": { "laufzeit": "frei_zu_lang" } }',
    },
    {
      file: 'db/nouns/gutschein.sql',
      find: "'rabatt_abo', 'kein_rabatt');\n",
      insert:
        '  perform checks.check_value(new.rabatt_abo < 100 or new.laufzeit <= 24, ' +
        "'laufzeit', 'frei_zu_lang');\n",
    },
    {
      file: 'web/src/data/gutschein-texts.ts',
      find: "  kein_rabatt: 'Mindestens einer der beiden Rabatte muss größer als 0 sein.',\n",
      insert: "  frei_zu_lang: 'Ganz ohne Preis gilt ein Abo höchstens 24 Monate.',\n",
    },
    english({
      'Ganz ohne Preis gilt ein Abo höchstens 24 Monate.':
        'A subscription is free of charge for 24 months at most.',
    }),
  ],
  commands: ['npm run freeze', 'npm run texts'],
  tests: [
    'domain/gutschein.test.ts',
    'server/operations/frozen.test.ts',
    'web/texts/texts.test.ts',
    'db/test/gutschein.sql.test.ts',
  ],
}
