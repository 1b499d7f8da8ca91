// npm run verify-archive -- FILE: proves an auditor's archive. Plain JavaScript and Node's own modules only, so
// that the file can be handed over with the archive. Every step: docs/verify-archive.md.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { inflateRawSync } from 'node:zlib'

/** @param {string | Uint8Array} data */
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

// Reading a ZIP archive -------------------------------------------------------------------------------------

const [END_MARK, ENTRY_MARK, FILE_MARK] = [0x06054b50, 0x02014b50, 0x04034b50]
const [STORED, DEFLATED] = [0, 8]
/** A file that unpacks to more is refused: no file of an archive is that large. */
const MOST_BYTES = 1_000_000_000

/** @param {string} path */
function openArchive(path) {
  const file = openSync(path, 'r')
  const { size } = fstatSync(file)
  /** @param {number} at @param {number} length */
  const bytes = (at, length) => {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
    readSync(file, buffer, 0, buffer.length, at)
    return buffer
  }
  const tailAt = Math.max(0, size - 65_557)
  const tail = bytes(tailAt, size)
  let end = tail.length - 22
  while (end >= 0 && tail.readUInt32LE(end) !== END_MARK) end--
  if (end < 0) throw new Error('Das ist kein vollständiges ZIP-Archiv.')
  const directory = bytes(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
  /** @type {Map<string, { at: number, packed: number, size: number, method: number }>} */
  const entries = new Map()
  for (let at = 0; at + 46 <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY_MARK)
      throw new Error('Das Verzeichnis des Archivs ist beschädigt.')
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset))
    const key = directory.subarray(at + 46, at + 46 + (name ?? 0)).toString('utf8')
    if (entries.has(key)) throw new Error(`${key} steht zweimal im Archiv.`)
    entries.set(key, {
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    })
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return {
    names: [...entries.keys()],
    close: () => closeSync(file),
    /** @param {string} name */
    read(name) {
      const entry = entries.get(name)
      if (entry === undefined) throw new Error(`${name} fehlt im Archiv.`)
      const head = bytes(entry.at, 30)
      if (head.length < 30 || head.readUInt32LE(0) !== FILE_MARK || entry.size > MOST_BYTES)
        throw new Error(`${name} ist beschädigt.`)
      const packed = bytes(entry.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), entry.packed)
      if (entry.method === STORED) return packed
      if (entry.method !== DEFLATED) throw new Error(`${name} ist auf unbekannte Weise gepackt.`)
      return inflateRawSync(packed, { maxOutputLength: MOST_BYTES })
    },
  }
}

/** @typedef {ReturnType<typeof openArchive>} Archive */
/** @typedef {{ nr: number, tabelle: string, schluessel: string, werte: string }} BookRecord */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ nr: number, tabelle: string, schluessel: string, art: string, form: number, felder: string }} LastSeal */

/** @param {Archive} archive @param {string} kind */
function* linesOf(archive, kind) {
  for (const name of archive.names.filter((one) => one.startsWith(`kette/${kind}-`)).toSorted())
    for (const line of archive.read(name).toString('utf8').split('\n'))
      if (line !== '') yield JSON.parse(line)
}

// The steps -------------------------------------------------------------------------------------------------

/** What is wrong, in sentences. */
class Findings {
  /** @type {string[]} */
  texts = []
  count = 0
  /** @param {string} text */
  add(text) {
    this.count++
    if (this.texts.length < 50) this.texts.push(text)
  }
}

/** @param {Archive} archive @param {Findings} found */
function checkSignature(archive, found) {
  const proof = JSON.parse(archive.read('kette/anker.json').toString('utf8'))
  const { von, bis, zeit, ab, vorher, nr, kopf, pruefsumme, schluessel, signature } = proof
  const text = ['forstkontor-archiv', von, bis, zeit, ab, vorher, nr, kopf, pruefsumme].join('|')
  let isSigned = false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: schluessel }, format: 'jwk' })
    isSigned = verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    // Not a key, or not a signature.
  }
  if (!isSigned) found.add('Die Signatur in kette/anker.json gilt nicht.')
  if (sha256(archive.read('kette/pruefsummen.txt')) !== pruefsumme)
    found.add('kette/pruefsummen.txt ist nicht die Liste, die signiert wurde.')
  return { ...proof, abdruck: sha256(Buffer.from(String(schluessel), 'base64url')).slice(0, 16) }
}

