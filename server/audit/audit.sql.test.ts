// The archive for an auditor: who gets it, what it contains, byte for byte, that each download is recorded, and
// that the archive proves itself.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestAnchors, type TestAnchors } from '#server/anchors.fixture.ts'
import { silentLog } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { type ZipFile, zipBytes } from '#server/write-zip.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, B, NAMES } from '../../db/test/world.ts'
import { unpackZip } from '../../web/src/data/unpack-zip.ts'
import { parseXml } from '../../web/src/features/buchhaltung/zahlung/parse-xml.ts'
import { authenticateByName, refusingServer } from '../../db/test/refusing-server.ts'
import { createAuditRoom } from './routes.ts'
import { csv, fileOf } from './index-xml.ts'
import { LEFT_OUT, LEFT_OUT_TABLES } from './left-out.fixture.ts'
import { readArchive } from './read-archive.fixture.ts'
import { SEALED_TABLES } from './table.ts'
import { FILES_TABLE, TABLES } from './tables.ts'

type Row = Readonly<Record<string, string | number | null>>
const YEAR = '2026-01-01_2026-12-31.zip'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`the audit's archive on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let anchors: TestAnchors
    const asked: string[] = []
    beforeAll(async () => {
      anchors = createTestAnchors()
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      app = refusingServer()
      const make = (art: string, id: string) => {
        asked.push(`${art} ${id}`)
        return Promise.resolve(true)
      }
      await app.register(
        createAuditRoom({ database: engine.api, log: silentLog, make, anchors, now: () => new Date() })
          .routes,
        {
          prefix: '/prod-api',
        },
      )
      await app.ready()
    }, 240_000)
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      anchors?.remove()
    })
    const get = (name: string, file = YEAR) =>
      app.inject({ url: `/prod-api/pruefung/${file}`, headers: { authorization: `Bearer token-${name}` } })
    const archive = async (name: string, file = YEAR) =>
      new Map(
        (await unpackZip(new Uint8Array((await get(name, file)).rawPayload), () => true)).map(
          ({ name: path, data }) => [path, Buffer.from(data)],
        ),
      )
    const recorded = async () =>
      (await engine.owner.query(`select inhalt from app.protokoll where gegenstand = 'pruefung'`)).rowCount

    test('is refused to everybody but those of the books, and nothing is written down', async () => {
      const before = await recorded()
      const allowed = new Set<string>(['apus_admin', 'admin', 'pruefer'])
      for (const name of NAMES.filter((one) => !allowed.has(one))) {
        const answer = await get(name)
        expect([name, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([name, true])
        expect(answer.payload, name).not.toMatch(/Kunde|RE-2026/)
      }
      expect((await app.inject({ url: `/prod-api/pruefung/${YEAR}` })).statusCode).toBe(401)
      expect(await recorded()).toBe(before)
    })
    test('an auditor gets it as the bookkeepers do', async () => {
      const texts = await Promise.all(
        (['apus_admin', 'pruefer'] as const).map(async (name) =>
          (await unpackZip(new Uint8Array((await get(name)).rawPayload), () => true))
            // The log tells of both downloads, and the chain with it.
            .filter(({ name: file }) => file !== 'protokoll.csv' && !file.startsWith('kette/'))
            .map(({ name: file, data }) => [file, Buffer.from(data).toString('utf8')]),
        ),
      )
      expect(texts[1]).toEqual(texts[0])
    })
    test.each([
      '2026-12-31_2026-01-01.zip',
      '2026-02-30_2026-03-01.zip',
      '2026-01-01.zip',
      `..%2f${YEAR}`,
      '2026-01-01_2026-12-31.zip.exe',
    ])('%s is no period', async (file) => expect((await get('apus_admin', file)).statusCode).toBe(404))
    test('holds the tables, their description and the stored documents; missing ones are made first', async () => {
      const answer = await get('apus_admin')
      expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
        200,
        'application/zip',
        'no-store',
      ])
      const files = new Map(
        (await unpackZip(new Uint8Array(answer.rawPayload), () => true)).map(({ name, data }) => [
          name,
          Buffer.from(data),
        ]),
      )
      expect(
        [...files.keys()].filter((name) => !/^(?:dokumente|eingang|anlagen|kette)\//.test(name)).toSorted(),
      ).toEqual(['LIESMICH.txt', 'PRUEFEN.txt', 'index.xml', 'dateien.csv', ...TABLES.map(fileOf)].toSorted())
      const lines = (name: string) => files.get(name)!.toString('utf8').split('\r\n').slice(1, -1)
      const found = readArchive(files, parseXml)
      const rechnung = found.get('rechnungen')!.rows.find((row) => row['Nummer'] === 'RE-2026-0002a')
      expect(rechnung).toMatchObject({
        Art: 'rechnung',
        'Im Zeitraum': 'ja',
        Rechnungsdatum: '2026-01-05',
        'Leistung bis': null,
        Fällig: '2026-01-19',
        Kunde: 'Kunde A',
        Netto: 100,
        Umsatzsteuer: 19,
        Zahlbetrag: 119,
      })
      expect(found.get('zahlungen')!.rows[0]).toMatchObject({
        Rechnung: 'RE-2026-0002a',
        'Rechnungs-ID': rechnung!['Rechnungs-ID'],
        Betrag: 19,
      })
      const stored = (
        await engine.owner.query<{ id: number; sha256: string }>(
          `select id, sha256 from app.dokument where rechnung_id is not null order by id`,
        )
      ).rows
      expect(stored.length).toBeGreaterThan(0)
      for (const { id, sha256 } of stored) {
        const [name, bytes] = [...files].find(([path]) => path.startsWith(`dokumente/${id}_`))!
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
        const line = lines('dateien.csv').find((one) => one.includes(`"${name}"`))!
        expect(line).toContain(sha256)
        expect(line.endsWith('"ja"')).toBe(true)
      }
      expect(asked.length).toBeGreaterThan(0)
    })
    test('is read back by its description alone: every value has its type, every key is unique and found', async () => {
      // The first month refers to nothing outside of it; a payment alone brings its invoice.
      for (const file of [YEAR, '2026-02-01_2026-02-28.zip']) {
        const found = readArchive(await archive('apus_admin', file), parseXml)
        expect([...found.keys()].toSorted()).toEqual(
          [...TABLES, FILES_TABLE].map(({ name }) => name).toSorted(),
        )
        for (const [table, { keys, rows, foreign }] of found) {
          const keyOf = (row: Row, columns: readonly string[]) =>
            JSON.stringify(columns.map((column) => row[column]))
          expect(keys.length, table).toBeGreaterThan(0)
          expect(
            rows.filter((row) => keys.some((key) => row[key] === null)),
            table,
          ).toEqual([])
          expect(new Set(rows.map((row) => keyOf(row, keys))).size, `${table}: keys`).toBe(rows.length)
          for (const { column, table: other, to } of foreign) {
            const there = new Set(found.get(other)!.rows.map((row) => row[to]))
            const lost = rows.filter((row) => row[column] !== null && !there.has(row[column]!))
            expect(lost, `${file} ${table}.${column} → ${other}.${to}`).toEqual([])
          }
        }
        if (file === YEAR) continue
        expect(found.get('rechnungen')!.rows.map((row) => row['Im Zeitraum'])).toContain('nein')
        expect(found.get('zahlungen')!.rows.length).toBeGreaterThan(0)
      }
    })
    test('everything is there: reminders, deliveries, orders, and the customers that stand in them', async () => {
      const found = readArchive(await archive('pruefer', '2000-01-01_2199-12-31.zip'), parseXml)
      const count = async (text: string) =>
        Number(
          (await engine.owner.query<{ n: string }>(`select count(*)::text as n from ${text}`)).rows[0]!.n,
        )
      for (const [table, text] of [
        ['rechnungen', 'app.rechnung where beleg is not null'],
        ['angebote', 'app.angebot where beleg is not null'],
        [
          'positionen',
          `app.position where rechnung_id in (select id from app.rechnung where beleg is not null)`,
        ],
        [
          'angebotspositionen',
          `app.position where angebot_id in (select id from app.angebot where beleg is not null)`,
        ],
        ['auftraege', `app.angebot where status = 'angenommen'`],
        ['mahnungen', 'app.mahnung'],
        ['versand', 'app.versand'],
        ['zahlungen', 'app.zahlung'],
        ['kontoumsaetze', 'app.kontoumsatz'],
        ['eingang', 'app.eingang'],
        ['anlagen', `app.anlage where rechnung_id in (select id from app.rechnung where beleg is not null)`],
        ['lastschriftmandate', 'app.sepa_mandat'],
        ['lastschriftdateien', 'app.sepa_lauf'],
        ['lastschriften', 'app.sepa_posten'],
        ['ueberweisungsdateien', 'app.zahllauf'],
        ['ueberweisungen', 'app.zahlposten'],
        ['eingangszahlungen', 'app.eingang_zahlung'],
        ['kunden', `app.kunde where client_id in (${A}, ${B})`],
        ['dateien', 'app.dokument'],
      ] as const)
        expect([table, found.get(table)!.rows.length]).toEqual([table, await count(text)])
      expect(found.get('auftragspositionen')!.rows.length).toBeGreaterThan(0)
      expect(Object.keys(found.get('kunden')!.rows[0]!)).not.toContain('Ansprechpartner')
    })
    test('a text is what the books store: quotation marks, line ends and what looks like a formula', async () => {
      const purpose = `=1+1;"Rechnung"\n-2;'x'\t@ä`
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.kontoumsatz (id, schluessel, datum, betrag, name, zweck) values (900, '${'e'.repeat(64)}',
          '2026-03-01', -1.50, '+49 351 "K"', e'=1+1;"Rechnung"\\n-2;''x''\\t@ä');
        commit; select books.seal_missing()`)
      const { rows } = readArchive(await archive('apus_admin'), parseXml).get('kontoumsaetze')!
      expect(rows.find((row) => row['Umsatz-ID'] === 900)).toMatchObject({
        Name: '+49 351 "K"',
        Verwendungszweck: purpose,
        Betrag: -1.5,
      })
    })
    test('every column that the books store is in the archive, or left out for a reason', async () => {
      const ALIASES: Readonly<Record<string, string>> = {
        r: 'rechnung',
        a: 'angebot',
        p: 'position',
        z: 'zahlung',
        u: 'kontoumsatz',
        m: 'mahnung',
        v: 'versand',
        d: 'dokument',
        j: 'protokoll',
        n: 'nummernkreis',
        l: 'lieferant',
        b: 'kunde_rechnung',
        i: 'eingang',
        c: 'kreditor',
        q: 'anlage',
        y: 'sepa_mandat',
        f: 'sepa_lauf',
        h: 'sepa_posten',
        zl: 'zahllauf',
        zp: 'zahlposten',
        ez: 'eingang_zahlung',
      }
      const carried = new Set(
        [...TABLES, FILES_TABLE].flatMap(({ spalten }) =>
          spalten.flatMap(({ sql }) =>
            [...sql.matchAll(/\b([a-z]{1,2})\.(\w+)/g)].flatMap(([, alias = '', column = '']) =>
              alias in ALIASES ? [`${ALIASES[alias]}.${column}`] : [],
            ),
          ),
        ),
      )
      const { rows } = await engine.owner.query<{ table: string; column: string }>(
        `select c.relname as table, a.attname as column
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and books.is_table(c.relname)`,
      )
      const stored = rows
        .filter(({ table }) => !(table in LEFT_OUT_TABLES))
        .map((one) => `${one.table}.${one.column}`)
      expect(stored.length).toBeGreaterThan(150)
      const named = [...carried, ...Object.keys(LEFT_OUT)]
      expect(stored.filter((column) => !named.includes(column))).toEqual([])
      // Nothing is named that is not there, and nothing twice.
      expect(named.filter((column) => !stored.includes(column))).toEqual([])
      expect(Object.keys(LEFT_OUT).filter((column) => carried.has(column))).toEqual([])
      expect(
        Object.keys(LEFT_OUT_TABLES).filter((name) => !rows.some(({ table }) => table === name)),
      ).toEqual([])
    })
    test('records of other tables are not handed out, whatever is asked', async () => {
      const { rows } = await engine.owner.query<{ tabelle: string; keys: string[] }>(
        `select tabelle, array_to_json(array_agg(schluessel))::text as keys from app.siegel group by tabelle`,
      )
      const caller = asNutzer(authenticateByName('Bearer token-apus_admin'))
      const given = new Set<string>()
      for (const { tabelle, keys } of rows) {
        // oxlint-disable-next-line no-await-in-loop -- a dozen
        const found = await engine.api.once(caller, {
          text: 'select schluessel from app.a_get_siegel_saetze($1, $2)',
          values: [tabelle, JSON.parse(String(keys)) as string[]],
        })
        if (found.rows.length > 0) given.add(tabelle)
      }
      expect(rows.length).toBeGreaterThan(given.size)
      expect([...given].filter((name) => !(SEALED_TABLES as readonly string[]).includes(name))).toEqual([])
      expect(given.size).toBeGreaterThan(4)
    })
    test('each handing out is written down, and the chain stays sound', async () => {
      const before = (await recorded()) ?? 0
      await get('apus_admin')
      expect(await recorded()).toBe(before + 1)
    })
    describe('proves itself', () => {
      const VERIFIER = join(import.meta.dirname, '../../scripts/verify-archive.mjs')
      async function verify(files: ReadonlyMap<string, Buffer>, ...words: readonly string[]) {
        const path = join(anchors.folder, 'archive.zip')
        const zipped = [...files].map(
          ([name, content]): ZipFile => ({ name, inhalt: Buffer.from(content), compress: true }),
        )
        writeFileSync(path, await zipBytes(zipped))
        return new Promise<{ status: number; text: string }>((resolve) => {
          execFile(process.execPath, [VERIFIER, path, ...words], (error, stdout, stderr) =>
            resolve({ status: error === null ? 0 : Number(error.code), text: stdout + stderr }),
          )
        })
      }
      const changed = (
        files: ReadonlyMap<string, Buffer>,
        name: string | RegExp,
        change: (text: string) => string,
      ) => {
        const found = [...files.keys()].find((one) =>
          typeof name === 'string' ? one === name : name.test(one),
        )!
        const before = files.get(found)!.toString('latin1')
        const after = change(before)
        expect(after, found).not.toBe(before)
        return new Map(files).set(found, Buffer.from(after, 'latin1'))
      }
      /** As somebody with the key would hand it out: list and signature fit what was changed. */
      function signedAgain(files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
        const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
        const own = new Set(['kette/pruefsummen.txt', 'kette/anker.json'])
        const listed = [...files].filter(([name]) => !own.has(name))
        const list = Buffer.from(listed.map(([name, bytes]) => `${digest(bytes)}  ${name}\n`).join(''))
        const { format, von, bis, zeit, ab, vorher, nr, kopf } = JSON.parse(
          files.get('kette/anker.json')!.toString('utf8'),
        ) as Record<string, string>
        const listDigest = digest(list)
        const body = { format, von, bis, zeit, ab, vorher, nr, kopf, pruefsumme: listDigest }
        const { key } = anchors
        const proof = {
          ...body,
          schluessel: key.publicKey,
          signature: key.sign(Object.values(body).join('|')),
        }
        return new Map(files)
          .set('kette/pruefsummen.txt', list)
          .set('kette/anker.json', Buffer.from(JSON.stringify(proof)))
      }
      const proofOf = (files: ReadonlyMap<string, Buffer>) =>
        JSON.parse(files.get('kette/anker.json')!.toString('utf8')) as {
          nr: number
          kopf: string
          ab: number
        }

      test('as it was made, by the database and by what is noted elsewhere', async () => {
        const files = await archive('pruefer')
        const { nr, kopf } = proofOf(files)
        const fingerprint = (await checkedAnchors()).schluessel
        const answer = await verify(files, '--kopf', `${nr}:${kopf}`, '--schluessel', fingerprint)
        expect(answer).toMatchObject({ status: 0, text: expect.stringContaining('In Ordnung') as string })
        // Something was compared.
        expect(answer.text).toMatch(/[1-9]\d* Datensätze stimmen .* [1-9]\d* Tabellenzeilen/)
        expect(answer.text).toMatch(/davon [1-9]\d* Dokumente/)
        expect((await verify(files, '--kopf', `${nr}:${'0'.repeat(64)}`)).status).toBe(1)
        expect((await verify(files, '--schluessel', '0'.repeat(16))).status).toBe(1)
      })
      const checkedAnchors = async () =>
        (
          await app.inject({
            url: '/prod-api/pruefung/anker',
            headers: { authorization: 'Bearer token-pruefer' },
          })
        ).json<{ schluessel: string; ok: boolean; anker: number }>()

      test('of a period, with the entries since its first day', async () => {
        const later = await archive('pruefer', '2199-01-01_2199-12-31.zip')
        const proof = proofOf(later)
        expect(proof.ab).toBe(proof.nr + 1)
        expect(await verify(later)).toMatchObject({ status: 0 })
      })
      type Change = readonly [what: string, file: string | RegExp, change: (text: string) => string]
      const CHANGES: readonly Change[] = [
        ['a document', /^dokumente\/.*pdf$/, (text) => `${text}b`],
        ['an amount in a table', 'rechnungen.csv', (text) => text.replace('119,00', '118,00')],
        ['a payment in a table', 'zahlungen.csv', (text) => text.replace('19,00', '18,00')],
        ['a record', /^kette\/saetze/, (text) => text.replace('119.00', '118.00')],
        ['an entry', /^kette\/siegel/, (text) => text.replace('"nutzer"', '"jemand"')],
        ['an entry left out', /^kette\/siegel/, (text) => text.split('\n').toSpliced(3, 1).join('\n')],
        ['the newest entries left out', /^kette\/siegel/, (text) => text.split('\n').slice(0, -4).join('\n')],
        [
          'a row of a table left out',
          'rechnungen.csv',
          (text) => text.split('\r\n').toSpliced(1, 1).join('\r\n'),
        ],
        ['a payment left out', 'zahlungen.csv', (text) => `${text.split('\r\n')[0]}\r\n`],
        ['a row of a table twice', 'rechnungen.csv', (text) => `${text}${text.split('\r\n').at(-2)}\r\n`],
        ['a table that ends in the middle of a row', 'positionen.csv', (text) => text.slice(0, -30)],
        ['a cell that no table has', 'zahlungen.csv', (text) => text.replace(';"', ';x"')],
        ['a heading renamed', 'zahlungen.csv', (text) => text.replace('"Betrag"', '"Summe"')],
        ['a row of a table that has no record', 'rechnungen.csv', (text) => `${text}9999;"RE-9";;;\r\n`],
      ]
      test.each(CHANGES)('with the key at hand as well: %s', async (_what, file, change) => {
        const altered = changed(await archive('pruefer'), file, change)
        expect((await verify(altered)).status).toBe(1)
        expect(await verify(signedAgain(altered))).toMatchObject({
          status: 1,
          text: expect.stringContaining('NICHT IN ORDNUNG') as string,
        })
      })
      interface Kept {
        readonly tabelle: string
        readonly schluessel: string
        readonly werte: string
      }
      const linesIn = (files: ReadonlyMap<string, Buffer>, kind: string) =>
        [...files]
          .filter(([name]) => name.startsWith(`kette/${kind}-`))
          .flatMap(([, bytes]) => bytes.toString('utf8').split('\n'))
          .filter((line) => line !== '')
      const recordsIn = (files: ReadonlyMap<string, Buffer>) =>
        linesIn(files, 'saetze').map((line) => JSON.parse(line) as Kept)
      /** Records with their rows and files, as if they had never been there. */
      function without(files: ReadonlyMap<string, Buffer>, isGone: (one: Kept, fields: Fields) => boolean) {
        const gone = recordsIn(files).filter((one) => isGone(one, JSON.parse(one.werte) as Fields))
        const ids = new Set(gone.map(({ tabelle, schluessel }) => `${tabelle} ${schluessel}`))
        const left = new Map<string, Buffer>()
        for (const [name, bytes] of files) {
          const table = TABLE_OF_FILE[name] ?? TABLE_OF_FOLDER[name.split('/')[0]!]
          const id = name.split(/[/_]/)[1] ?? ''
          const keep = (key: string) => !ids.has(`${table} ${key}`)
          if (name.startsWith('kette/saetze-'))
            left.set(
              name,
              Buffer.from(
                bytes
                  .toString('utf8')
                  .split('\n')
                  .filter((line) => {
                    if (line === '') return true
                    const { tabelle, schluessel } = JSON.parse(line) as Kept
                    return !ids.has(`${tabelle} ${schluessel}`)
                  })
                  .join('\n'),
              ),
            )
          else if (table === undefined) left.set(name, bytes)
          else if (name.endsWith('.csv')) {
            const rows = bytes.toString('latin1').split('\r\n')
            left.set(name, Buffer.from(rows.filter((row) => keep(row.split(';')[0]!)).join('\r\n'), 'latin1'))
          } else if (keep(id)) left.set(name, bytes)
        }
        return { left, gone }
      }
      type Fields = Readonly<Record<string, unknown>>
      const TABLE_OF_FOLDER: Readonly<Record<string, string>> = {
        dokumente: 'dokument',
        eingang: 'eingang',
        anlagen: 'anlage',
      }
      const TABLE_OF_FILE: Readonly<Record<string, string>> = {
        'rechnungen.csv': 'rechnung',
        'positionen.csv': 'position',
        'zahlungen.csv': 'zahlung',
        'mahnungen.csv': 'mahnung',
        'versand.csv': 'versand',
        'eingang.csv': 'eingang',
        'anlagen.csv': 'anlage',
        'protokoll.csv': 'protokoll',
      }
      /** An invoice and everything that hangs on it. */
      const ofInvoices =
        (ids: ReadonlySet<unknown>) =>
        ({ tabelle }: Kept, { id, rechnung_id, gegenstand, gegenstand_id }: Fields): boolean =>
          tabelle === 'rechnung'
            ? ids.has(id)
            : ids.has(rechnung_id) || (gegenstand === 'rechnung' && ids.has(gegenstand_id))
      const invoicesIn = (files: ReadonlyMap<string, Buffer>) =>
        recordsIn(files)
          .filter(({ tabelle }) => tabelle === 'rechnung')
          .map(({ werte }) => JSON.parse(werte) as { id: number; rn_datum: string; folge: number })
          .toSorted((one, other) => one.folge - other.folge)
      const OMISSIONS: readonly (readonly [
        what: string,
        isGone: (files: ReadonlyMap<string, Buffer>) => (one: Kept, fields: Fields) => boolean,
      ])[] = [
        ['the first invoice', (files) => ofInvoices(new Set([invoicesIn(files)[0]!.id]))],
        ['the last invoice', (files) => ofInvoices(new Set([invoicesIn(files).at(-1)!.id]))],
        [
          'the invoices of a month',
          (files) => {
            const month = invoicesIn(files).at(-1)!.rn_datum.slice(0, 7)
            const own = invoicesIn(files).filter(({ rn_datum }) => rn_datum.startsWith(month))
            return ofInvoices(new Set(own.map(({ id }) => id)))
          },
        ],
        [
          'a file of a document',
          (files) => {
            const first = recordsIn(files).find(({ tabelle }) => tabelle === 'dokument')!.schluessel
            return ({ tabelle, schluessel }) => tabelle === 'dokument' && schluessel === first
          },
        ],
        [
          'received invoices',
          () =>
            ({ tabelle }) =>
              tabelle === 'eingang',
        ],
        [
          'attachments',
          () =>
            ({ tabelle }) =>
              tabelle === 'anlage',
        ],
        [
          'payments',
          () =>
            ({ tabelle }) =>
              tabelle === 'zahlung',
        ],
        [
          'the log of a day',
          () =>
            ({ tabelle }) =>
              tabelle === 'protokoll',
        ],
      ]
      test.each(OMISSIONS)(
        'with the key at hand, left out with all that refers to it: %s',
        async (what, choose) => {
          const files = await archive('pruefer')
          const { left, gone } = without(files, choose(files))
          expect(gone, what).not.toEqual([])
          const answer = await verify(signedAgain(left))
          expect(answer.status).toBe(1)
          expect(answer.text).toMatch(/hat Siegel \d+ und fehlt im Archiv/)
          // As if it were of another time: its seal has its day.
          const lie = gone.map(({ tabelle, schluessel, werte }) => {
            const moved = Object.fromEntries(
              Object.entries(JSON.parse(werte) as Fields).map(([name, value]) => [
                name,
                /^(?:.*datum|bezahlt_am|zeit|.*_am)$/.test(name) && value !== null ? '1999-12-31' : value,
              ]),
            )
            const { nr } = recordsOf(files, tabelle, schluessel)
            return JSON.stringify({ nr, tabelle, schluessel, werte: moved })
          })
          const told = new Map(left).set('kette/uebrige-00099.jsonl', Buffer.from(`${lie.join('\n')}\n`))
          expect((await verify(signedAgain(told))).status).toBe(1)
        },
      )
      const recordsOf = (files: ReadonlyMap<string, Buffer>, table: string, key: string) =>
        linesIn(files, 'saetze')
          .map((line) => JSON.parse(line) as Kept & { nr: number })
          .find(({ tabelle, schluessel }) => tabelle === table && schluessel === key)!
      test('of a part of the year: what is outside is shown under its seal, or the list is missed', async () => {
        const files = await archive('pruefer', '2026-01-01_2026-01-31.zip')
        expect(await verify(files)).toMatchObject({ status: 0 })
        expect(linesIn(files, 'uebrige').length).toBeGreaterThan(5)
        const bare = new Map([...files].filter(([name]) => !name.startsWith('kette/uebrige-')))
        const answer = await verify(signedAgain(bare))
        expect(answer.status).toBe(1)
        expect(answer.text).toContain('kette/uebrige-*.jsonl fehlt')
        const changedDay = changed(files, /^kette\/uebrige/, (given) =>
          given.replace(/"(?:zeit|rn_datum|datum|angelegt_am)": ?"20/, (part) => part.replace('20', '19')),
        )
        const moved = await verify(signedAgain(changedDay))
        expect(moved.text).toMatch(/sagt etwas anderes als kette\/uebrige/)
      })
      test('a signature, the list, a file too much and a file less', async () => {
        const files = await archive('pruefer')
        // oxlint-disable-next-line no-await-in-loop -- one process at a time
        for (const altered of [
          changed(files, 'kette/anker.json', (text) =>
            text.replace(/(?<="signature": ")./, (letter) => (letter === '_' ? 'A' : '_')),
          ),
          changed(files, 'kette/anker.json', (text) => text.replace('2026-12-31', '2026-11-30')),
          changed(files, 'kette/pruefsummen.txt', (text) =>
            text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
          ),
          new Map(files).set('more.txt', Buffer.from('x')),
          new Map([...files].filter(([name]) => name !== 'kunden.csv')),
          new Map([...files].filter(([name]) => !/^dokumente\/.*pdf$/.test(name))),
        ])
          expect((await verify(altered)).status).toBe(1)
      })
      test.each([
        ['no archive', Buffer.from('x')],
        ['an empty file', Buffer.alloc(0)],
        ['half of one', null],
      ])('says in a sentence what it cannot read: %s', async (_what, bytes) => {
        const path = join(anchors.folder, 'broken.zip')
        writeFileSync(path, bytes ?? (await get('pruefer')).rawPayload.subarray(0, 5_000))
        const answer = await new Promise<{ status: number; text: string }>((resolve) => {
          execFile(process.execPath, [VERIFIER, path], (error, stdout, stderr) =>
            resolve({ status: error === null ? 0 : Number(error.code), text: stdout + stderr }),
          )
        })
        expect(answer).toEqual({ status: 2, text: 'Das ist kein vollständiges ZIP-Archiv.\n' })
      })
      test('each archive anchors the head, and only people of the books read the anchors', async () => {
        const before = (await checkedAnchors()).anker
        await archive('pruefer')
        expect(await checkedAnchors()).toMatchObject({ ok: true, anker: before + 1 })
        for (const name of NAMES.filter((one) => !['apus_admin', 'admin', 'pruefer'].includes(one))) {
          const answer = await app.inject({
            url: '/prod-api/pruefung/anker',
            headers: { authorization: `Bearer token-${name}` },
          })
          expect([name, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([name, true])
          expect(answer.payload).not.toContain('schluessel')
        }
      })
    })
    test('a period without anything is an archive of empty tables', async () => {
      const answer = await get('apus_admin', '2001-01-01_2001-12-31.zip')
      const files = await unpackZip(new Uint8Array(answer.rawPayload), () => true)
      expect(files.filter(({ name }) => name.startsWith('dokumente/'))).toEqual([])
      expect(
        Buffer.from(files.find(({ name }) => name === 'rechnungen.csv')!.data)
          .toString('utf8')
          .split('\r\n'),
      ).toHaveLength(2)
    })
  })

test('a table keeps hostile text in its cell and as it is, and numbers plain', () => {
  const table = csv(
    {
      spalten: [
        { name: 'Text', art: 'text' },
        { name: 'Zahl', art: 'zahl' },
      ],
    },
    [
      ['=cmd|x', '-1,50'],
      ['a";"b\r\nc', null],
      [' +1', '2,00'],
      [null, '3,00'],
    ],
  )
  expect(table.toString('utf8')).toBe(
    `"Text";"Zahl"\r\n"=cmd|x";-1,50\r\n"a"";""b\r\nc";\r\n" +1";2,00\r\n"";3,00\r\n`,
  )
})
