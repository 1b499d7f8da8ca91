// The chain of the books: whatever a superuser changes past the application is found by record and column,
// or refused, on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { EINGANG_OK, EINGANG_PAID, EINGANG_ZAHLUNG, ZAHLLAUF } from './cells/eingang.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf } from './world.ts'

interface Found {
  readonly was: string
  readonly tabelle?: string
  readonly schluessel?: string
  readonly felder?: readonly string[] | null
}
/** What is done with all triggers off, and what the check must say about it. */
type Manipulation = readonly [
  what: string,
  text: (id: Ids) => string,
  was: string,
  tabelle: string,
  field?: string,
]
interface Ids {
  readonly rechnung: string
  readonly storno: string
  readonly angebot: string
  readonly zahlung: string
  readonly umsatz: string
  readonly mahnung: string
  readonly versand: string
  readonly dokument: string
  readonly link: string
}

/** Tables whose name is not that of the id. */
const TABLE_OF: Partial<Record<keyof Ids, string>> = {
  umsatz: 'kontoumsatz',
  link: 'annahme_link',
  storno: 'rechnung',
}
const set =
  (key: keyof Ids, values: string) =>
  (id: Ids): string =>
    `update app.${TABLE_OF[key] ?? key} set ${values} where id = ${id[key]}`
/** Of the world that all tests share. */
const at = (table: 'eingang_zahlung' | 'zahllauf' | 'zahlposten', values: string) => (): string =>
  `update app.${table} set ${values} where id = ${ZAHLLAUF}`
const line = (text: string) => (id: Ids) =>
  `update app.position set ${text} where id = (select min(id) from app.position where rechnung_id = ${id.rechnung})`