/** @param {Archive} archive @param {Findings} found */
function checkFiles(archive, found) {
  /** @type {Map<string, string>} */
  const listed = new Map()
  for (const line of archive.read('kette/pruefsummen.txt').toString('utf8').split('\n'))
    if (line !== '') listed.set(line.slice(66), line.slice(0, 64))
  const own = new Set(['kette/pruefsummen.txt', 'kette/anker.json'])
  for (const name of archive.names)
    if (!own.has(name) && !listed.has(name)) found.add(`${name} gehört nicht zum Archiv.`)
  for (const [name, digest] of listed)
    try {
      if (sha256(archive.read(name)) !== digest) found.add(`${name} wurde verändert.`)
    } catch (error) {
      found.add(error instanceof Error ? error.message : String(error))
    }
  return listed
}

/**
 * @param {Archive} archive @param {Findings} found
 * @param {{ ab: number, vorher: string, nr: number, kopf: string }} proof
 */
function checkChain(archive, found, { ab, vorher, nr, kopf }) {
  let [expected, before] = [ab, vorher]
  /** @type {Map<number, { tabelle: string, schluessel: string, pruefsumme: string, hash: string }>} */
  const seals = new Map()
  /** @type {Map<string, LastSeal>} */
  const last = new Map()
  let isDeleted = false
  for (const s of linesOf(archive, 'siegel')) {
    const { zeit, art, user_id: person, durch, form, felder } = s
    const start = `${s.nr}|${zeit}|${s.tabelle}|${s.schluessel}|${art}|${person ?? ''}|${durch}|${form}`
    const text = `${start}|${felder}|${s.pruefsumme}|${before}`
    if (s.nr !== expected) found.add(`Vor Siegel ${s.nr} fehlt mindestens ein Siegel.`)
    else if (sha256(text) !== s.hash) found.add(`Siegel ${s.nr} schließt nicht an das Siegel davor an.`)
    if (s.tabelle === 'rechnung' && s.art === 'geloescht') isDeleted = true
    ;[expected, before] = [s.nr + 1, s.hash]
    const { tabelle, schluessel, pruefsumme, hash } = s
    seals.set(s.nr, { tabelle, schluessel, pruefsumme, hash })
    last.set(`${tabelle} ${schluessel}`, { nr: s.nr, tabelle, schluessel, art, form, felder })
  }
  if (expected !== nr + 1 || before !== kopf)
    found.add(`Die Kette endet nicht mit Siegel ${nr} und seiner Prüfsumme.`)
  return { seals, last, isDeleted }
}

/**
 * @param {Archive} archive @param {Findings} found
 * @param {ReturnType<typeof checkChain>} chain @param {number} ab
 */
function checkRecords(archive, found, { seals, last }, ab) {
  /** @type {Map<string, Map<string, Fields>>} */
  const records = new Map()
  const counts = { sound: 0, older: 0, changed: 0 }
  for (const record of /** @type {Iterable<BookRecord>} */ (linesOf(archive, 'saetze'))) {
    const { nr, tabelle, schluessel, werte } = record
    const seal = seals.get(nr)
    if (nr < ab) counts.older++
    else if (seal?.tabelle !== tabelle || seal.schluessel !== schluessel || seal.pruefsumme !== sha256(werte))
      found.add(`${tabelle} ${schluessel} ist nicht, wie Siegel ${nr} sagt.`)
    else counts.sound++
    if ((last.get(`${tabelle} ${schluessel}`)?.nr ?? nr) > nr) counts.changed++
    const table = records.get(tabelle) ?? new Map()
    table.set(schluessel, JSON.parse(werte))
    records.set(tabelle, table)
  }
  return { records, counts }
}

/**
 * @param {Map<string, string>} listed @param {Findings} found
 * @param {Map<string, Fields>} records @param {string} folder
 */
