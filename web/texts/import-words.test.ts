// What the server tells programs about the faults of an import is what the screens say, in both languages: writes
// server/imports/words.json when it is run with -u.
import { expect, test } from 'vitest'
import { FILE_RULES } from '#server/eingang/file-fault.ts'
import { MESSAGES } from '#server/errors.ts'
import { IMPORT_ANSWERS } from '#server/program-import.ts'
import { FAULTS } from '#domain/import-faults.ts'
import { TABLE_FAULTS } from '#domain/import-table.ts'
import { FILE_REASONS, IMPORT_RULES } from '#contract/vermessung-import.ts'
import { BY_RULE } from '../src/data/rule-texts.ts'
import { said } from '../src/data/said.ts'
import { statementFaultText } from '../src/features/buchhaltung/zahlung/statement-file.ts'
import { feFaultText } from '../src/features/waldbestand/import-words.ts'
import { faultText } from '../src/record/import/import-faults.ts'
import { setTexts, t } from '../src/ui/text.ts'
import { texts } from './en.po'

const OBJECT = [
  'geometrie_leer',
  'geometrie_kaputt',
  'geometrie_art',
  'geometrie_punkt',
  'geometrie_linie',
  'ort_ausserhalb',
  'text_zu_lang',
  'steuerzeichen',
  'ja_nein_ungueltig',
  'zahl_ungueltig',
  'zahl_ausserhalb',
  'tag_ungueltig',
  'loesung_unbekannt',
  'schluessel_doppelt',
  'schluessel_fehlt',
] as const
const STAND = [
  ...OBJECT,
  'geometrie_keine_flaeche',
  'adresse_fehlt',
  'adresse_doppelt',
  'bestand_fehlt',
  'baumart_fehlt',
] as const
const TREE = Object.keys(BY_RULE).filter(
  (code) => code.startsWith('habitat_') || (OBJECT as readonly string[]).includes(code),
)
const STATEMENT = [
  'datei_leer',
  'gross',
  'gemischt',
  'pdf',
  'csv',
  'tabelle',
  'html',
  'unbekannt',
  'kodierung',
  'xml',
  'dtd',
  'tief',
  'archiv',
  'archiv_geschuetzt',
  'archiv_leer',
  'camt052',
  'camt054',
  'kein_camt',
  'version',
  'leer',
  'waehrung',
  'betrag',
  'datum',
  'mt940',
  'mt940_ende',
  'mt942',
] as const

const all = (codes: readonly string[], say: (code: never) => string): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [code, say(code as never)]))
const row = { schicht: '', nr: 0, feld: '', wert: '{wert}' }

/** In the language that is set. */
const sentences = () => ({
  kunden: all(Object.keys(FAULTS), (code: keyof typeof FAULTS) => t(FAULTS[code].text)),
  objekt: all(OBJECT, (art) => faultText({ ...row, art })),
  bestand: all(STAND, (art) => feFaultText({ ...row, art })),
  baum: all(TREE, (code) => t(BY_RULE[code]!)),
  auszug: all(STATEMENT, (code) => statementFaultText({ code, was: '{was}', datei: '' })),
  tabelle: all(Object.keys(TABLE_FAULTS), (code) => t(TABLE_FAULTS[code])),
  datei: {
    ...all([...FILE_REASONS, ...IMPORT_RULES], (code) => t(BY_RULE[code]!)),
    ...all(Object.keys(FILE_RULES), (code) => said(FILE_RULES[code])),
  },
  antwort: {
    ...all(Object.keys(MESSAGES), (code) => said(MESSAGES[code])),
    ...all(Object.keys(IMPORT_ANSWERS), (code) => said(IMPORT_ANSWERS[code][1])),
  },
})

test('programs are told what the screens say', async () => {
  const german = sentences()
  setTexts(texts)
  const english = sentences()
  setTexts({})
  const both = Object.fromEntries(
    Object.entries(german).map(([kind, texts]) => [
      kind,
      Object.fromEntries(
        Object.entries(texts).map(([code, de]) => {
          const en = (english[kind as keyof typeof english] as Record<string, string>)[code]!
          expect(en, `${kind} ${code} has no English`).not.toBe(de)
          return [code, { de, en }]
        }),
      ),
    ]),
  )
  await expect(`${JSON.stringify(both, null, 2)}\n`).toMatchFileSnapshot('../../server/imports/words.json')
})
