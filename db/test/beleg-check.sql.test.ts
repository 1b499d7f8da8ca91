// The check before issue: what the page lets through the server issues, and the other way round. Both read
// domain/beleg-check.cases.json; random mixtures of its changes are compared as well.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cases from '#domain/beleg-check.cases.json' with { type: 'json' }
import { type BelegCase, CASE_DAY, caseBeleg } from '#domain/beleg-check.fixture.ts'
import { addDays } from '#domain/day.ts'
import { draftFaults } from '#domain/beleg-draft-check.ts'
import type { Beleg } from '#domain/beleg.ts'
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { VOLL } from '../../test/extent.ts'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const CASES: readonly BelegCase[] = cases
/** Their drafts can be saved as they are. */
const SAVED = CASES.filter(({ columns }) => columns === undefined)
/** Those that depend on other documents or on today's date are made as drafts only. */
const isAlone = (named: string): boolean => !/ datum_(?:vor_letzter|zukunft)$/.test(named)
const pageFaults = (beleg: Beleg): string[] =>
  draftFaults(beleg, { today: CASE_DAY, earliest: null })
    .filter(({ severity }) => severity === 'fehler')
    .map(({ feld, code }) => `${feld} ${code}`)
    .filter(isAlone)

const HEAD = ['bearbeiter', 'anrede', 'anschreiben', 'zuerl', 'ust_satz', 'rabatt_prozent', 'rabatt_grund']
/** Where the supply is, and the buyer’s numbers. */
const MORE = [
  'leistungsort',
  'leistungsland',
  'kaeufer_ref',
  'projekt_nr',
  'vertrag_nr',
  'vergabe_nr',
  'objekt_nr',
]
const LINE = [
  'lfd_nr',
  'art',
  'bez',
  'erl_titel',
  'erl',
  'erl_on',
  'anzahl',
  'einheit',
  'ep',
  'rabatt_prozent',
  'ust_satz',
  'kategorie',
  'steuergrund',
  'le_date',
  'le_date_bis',
]

/** Sets these columns from the object of the same names. */
const written = (columns: readonly string[], table: string): string =>
  `(${columns.join(', ')}) = (select ${columns.map((name) => `r.${name}`).join(', ')}
    from jsonb_populate_record(null::app.${table}, $1::jsonb) r)`

/** The changes of § 19 UStG whose time without one the document names. */
function withChanges({ kleinunternehmer_von, kleinunternehmer_bis, ...seller }: Beleg['lieferant']) {
  const way = (small: boolean) => (small ? 'klein' : 'regel')
  const now = seller.kleinunternehmer
  return {
    ...seller,
    kleinunternehmer: kleinunternehmer_von === undefined ? now : !now,
    kleinunternehmer_ab: [
      ...(kleinunternehmer_von === undefined ? [] : [{ ab: kleinunternehmer_von, art: way(now) }]),
      ...(kleinunternehmer_bis === undefined
        ? []
        : [{ ab: addDays(kleinunternehmer_bis, 1), art: way(!now) }]),
    ],
  }
}

/** Saves such a draft for customer A; its number. */
async function save(owner: OwnerConnection, beleg: Beleg): Promise<number> {
  const { lieferant: seller, empfaenger, positionen, summen, verweise = {}, ...head } = beleg
  const lieferant = withChanges(seller)
  const { bestellnummer, client_id: _, mail, ...buyer } = empfaenger
  const put = (text: string, value: object, ...more: unknown[]) =>
    owner.query(text, [JSON.stringify(value), ...more])
  const supplier = { ...lieferant, aufbewahrung_text: beleg.aufbewahrung ?? '' }
  await put(`update app.lieferant set ${written(Object.keys(supplier), 'lieferant')}`, supplier)
  const named = ['name', 'name_zusatz', 'strasse', 'plz', 'ort', 'land']
  await put(`update app.kunde set ${written(named, 'kunde')} where client_id = ${w.A}`, empfaenger)
  const billing = { ...buyer, rechnung_mail: mail }
  const billed = Object.keys(billing).filter((name) => !named.includes(name))
  await put(
    `update app.kunde_rechnung set ${written(billed, 'kunde_rechnung')} where client_id = ${w.A}`,
    billing,
  )
  const offer = beleg.art === 'angebot'
  const table = offer ? 'angebot' : 'rechnung'
  const days = (Date.parse(beleg.faellig ?? beleg.datum) - Date.parse(beleg.datum)) / 86_400_000
  const row = {
    ...head,
    client_id: w.A,
    [offer ? 'an_datum' : 'rn_datum']: beleg.datum,
    bestellnummer,
    zahlungsziel: days,
    anzahlung: summen.anzahlung,
    ...verweise,
  }
  const columns = [
    'client_id',
    ...HEAD,
    ...MORE,
    ...(offer
      ? ['an_datum', 'gueltig_bis']
      : ['rn_datum', 'le_date', 'le_date_bis', 'bestellnummer', 'zahlungsziel', 'skonto', 'format']),
  ]
  const { rows } = await put(
    `insert into app.${table} (${columns.join(', ')}) select ${columns.map((name) => `r.${name}`).join(', ')}
     from jsonb_populate_record(null::app.${table}, $1::jsonb) r returning id`,
    row,
  )
  const id = Number((rows[0] as { id: unknown }).id)
  if (!offer)
    await owner.query(
      'update app.rechnung set anzahlung = $2::numeric, zahlbetrag = brutto - $2::numeric where id = $1',
      [id, summen.anzahlung],
    )
  await put(
    `insert into app.position (client_id, ${table}_id, ${LINE.join(', ')})
     select ${w.A}, $2, ${LINE.map((name) => `r.${name}`).join(', ')}
     from jsonb_populate_recordset(null::app.position, $1::jsonb) r`,
    positionen,
    id,
  )
  return id
}