function checkDocuments(listed, found, records, folder) {
  const files = new Map(
    [...listed].flatMap(([name, digest]) => {
      const [place, id] = name.split(/[/_]/)
      return place !== folder || id === undefined ? [] : [[id, digest]]
    }),
  )
  for (const [id, { sha256: digest, dateiname }] of records)
    if (files.get(id) !== digest)
      found.add(`Dokument ${id} (${dateiname}) ist nicht die Datei, die gespeichert wurde.`)
  for (const id of files.keys()) if (!records.has(id)) found.add(`Dokument ${id} steht in keinem Datensatz.`)
  return files.size
}

// Tables against records ------------------------------------------------------------------------------------

/** Rows of cells; null if it is not a whole table. @param {string} text */
function parseCsv(text) {
  /** @type {string[][]} */
  const rows = []
  /** @type {string[]} */
  let row = []
  let end = 0
  const cell = /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n)/gy
  for (let part = cell.exec(text); part !== null; part = cell.exec(text)) {
    end = cell.lastIndex
    row.push(part[1]?.replaceAll('""', '"') ?? part[2] ?? '')
    if (part[3] === ';') continue
    rows.push(row)
    row = []
  }
  const isWhole =
    end === text.length && row.length === 0 && rows.every(({ length }) => length === rows[0]?.length)
  return isWhole ? rows : null
}

/** @param {unknown} value */
const text = (value) => (value === null || value === undefined ? '' : String(value))
/** @param {unknown} value */
const number = (value) => (text(value) === '' ? '' : String(Number(text(value).replace(',', '.'))))
/** @param {unknown} value */
const day = (value) => text(value).split('-').toReversed().join('.')