const MANIPULATIONS: readonly Manipulation[] = [
  ['due date', set('rechnung', `faellig = faellig + 30`), 'inhalt', 'rechnung', 'faellig'],
  ['date of the invoice', set('rechnung', `rn_datum = rn_datum - 1`), 'inhalt', 'rechnung', 'rn_datum'],
  ['number', set('rechnung', `nummer = nummer || 'x'`), 'inhalt', 'rechnung', 'nummer'],
  ['order of issue', set('rechnung', `folge = folge + 1000`), 'inhalt', 'rechnung', 'folge'],
  ['who issued', set('rechnung', `ausgestellt_von = 'jemand'`), 'inhalt', 'rechnung', 'ausgestellt_von'],
  [
    'when issued',
    set('rechnung', `ausgestellt_am = ausgestellt_am - interval '1 day'`),
    'inhalt',
    'rechnung',
    'ausgestellt_am',
  ],
  ['frozen document', set('rechnung', `beleg = beleg || '{"zuerl": "x"}'`), 'inhalt', 'rechnung', 'beleg'],
  ['clerk', set('rechnung', `bearbeiter = 'x'`), 'inhalt', 'rechnung', 'bearbeiter'],
  ['order number', set('rechnung', `bestellnummer = 'x'`), 'inhalt', 'rechnung', 'bestellnummer'],
  [
    'cash discount',
    set('rechnung', `skonto = '[{"tage": 3, "prozent": "1.00"}]'`),
    'inhalt',
    'rechnung',
    'skonto',
  ],
  ['archived', set('rechnung', `archiviert = not archiviert`), 'inhalt', 'rechnung', 'archiviert'],
  [
    'Storno of another',
    set('storno', `storno_von = null, art = 'rechnung'`),
    'inhalt',
    'rechnung',
    'storno_von',
  ],
  ['reason of the Storno', set('storno', `storno_grund = 'x'`), 'inhalt', 'rechnung', 'storno_grund'],
  ['unit price', line(`ep = ep + 1`), 'inhalt', 'position', 'ep'],
  ['quantity', line(`anzahl = anzahl + 1`), 'inhalt', 'position', 'anzahl'],
  ['text of a line', line(`bez = 'x'`), 'inhalt', 'position', 'bez'],
  ['rate of a line', line(`ust_satz = 7`), 'inhalt', 'position', 'ust_satz'],
  ['order of lines', line(`lfd_nr = lfd_nr + 50`), 'inhalt', 'position', 'lfd_nr'],
  [
    'a line more',
    ({ rechnung }) =>
      `insert into app.position (client_id, rechnung_id, lfd_nr, bez) values (${w.A}, ${rechnung}, 77, 'x')`,
    'ohne_eintrag',
    'position',
  ],
  [
    'a line less',
    ({ rechnung }) => `delete from app.position where rechnung_id = ${rechnung}`,
    'fehlt',
    'position',
  ],
  ['state of an offer', set('angebot', `status = 'abgelehnt'`), 'inhalt', 'angebot', 'status'],
  ['who decided', set('angebot', `entschieden_von = 'jemand'`), 'inhalt', 'angebot', 'entschieden_von'],
  ['when decided', set('angebot', `entschieden_am = now()`), 'inhalt', 'angebot', 'entschieden_am'],
  [
    'what was ordered',
    set('angebot', `auftrag_netto = 1, auftrag_steuer = 0, auftrag_brutto = 1`),
    'inhalt',
    'angebot',
    'auftrag_netto',
  ],
  ['sent offer', set('angebot', `beleg = beleg || '{"zuerl": "x"}'`), 'inhalt', 'angebot', 'beleg'],
  ['signed', set('angebot', `sign = not sign`), 'inhalt', 'angebot', 'sign'],
  ['valid until', set('angebot', `gueltig_bis = '2199-01-01'`), 'inhalt', 'angebot', 'gueltig_bis'],
  ['amount paid', set('zahlung', `betrag = betrag + 1`), 'inhalt', 'zahlung', 'betrag'],
  ['day paid', set('zahlung', `datum = datum - 1`), 'inhalt', 'zahlung', 'datum'],
  ['kind of payment', set('zahlung', `art = 'ausfall'`), 'inhalt', 'zahlung', 'art'],
  ['remark of a payment', set('zahlung', `bemerkung = 'x'`), 'inhalt', 'zahlung', 'bemerkung'],
  [
    'payment of another invoice',
    ({ zahlung, storno }) => `update app.zahlung set rechnung_id = ${storno} where id = ${zahlung}`,
    'inhalt',
    'zahlung',
    'rechnung_id',
  ],
  ['payment gone', ({ zahlung }) => `delete from app.zahlung where id = ${zahlung}`, 'fehlt', 'zahlung'],
  [
    'payment invented',
    ({ rechnung }) =>
      `insert into app.zahlung (client_id, rechnung_id, datum, betrag) values (${w.A}, ${rechnung}, '2026-02-01', 1)`,
    'ohne_eintrag',
    'zahlung',
  ],
  ['bank amount', set('umsatz', `betrag = betrag + 1`), 'inhalt', 'kontoumsatz', 'betrag'],
  ['bank text', set('umsatz', `zweck = 'x'`), 'inhalt', 'kontoumsatz', 'zweck'],
  ['bank name', set('umsatz', `name = 'x'`), 'inhalt', 'kontoumsatz', 'name'],
  ['bank day', set('umsatz', `datum = datum - 1`), 'inhalt', 'kontoumsatz', 'datum'],
  ['bank entry put aside', set('umsatz', `erledigt = not erledigt`), 'inhalt', 'kontoumsatz', 'erledigt'],
  [
    'bank entry gone',
    ({ umsatz }) => `delete from app.kontoumsatz where id = ${umsatz}`,
    'fehlt',
    'kontoumsatz',
  ],
  ['paid to a supplier', at('eingang_zahlung', `betrag = betrag + 1`), 'inhalt', 'eingang_zahlung', 'betrag'],
  [
    'day paid to a supplier',
    at('eingang_zahlung', `datum = datum - 1`),
    'inhalt',
    'eingang_zahlung',
    'datum',
  ],
  ['kind of payment to one', at('eingang_zahlung', `art = 'skonto'`), 'inhalt', 'eingang_zahlung', 'art'],
  [
    'payment to a supplier gone',
    () => `delete from app.eingang_zahlung where id = ${EINGANG_ZAHLUNG}`,
    'fehlt',
    'eingang_zahlung',
  ],
  [
    'payment to a supplier invented',
    () =>
      `insert into app.eingang_zahlung (eingang_id, datum, betrag) values (${EINGANG_OK}, '2026-02-01', 1)`,
    'ohne_eintrag',
    'eingang_zahlung',
  ],
  ['sum of a file for the bank', at('zahllauf', `summe = summe + 1`), 'inhalt', 'zahllauf', 'summe'],
  ['digest of a file', at('zahllauf', `sha256 = repeat('b', 64)`), 'inhalt', 'zahllauf', 'sha256'],
  [
    'account in a file for the bank',
    at('zahlposten', `iban = 'DE89370400440532013000'`),
    'inhalt',
    'zahlposten',
    'iban',
  ],
  ['line of a file gone', () => `delete from app.zahlposten where id = ${ZAHLLAUF}`, 'fehlt', 'zahlposten'],
  [
    'account of a supplier',
    () => `update app.kreditor set iban = 'DE89370400440532013000'`,
    'inhalt',
    'kreditor',
    'iban',
  ],
  [
    'received invoice as paid',
    () => `update app.eingang set bezahlt = 0 where id = ${EINGANG_PAID}`,
    'inhalt',
    'eingang',
    'bezahlt',
  ],
  ['fee of a reminder', set('mahnung', `gebuehr = gebuehr + 1`), 'inhalt', 'mahnung', 'gebuehr'],
  ['printed reminder', set('mahnung', `beleg = beleg || '{"x": 1}'`), 'inhalt', 'mahnung', 'beleg'],
  ['reminder gone', ({ mahnung }) => `delete from app.mahnung where id = ${mahnung}`, 'fehlt', 'mahnung'],
  ['receiver of a delivery', set('versand', `an = 'x@x.example'`), 'inhalt', 'versand', 'an'],
  ['text of a delivery', set('versand', `text = 'x'`), 'inhalt', 'versand', 'text'],
  [
    'delivery that was not',
    set('versand', `zustand = 'gesendet', gesendet_am = '2026-02-02'`),
    'inhalt',
    'versand',
    'zustand',
  ],
  ['delivery gone', ({ versand }) => `delete from app.versand where id = ${versand}`, 'fehlt', 'versand'],
  [
    'file and its digest',
    set('dokument', `inhalt = 'anders', sha256 = encode(sha256('anders'), 'hex')`),
    'inhalt',
    'dokument',
    'sha256',
  ],
  ['name of a file', set('dokument', `dateiname = 'x.pdf'`), 'inhalt', 'dokument', 'dateiname'],
  ['file gone', ({ dokument }) => `delete from app.dokument where id = ${dokument}`, 'fehlt', 'dokument'],
  [
    'file added',
    ({ rechnung }) =>
      `insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
        values (${w.A}, ${rechnung}, 'xml', 'y.xml', 'y', encode(sha256('y'), 'hex'))`,
    'ohne_eintrag',
    'dokument',
  ],
  ['link prolonged', set('link', `gueltig_bis = '2199-01-01'`), 'inhalt', 'annahme_link', 'gueltig_bis'],
  ['link used', set('link', `benutzt_am = now(), benutzt_von = 'x'`), 'inhalt', 'annahme_link', 'benutzt_am'],
  [
    'range of numbers',
    () => `update app.nummernkreis set naechste = naechste + 50 where art = 'rechnung'`,
    'inhalt',
    'nummernkreis',
    'naechste',
  ],
  [
    'pattern of numbers',
    () => `update app.nummernkreis set muster = 'X{N}', jaehrlich = false`,
    'inhalt',
    'nummernkreis',
    'muster',
  ],
  [
    'account of the supplier',
    () => `update app.lieferant set iban = 'DE89370400440532013000'`,
    'inhalt',
    'lieferant',
    'iban',
  ],
  [
    'name in the log',
    () => `update app.protokoll set wer = 'jemand' where nr = 3`,
    'inhalt',
    'protokoll',
    'wer',
  ],
  [
    'the log hashed again',
    () => `update app.protokoll p set inhalt = '{"x": 1}' where nr = (select max(nr) from app.protokoll);
      update app.protokoll p set hash = books.entry_hash(p) where nr = (select max(nr) from app.protokoll)`,
    'inhalt',
    'protokoll',
    'inhalt',
  ],
  [
    'newest row of the log',
    () => `delete from app.protokoll where nr = (select max(nr) from app.protokoll)`,
    'fehlt',
    'protokoll',
  ],
  ['entry of the chain', () => `delete from app.siegel where nr = 5`, 'luecke', '*'],
  [
    'time of an entry',
    () => `update app.siegel set zeit = zeit - interval '1 day' where nr = 5`,
    'kette',
    '*',
  ],
  [
    'entry hashed again',
    () => `update app.siegel set user_id = 7 where nr = 5;
      update app.siegel s set hash = books.seal_hash(s, (select d.hash from app.siegel d where d.nr = 4)) where nr = 5`,
    'kette',
    '*',
  ],
  [
    'sealed again as found',
    ({ zahlung }) => `update app.zahlung set betrag = betrag + 1 where id = ${zahlung};
      delete from app.siegel where tabelle = 'zahlung'; select books.seal_missing()`,
    'luecke',
    '*',
  ],
]
/** With triggers on: refused, or recorded as written by hand. */
const BY_HAND: readonly (readonly [what: string, text: (id: Ids) => string])[] = [
  ['range of numbers', () => `update app.nummernkreis set naechste = naechste + 50 where art = 'rechnung'`],
  [
    'receiver of a delivery',
    ({ versand }) => `update app.versand set an = 'x@x.example' where id = ${versand}`,
  ],
  [
    'answer of an offer',
    ({ angebot }) => `update app.angebot set status = 'abgelehnt' where id = ${angebot}`,
  ],
  ['account of the supplier', () => `update app.lieferant set iban = 'DE89370400440532013000'`],
  ['supplier gone', () => 'delete from app.lieferant'],
  ['range of numbers gone', () => 'delete from app.nummernkreis'],
  [
    'payment',
    ({ rechnung }) =>
      `insert into app.zahlung (client_id, rechnung_id, datum, betrag) values (${w.A}, ${rechnung}, '2026-02-01', 1)`,
  ],
]
const REFUSED = [
  'rechnung',
  'angebot',
  'position',
  'dokument',
  'zahlung',
  'kontoumsatz',
  'mahnung',
  'sepa_mandat',
  'sepa_lauf',
  'sepa_posten',
  'eingang_zahlung',
  'zahllauf',
  'zahlposten',
  'versand',
  'annahme_link',
  'nummernkreis',
  'lieferant',
  'eingang',
  'kreditor',
  'anlage',
  'protokoll',
  'siegel',
  'siegel_form',
  'buchpruefung',
  'kunde_rechnung',
  'rechnung_offen',
  'angebot_offen',
  'serie',
  'serie_lauf',
  'eingang_mail',
  'dokument_auftrag',
].map((table) => `truncate app.${table} cascade`)