const issue = (owner: OwnerConnection, { art }: Beleg, id: number) =>
  owner.query(`select nummer from app.${art === 'angebot' ? 'a_issue_offer' : 'a_issue_invoice'}($1)`, [id])

/** As the page names them. */
const namedAs = ({ column, hint }: DatabaseFault): string =>
  `${column === 'rn_datum' || column === 'an_datum' ? 'datum' : (column ?? '-')} ${hint ?? '-'}`

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`the check before issue on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const session = <T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> =>
      'asOwner' in engine.api ? (engine.api as EmbeddedDatabase).asOwner(work) : work(engine.owner)

    const serverFaults = async (belege: readonly Beleg[]): Promise<string[][]> => {
      const { rows } = await engine.owner.query<{ faults: string }>(
        `select to_json(array(select f.feld || ' ' || f.code from books.beleg_faults(b) f))::text as faults
         from jsonb_array_elements($1::jsonb) with ordinality as t(b, nr) order by nr`,
        [JSON.stringify(belege)],
      )
      return rows.map(({ faults }) => (JSON.parse(faults) as string[]).toSorted())
    }

    /** 'issued', or field and rule; nothing of it stays. */
    const outcome = ({ earliest, ...one }: BelegCase): Promise<string> =>
      session(async (owner) => {
        await owner.script('begin')
        try {
          await owner.query(`select set_config('request.jwt.claims', $1, true)`, [
            JSON.stringify(w.claimsOf('apus_admin')),
          ])
          if (earliest !== undefined) {
            const last = caseBeleg({
              ...(one.art === undefined ? {} : { art: one.art }),
              set: { datum: earliest, faellig: earliest, gueltig_bis: earliest },
            })
            await issue(owner, last, await save(owner, last))
          }
          const beleg = caseBeleg(one)
          let id: number
          try {
            id = await save(owner, beleg)
          } catch (error) {
            if (error instanceof DatabaseFault) return 'not saved'
            throw error
          }
          if (one.columns === undefined) {
            const { rows } = await owner.query<{ made: Beleg | string }>(
              'select app.a_get_beleg($1, $2) as made',
              [beleg.art, id],
            )
            const made = rows[0]!.made
            const { summen, positionen } = (typeof made === 'string' ? JSON.parse(made) : made) as Beleg
            expect({
              summen,
              tax: positionen.map(({ kategorie, ust_satz }) => [kategorie, ust_satz]),
            }).toEqual({
              summen: beleg.summen,
              tax: beleg.positionen.map(({ kategorie, ust_satz }) => [kategorie, ust_satz]),
            })
          }
          await issue(owner, beleg, id)
          return 'issued'
        } catch (error) {
          if (error instanceof DatabaseFault) return namedAs(error)
          throw error
        } finally {
          await owner.script('rollback')
        }
      })

    test('finds what the page finds, in every case of the table', async () => {
      const found = await serverFaults(SAVED.map(caseBeleg))
      expect(SAVED.map(({ why }, at) => ({ why, faults: found[at] }))).toEqual(
        SAVED.map(({ why, faults }) => ({ why, faults: faults.filter(isAlone).toSorted() })),
      )
    })
    test.each(CASES)('issues or refuses: $why', async (one) => {
      const did = await outcome(one)
      if (one.columns === 'refuse') expect(did).toBe('not saved')
      else if (one.columns === 'round' || one.faults.length === 0) expect(did).toBe('issued')
      else expect(one.faults).toContain(did)
    })
    test('finds what the page finds in random mixtures of the changes', async () => {
      const part = fc.constantFrom(...SAVED)
      const mixed = fc
        .record({
          art: fc.constantFrom(undefined, undefined, 'angebot'),
          parts: fc.array(part, { minLength: 2, maxLength: 6 }),
          text: fc.string({ unit: 'grapheme', maxLength: 20 }),
          rate: fc.constantFrom('19.00', '7.00', '16.00', '5.00', '20.00', '0.00', '5.50', '10.70', '7.80'),
          day: fc.date({
            min: new Date('2007-01-01'),
            max: new Date('2026-03-15'),
            noInvalidDate: true,
          }),
        })
        .map(({ art, parts, text, rate, day }): Beleg => {
          const lines = parts.flatMap((each) => each.lines ?? [])
          return caseBeleg({
            ...(art === undefined ? {} : { art }),
            set: Object.assign({}, ...parts.map((each) => each.set ?? {}), { zuerl: `x${text}` }) as object,
            lines: [...lines, { bez: `x${text}`, ust_satz: rate, le_date: day.toISOString().slice(0, 10) }],
          })
        })
      const belege = fc
        .sample(mixed, VOLL ? 2000 : 150)
        // What jsonb cannot hold never reaches the server.
        .filter((beleg) => !JSON.stringify(beleg).includes(String.raw`\u0000`))
      const found = await serverFaults(belege)
      for (const [at, beleg] of belege.entries())
        expect([beleg, found[at]]).toEqual([beleg, pageFaults(beleg).toSorted()])
    })
  })