/** Columns of a table and what they are in the record: [heading, column, how both are written]. */
/** @typedef {(value: unknown) => string} Written */
/** `of`: column that its records have, where a table has only some. */
/** @type {Record<string, { tabelle: string, of?: string, since?: string, columns: [string, string, Written][] }>} */
const COMPARED = {
  rechnungen: {
    tabelle: 'rechnung',
    columns: [
      ['Nummer', 'nummer', text],
      ['Folge', 'folge', number],
      ['Art', 'art', text],
      ['Rechnungsdatum', 'rn_datum', day],
      ['Leistung von', 'le_date', day],
      ['Leistung bis', 'le_date_bis', day],
      ['Fällig', 'faellig', day],
      ['Kundennummer', 'client_id', number],
      ['Netto', 'netto', number],
      ['Umsatzsteuer', 'steuer', number],
      ['Brutto', 'brutto', number],
      ['Zahlbetrag', 'zahlbetrag', number],
      ['Storniert Rechnungs-ID', 'storno_von', number],
      ['Korrigiert Rechnungs-ID', 'korrektur_von', number],
      ['Ausgestellt von', 'ausgestellt_von', text],
    ],
  },
  angebote: {
    tabelle: 'angebot',
    columns: [
      ['Nummer', 'nummer', text],
      ['Fassung', 'fassung', number],
      ['Netto', 'netto', number],
      ['Umsatzsteuer', 'steuer', number],
      ['Brutto', 'brutto', number],
    ],
  },
  positionen: { tabelle: 'position', of: 'rechnung_id', columns: [] },
  angebotspositionen: { tabelle: 'position', of: 'angebot_id', columns: [] },
  zahlungen: {
    tabelle: 'zahlung',
    columns: [
      ['Datum', 'datum', day],
      ['Rechnungs-ID', 'rechnung_id', number],
      ['Art', 'art', text],
      ['Betrag', 'betrag', number],
      ['Bemerkung', 'bemerkung', text],
      ['Umsatz-ID', 'umsatz_id', number],
    ],
  },
  kontoumsaetze: {
    tabelle: 'kontoumsatz',
    columns: [
      ['Datum', 'datum', day],
      ['Betrag', 'betrag', number],
      ['Name', 'name', text],
      ['IBAN', 'iban', text],
      ['Verwendungszweck', 'zweck', text],
    ],
  },
  mahnungen: {
    tabelle: 'mahnung',
    columns: [
      ['Rechnungs-ID', 'rechnung_id', number],
      ['Stufe', 'stufe', number],
      ['Datum', 'datum', day],
      ['Zahlbar bis', 'faellig', day],
      ['Gebühr', 'gebuehr', number],
      ['Verzugszinsen', 'zinsen', number],
      ['Verzugspauschale', 'pauschale', number],
    ],
  },
  versand: {
    tabelle: 'versand',
    columns: [
      ['Weg', 'weg', text],
      ['An', 'an', text],
      ['Betreff', 'betreff', text],
      ['Zustand', 'zustand', text],
    ],
  },
  eingang: {
    tabelle: 'eingang',
    since: 'eingang',
    columns: [
      ['Kreditor-ID', 'kreditor_id', number],
      ['Nummer', 'nummer', text],
      ['Rechnungsdatum', 'datum', day],
      ['Fällig', 'faellig', day],
      ['Netto', 'netto', number],
      ['Umsatzsteuer', 'steuer', number],
      ['Brutto', 'brutto', number],
      ['Zahlbetrag', 'zahlbetrag', number],
      ['Zustand', 'zustand', text],
      ['Bezahlt am', 'bezahlt_am', day],
      ['Bemerkung', 'bemerkung', text],
      ['SHA-256', 'sha256', text],
    ],
  },
  kreditoren: {
    tabelle: 'kreditor',
    since: 'eingang',
    columns: [
      ['Name', 'name', text],
      ['USt-ID', 'ust_id', text],
      ['IBAN', 'iban', text],
    ],
  },
  anlagen: {
    tabelle: 'anlage',
    since: 'anlage',
    columns: [
      ['Rechnungs-ID', 'rechnung_id', number],
      ['Bezeichnung', 'name', text],
      ['Beschreibung', 'beschreibung', text],
      ['Dateiname', 'dateiname', text],
      ['Dateityp', 'mime', text],
      ['Größe', 'groesse', number],
      ['SHA-256', 'sha256', text],
    ],
  },
  lastschriftmandate: {
    tabelle: 'sepa_mandat',
    since: 'lastschriften',
    columns: [
      ['Kundennummer', 'client_id', number],
      ['Referenz', 'referenz', text],
      ['Unterschrieben am', 'unterschrieben', day],
      ['Kontoinhaber', 'inhaber', text],
      ['IBAN', 'iban', text],
      ['Art', 'art', text],
      ['Widerrufen am', 'widerrufen_am', day],
    ],
  },
  lastschriftdateien: {
    tabelle: 'sepa_lauf',
    since: 'lastschriften',
    columns: [
      ['Einzug am', 'tag', day],
      ['IBAN', 'iban', text],
      ['Gläubiger-ID', 'glaeubiger_id', text],
      ['Anzahl', 'anzahl', number],
      ['Summe', 'summe', number],
      ['SHA-256', 'sha256', text],
      ['Zurückgezogen am', 'zurueckgezogen_am', day],
      ['Grund', 'grund', text],
    ],
  },
  lastschriften: {
    tabelle: 'sepa_posten',
    since: 'lastschriften',
    columns: [
      ['Datei-ID', 'lauf_id', number],
      ['Rechnungs-ID', 'rechnung_id', number],
      ['Mandats-ID', 'mandat_id', number],
      ['Betrag', 'betrag', number],
      ['Folge', 'folge', text],
      ['IBAN', 'iban', text],
      ['Referenz', 'referenz', text],
    ],
  },
  ueberweisungsdateien: {
    tabelle: 'zahllauf',
    since: 'ueberweisungen',
    columns: [
      ['Ausführung am', 'tag', day],
      ['IBAN', 'iban', text],
      ['Anzahl', 'anzahl', number],
      ['Summe', 'summe', number],
      ['SHA-256', 'sha256', text],
      ['Zurückgezogen am', 'zurueckgezogen_am', day],
      ['Grund', 'grund', text],
    ],
  },
  ueberweisungen: {
    tabelle: 'zahlposten',
    since: 'ueberweisungen',
    columns: [
      ['Datei-ID', 'lauf_id', number],
      ['Eingangs-ID', 'eingang_id', number],
      ['Betrag', 'betrag', number],
      ['Skonto', 'skonto', number],
      ['Empfänger', 'name', text],
      ['IBAN', 'iban', text],
    ],
  },
  eingangszahlungen: {
    tabelle: 'eingang_zahlung',
    since: 'ueberweisungen',
    columns: [
      ['Eingangs-ID', 'eingang_id', number],
      ['Datum', 'datum', day],
      ['Betrag', 'betrag', number],
      ['Art', 'art', text],
      ['Bemerkung', 'bemerkung', text],
      ['Umsatz-ID', 'umsatz_id', number],
      ['Nimmt zurück Zahlungs-ID', 'gegen_id', number],
    ],
  },
  protokoll: {
    tabelle: 'protokoll',
    columns: [
      ['Nutzernummer', 'user_id', number],
      ['Gegenstand', 'gegenstand', text],
      ['Kennung', 'gegenstand_id', number],
      ['Ereignis', 'ereignis', text],
      ['Prüfsumme', 'hash', text],
    ],
  },
}
for (const name of ['positionen', 'angebotspositionen'])
  COMPARED[name]?.columns.push(
    ['Reihenfolge', 'lfd_nr', number],
    ['Art', 'art', text],
    ['Bezeichnung', 'bez', text],
    ['Menge', 'anzahl', number],
    ['Einzelpreis', 'ep', number],
    ['Rabatt Prozent', 'rabatt_prozent', number],
  )