class UndoError extends Error {}

/** Owns the tables and is no superuser; may switch triggers and forced row security off. */
function asTableOwner(text: string, isBare: boolean): string {
  const sealed = REFUSED.map((each) => each.split(' ')[1]!)
  const alter = (what: string) => sealed.map((table) => `alter table ${table} ${what};`).join('\n')
  return `do $$ begin execute format('create role forst_probe in role %I', current_user); end $$;
    set local role forst_probe;
    ${isBare ? alter('disable trigger user, no force row level security') : ''}
    ${text};
    ${isBare ? `set constraints all immediate; ${alter('enable trigger user, force row level security')}` : ''}
    reset role`
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`chain of the books on ${engineName}`, () => {
    let engine: Engine
    let ids: Ids
    const call = async <T>(text: string, ...values: unknown[]): Promise<T> =>
      Object.values(
        (
          await engine.api.once<Record<string, unknown>>(
            asCaller(claimsOf('apus_admin')),
            sql(`select ${text}`, ...values),
          )
        ).rows[0]!,
      )[0] as T
    const session = <T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> =>
      'asOwner' in engine.api ? (engine.api as EmbeddedDatabase).asOwner(work) : work(engine.owner)

    const checkIn = async (owner: OwnerConnection, onlyNew = false) => {
      await owner.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(claimsOf('apus_admin')),
      ])
      const { rows } = await owner.query<{ ok: boolean; befunde: string }>(
        'select ok, befunde::text as befunde from app.a_check_protokoll($1)',
        [onlyNew],
      )
      return { ok: rows[0]!.ok, found: JSON.parse(rows[0]!.befunde) as Found[] }
    }
    /** Makes a change in a transaction, checks the books and takes it back. */
    const tried = (text: string, triggers: 'on' | 'off' | 'owner' | 'owner off', onlyNew = false) =>
      session(async (owner) => {
        let answer: Awaited<ReturnType<typeof checkIn>> | undefined
        await owner.script('begin')
        try {
          if (triggers === 'off')
            await owner.script(
              `set local session_replication_role = replica; ${text}; set local session_replication_role = origin`,
            )
          else if (triggers === 'on') await owner.script(text)
          else await owner.script(asTableOwner(text, triggers === 'owner off'))
          answer = await checkIn(owner, onlyNew)
          throw new UndoError()
        } catch (error) {
          if (!(error instanceof UndoError)) throw error
        } finally {
          await owner.script('rollback')
        }
        return answer!
      })

    const ownerValue = async (text: string) =>
      String(Object.values((await engine.owner.query<Record<string, unknown>>(`select ${text}`)).rows[0]!)[0])

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const draft = async () => {
        const id = await call<string>(`app.a_add_invoice($1, $2, '2026-01-05', 19)`, w.A, '2026-01-05')
        await call(
          'app.a_save_positions($1::jsonb, $2)',
          JSON.stringify([
            { bez: 'Vermessung', anzahl: '2.5', einheit: 'h', ep: '80.50' },
            { bez: 'Fahrt', anzahl: '1', einheit: 'psch', ep: '40' },
          ]),
          id,
        )
        return id
      }
      const issued = async () => {
        const id = await draft()
        await call(
          "app.a_update_invoice_details($1, $2, (now() at time zone 'Europe/Berlin')::date, $3, $4, $5, $6, 19)",
          'Anna',
          '2026-01-05',
          id,
          'Guten Tag',
          'wir berechnen',
          '',
        )
        await call('app.a_issue_invoice($1)', id)
        return id
      }
      const rechnung = await issued()
      const storno = await call<string>('(app.a_cancel_invoice($1, null, $2)).id', await issued(), 'Irrtum')
      await call(
        'app.a_import_bank($1::jsonb, $2)',
        JSON.stringify([
          {
            konto: 'DE02120300000000202051',
            datum: '2026-02-01',
            betrag: '100.00',
            name: 'Forst A',
            zweck: 'RE',
            iban: '',
          },
        ]),
        'auszug.xml',
      )
      const umsatz = await ownerValue('max(id) from app.kontoumsatz')
      await call('app.a_match_bank($1, $2)', umsatz, rechnung)
      await call(`app.a_send_beleg('rechnung', $1, 'x@forst.example', 'Rechnung', 'Anbei.')`, rechnung)
      const offer = await call<string>(
        "app.a_add_offer($1, (now() at time zone 'Europe/Berlin')::date, 19)",
        w.A,
      )
      await call(
        'app.a_save_positions($1::jsonb, null, $2)',
        JSON.stringify([{ bez: 'Vermessung', anzahl: '1', einheit: 'psch', ep: '80.50' }]),
        offer,
      )
      await call('app.a_issue_offer($1)', offer)
      await call(`app.a_add_annahme_link($1, 'x@forst.example', null)`, offer)
      await call(`app.a_decide_offer($1, true, 'am Telefon')`, offer)
      await engine.api.once(
        { role: 'forst_dokument' },
        sql(
          `insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
            values ($1, $2, 'pdf', 'r.pdf', 'bytes', encode(sha256('bytes'), 'hex'))`,
          w.A,
          rechnung,
        ),
      )
      ids = {
        rechnung,
        storno,
        umsatz,
        angebot: offer,
        zahlung: await ownerValue('max(id) from app.zahlung'),
        mahnung: await ownerValue('max(id) from app.mahnung'),
        versand: await ownerValue('max(id) from app.versand'),
        dokument: await ownerValue('max(id) from app.dokument'),
        link: await ownerValue('max(id) from app.annahme_link'),
      }
    }, 120_000)
    afterAll(() => engine?.close())

    test('holds after work through the application, as a whole and since the last proof', async () => {
      expect(await tried('select 1', 'on')).toEqual({ ok: true, found: [] })
      expect(await call('(app.a_check_protokoll()).befunde::text')).toBe('[]')
      expect(await call('(app.a_check_protokoll(true)).geprueft::text')).toBe('0')
      expect(await tried('select 1', 'on', true)).toEqual({ ok: true, found: [] })
    })

    test.for(MANIPULATIONS)('%s: found', async ([, text, was, tableName, field]) => {
      const { ok, found } = await tried(text(ids), 'off')
      expect(ok).toBe(false)
      const fitting = found.filter(
        (one) => one.was === was && (tableName === '*' || one.tabelle === tableName),
      )
      expect(fitting, JSON.stringify(found)).not.toEqual([])
      if (field !== undefined) expect(fitting[0]!.felder).toContain(field)
    })
    test.for(MANIPULATIONS)('%s, by the owner of the tables: found or refused', async ([, text]) => {
      try {
        expect((await tried(text(ids), 'owner off')).ok).toBe(false)
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        // A key or a check of the table, a generated column, a right.
        expect(error.code).toMatch(/^(23|428C9|42501)/)
      }
    })
    test.for(BY_HAND)('%s by hand with triggers on: refused or marked', async ([, text]) => {
      try {
        const { found } = await tried(text(ids), 'on')
        expect(found.map(({ was }) => was)).toContain('von_hand')
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        expect(error.code).toBe('PT409')
      }
    })
    test.for(REFUSED)('%s: refused to superuser and owner', async (text) => {
      // oxlint-disable-next-line no-await-in-loop -- one session
      for (const as of ['on', 'owner'] as const)
        await expect(tried(text, as)).rejects.toThrow('issued documents are not changed')
    })
    test.for(['dokument', 'eingang', 'anlage'] as const)(
      'bytes that were replaced without their digest: %s',
      async (table) => {
        const id = table === 'dokument' ? ids.dokument : await ownerValue(`max(id) from app.${table}`)
        expect(id).not.toBe('null')
        const answer = await session(async (owner) => {
          await owner.script(
            `begin;
             ${
               table === 'dokument'
                 ? 'alter table app.dokument drop constraint dokument_check;'
                 : `alter table app.${table} alter column sha256 drop expression;`
             }
             set local session_replication_role = replica;
             update app.${table} set inhalt = 'anders' where id = ${id};
             set local session_replication_role = origin`,
          )
          await owner.query(`select set_config('request.jwt.claims', $1, true)`, [
            JSON.stringify(claimsOf('apus_admin')),
          ])
          const { rows } = await owner.query<{ befunde: string; fertig: boolean; bis: string }>(
            'select befunde::text as befunde, fertig, bis from app.a_check_dateien()',
          )
          await owner.script('rollback')
          expect(rows[0]!.fertig).toBe(true)
          return JSON.parse(rows[0]!.befunde) as Found[]
        })
        expect(answer).toEqual([{ was: 'datei', tabelle: table, schluessel: id }])
      },
    )
    test('a check in parts meets every stored file once', async () => {
      const { rows: all } = await engine.owner.query<{ n: number }>(
        `select ((select count(*) from app.dokument) + (select count(*) from app.eingang)
           + (select count(*) from app.anlage))::integer as n`,
      )
      let [after, met] = ['0', 0]
      for (let isDone = false; !isDone; ) {
        const { rows } = await engine.owner.query<{ bis: string; anzahl: string; fertig: boolean }>(
          'select bis::text as bis, anzahl::text as anzahl, fertig from books.check_files($1, 1)',
          [after],
        )
        expect(Number(rows[0]!.anzahl)).toBe(1)
        after = rows[0]!.bis
        met += 1
        isDone = rows[0]!.fertig
      }
      expect(met).toBe(all[0]!.n)
    })
    test('at least sixty', () => expect(MANIPULATIONS.length).toBeGreaterThanOrEqual(60))
  })