/**
 * Both ways: each row is what its record says, and each record has its row.
 * @param {Archive} archive @param {Findings} found
 * @param {Map<string, Map<string, Fields>>} records
 * @param {boolean} isDeleted an invoice was deleted after its retention: its number is missing
 */
function checkTables(archive, found, records, isDeleted) {
  let compared = 0
  for (const [name, { tabelle, of, since, columns }] of Object.entries(COMPARED)) {
    // Archives of before there were such records.
    if (since !== undefined && !archive.names.includes(`${name}.csv`) && !records.has(tabelle)) continue
    const [heads, ...rows] = parseCsv(archive.read(`${name}.csv`).toString('utf8')) ?? []
    if (heads === undefined) {
      found.add(`${name}.csv ist keine vollständige Tabelle.`)
      continue
    }
    const seen = new Set()
    for (const row of rows) {
      const [id = ''] = row
      const record = records.get(tabelle)?.get(id)
      if (record === undefined) found.add(`${name}.csv: zu ${id} gibt es keinen Datensatz.`)
      else if (seen.has(id)) found.add(`${name}.csv: ${id} steht zweimal da.`)
      else compareRow(name, columns, heads, row, record, found)
      seen.add(id)
      compared++
    }
    for (const [id, record] of records.get(tabelle) ?? [])
      if (!seen.has(id) && (of === undefined || record[of] !== null))
        found.add(`${name}.csv: ${tabelle} ${id} fehlt.`)
    if (name === 'rechnungen' && !isDeleted) checkOrder(heads, rows, found)
  }
  return compared
}

/**
 * @param {string} name @param {[string, string, Written][]} columns @param {string[]} heads
 * @param {string[]} row @param {Fields} record @param {Findings} found
 */
function compareRow(name, columns, heads, row, record, found) {
  for (const [heading, column, written] of columns) {
    const at = heads.indexOf(heading)
    const cell = row[at] ?? ''
    if (at < 0 || (written === number ? number(cell) : cell) !== written(record[column]))
      found.add(`${name}.csv: ${heading} von ${row[0]} ist nicht, was der Datensatz sagt.`)
  }
}

/**
 * Invoices of the period were issued one after the other: a number that is missing was left out.
 * @param {string[]} heads @param {string[][]} rows @param {Findings} found
 */
function checkOrder(heads, rows, found) {
  const [within, order] = [heads.indexOf('Im Zeitraum'), heads.indexOf('Folge')]
  const numbers = rows.filter((row) => row[within] === 'ja').map((row) => Number(row[order]))
  numbers
    .toSorted((a, b) => a - b)
    .forEach((nr, at, all) => {
      if (at > 0 && nr !== (all[at - 1] ?? 0) + 1)
        found.add(`rechnungen.csv: vor Folge ${nr} fehlt eine Rechnung.`)
    })
}

// Nothing left out ------------------------------------------------------------------------------------------

/**
 * What says that a record is not of the period: its days, the time at which it was made, or a record that is not in
 * the archive either (`parents`) or not of the period (`owners`).
 * @type {Record<string, { days?: string[], times?: string[], parents?: Record<string, string>, owners?: Record<string, string> }>}
 */
const OUTSIDE = {
  rechnung: { days: ['rn_datum'] },
  angebot: { days: ['an_datum'] },
  position: { parents: { rechnung_id: 'rechnung', angebot_id: 'angebot' } },
  dokument: { owners: { rechnung_id: 'rechnung', angebot_id: 'angebot', mahnung_id: 'mahnung' } },
  zahlung: { days: ['datum'] },
  kontoumsatz: { days: ['datum'] },
  mahnung: { days: ['datum'] },
  versand: { times: ['angelegt_am'] },
  eingang: { days: ['datum', 'bezahlt_am'], times: ['eingegangen_am'] },
  anlage: { parents: { rechnung_id: 'rechnung' } },
  sepa_lauf: { days: ['tag', 'zurueckgezogen_am'], times: ['angelegt_am'] },
  sepa_posten: { parents: { lauf_id: 'sepa_lauf' } },
  zahllauf: { days: ['tag', 'zurueckgezogen_am'], times: ['angelegt_am'] },
  zahlposten: { parents: { lauf_id: 'zahllauf' } },
  eingang_zahlung: { days: ['datum'] },
  protokoll: { times: ['zeit'] },
}
const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' })

/** Whether the seal covers these values: four bytes of the hash of each column. @param {LastSeal} seal
 * @param {Fields} werte @param {Map<number, string[]>} forms */
const isCovered = ({ form, felder }, werte, forms) =>
  Object.entries(werte).every(([name, value]) => {
    const at = forms.get(form)?.indexOf(name) ?? -1
    return at >= 0 && felder.slice(at * 8, at * 8 + 8) === sha256(JSON.stringify(value)).slice(0, 8)
  })

/**
 * Each record whose seal is in the chain is in the archive, was deleted, or shows under its seal that it is not of the
 * period. Returns how many are not.
 * @param {Archive} archive @param {Findings} found @param {ReturnType<typeof checkChain>} chain
 * @param {Map<string, Map<string, Fields>>} records @param {{ von: string, bis: string }} period
 */
function checkComplete(archive, found, { last }, records, { von, bis }) {
  if (!archive.names.some((name) => name.startsWith('kette/uebrige-')))
    found.add('kette/uebrige-*.jsonl fehlt: Ob etwas weggelassen wurde, lässt sich nicht beweisen.')
  /** @type {Map<number, string[]>} */
  const forms = new Map()
  for (const { form, spalten } of linesOf(archive, 'formen')) forms.set(form, spalten)
  /** @type {Map<string, { nr: number, werte: Fields }>} */
  const outside = new Map()
  for (const { nr, tabelle, schluessel, werte } of linesOf(archive, 'uebrige'))
    outside.set(`${tabelle} ${schluessel}`, { nr, werte })
  /** @param {string} day */
  const isWithin = (day) => day >= von && day <= bis
  /** @param {string} table @param {Fields} werte @returns {boolean} */
  const isOfPeriod = (table, werte) => {
    const { days = [], times = [] } = OUTSIDE[table] ?? {}
    return (
      days.some((name) => isWithin(String(werte[name] ?? ''))) ||
      times.some((name) => isWithin(berlin.format(new Date(String(werte[name])))))
    )
  }
  let count = 0
  for (const [key, seal] of last) {
    const { tabelle, schluessel, art, nr } = seal
    const rule = OUTSIDE[tabelle]
    if (rule === undefined || art === 'geloescht' || records.get(tabelle)?.has(schluessel) === true) continue
    count++
    const shown = outside.get(key)
    const named = [rule.days ?? [], rule.times ?? [], Object.keys({ ...rule.parents, ...rule.owners })].flat()
    if (shown === undefined || shown.nr !== nr || named.some((name) => shown.werte[name] === undefined))
      found.add(`${tabelle} ${schluessel} hat Siegel ${nr} und fehlt im Archiv.`)
    else if (!isCovered(seal, shown.werte, forms))
      found.add(`${tabelle} ${schluessel}: Siegel ${nr} sagt etwas anderes als kette/uebrige.`)
    else if (isOfPeriod(tabelle, shown.werte))
      found.add(`${tabelle} ${schluessel} ist aus dem Zeitraum und fehlt.`)
    for (const [column, table] of Object.entries(rule.parents ?? {}))
      if (records.get(table)?.has(text(shown?.werte[column])) === true)
        found.add(`${tabelle} ${schluessel} gehört zu ${table} ${shown?.werte[column]} und fehlt.`)
    for (const [column, table] of Object.entries(rule.owners ?? {})) {
      const id = text(shown?.werte[column])
      const owner = records.get(table)?.get(id) ?? outside.get(`${table} ${id}`)?.werte
      if (id !== '' && owner !== undefined && isOfPeriod(table, owner))
        found.add(`${tabelle} ${schluessel} gehört zu ${table} ${id} und fehlt.`)
    }
  }
  return count
}

// The whole -------------------------------------------------------------------------------------------------

/**
 * @param {string} path
 * @param {{ kopf?: string | undefined, schluessel?: string | undefined }} [noted] what is known from elsewhere
 */
function verifyArchive(path, noted = {}) {
  const archive = openArchive(path)
  const found = new Findings()
  try {
    const proof = checkSignature(archive, found)
    const listed = checkFiles(archive, found)
    const chain = checkChain(archive, found, proof)
    const { records, counts } = checkRecords(archive, found, chain, proof.ab)
    const documents =
      checkDocuments(listed, found, records.get('dokument') ?? new Map(), 'dokumente') +
      checkDocuments(listed, found, records.get('eingang') ?? new Map(), 'eingang') +
      checkDocuments(listed, found, records.get('anlage') ?? new Map(), 'anlagen')
    const rows = checkTables(archive, found, records, chain.isDeleted)
    const others = checkComplete(archive, found, chain, records, proof)
    if (noted.kopf !== undefined) {
      const [nr, hash = ''] = noted.kopf.split(':')
      if (hash.length < 16 || chain.seals.get(Number(nr))?.hash.startsWith(hash) !== true)
        found.add(`Siegel ${nr} ist nicht in der Kette, wie Sie es notiert haben.`)
    }
    if (noted.schluessel !== undefined && noted.schluessel !== proof.abdruck)
      found.add(`Signiert hat der Schlüssel ${proof.abdruck}, nicht ${noted.schluessel}.`)
    return { proof, listed: listed.size, seals: chain.seals.size, documents, rows, others, ...counts, found }
  } finally {
    archive.close()
  }
}

/** @param {ReturnType<typeof verifyArchive>} result */
function report({ proof, listed, seals, documents, rows, others, sound, older, changed, found }) {
  const lines = [
    `Zeitraum ${proof.von} bis ${proof.bis}, erstellt ${proof.zeit}`,
    `Schlüssel der Signatur: ${proof.abdruck}`,
    `${listed} Dateien, davon ${documents} Dokumente`,
    `${seals} Siegel, ${proof.ab} bis ${proof.nr}; Kopf ${proof.kopf}`,
    `${sound} Datensätze stimmen mit ihrem Siegel überein, ${rows} Tabellenzeilen mit ihrem Datensatz`,
    `${others} weitere Datensätze haben Siegel und sind nachweislich nicht aus dem Zeitraum`,
    ...(older > 0 ? [`${older} Datensätze sind älter als die Siegel in diesem Archiv`] : []),
    ...(changed > 0 ? [`${changed} Datensätze bekamen ein neues Siegel, während das Archiv entstand`] : []),
    ...(found.count === 0
      ? ['In Ordnung: Nichts wurde geändert oder weggelassen.']
      : [`NICHT IN ORDNUNG: ${found.count} Befunde`, ...found.texts.map((one) => `  - ${one}`)]),
  ]
  return lines.join('\n')
}

const usage = 'Aufruf: npm run verify-archive -- ARCHIV.zip [--kopf NUMMER:PRÜFSUMME] [--schluessel ABDRUCK]'
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { kopf: { type: 'string' }, schluessel: { type: 'string' } },
  })
  const [path] = positionals
  if (path === undefined) throw new Error(usage)
  const result = verifyArchive(path, values)
  console.log(report(result))
  process.exitCode = result.found.count === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
