// The declared columns of a habitat tree (domain/habitatbaum-fields.ts) against what devices send, what many trees
// get at once, the checks for people, and the deletion of a person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsWith, mapColumns } from '#domain/fields.ts'
import { HABITATBAUM_FIELDS, TREE_INPUTS, type TreeField, treeField } from '#domain/habitatbaum-fields.ts'
import { refusalOf } from './attempt.ts'
import { edgesOf } from './declared-tables.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { A1, claimsOf, numberOf } from './world.ts'

const IDENTIFIER = '00000000-0000-4000-8000-000000000777'

/** Two values of a field, the second of which is not what a tree begins with. */
function samplesOf(column: TreeField): readonly [unknown, unknown] {
  const { kind, choices = {} } = treeField(column)
  switch (kind) {
    case 'choice':
      return [Object.keys(choices)[0], Object.keys(choices)[1]]
    case 'species':
      return ['bu', 'tei']
    case 'structures':
      return [[], [{ code: '1.1', system: 'larrieu_2018', menge: 2 }]]
    case 'amount':
    case 'number':
      return [2, 3]
    case 'degrees':
      return column === 'lat' ? [50, 51] : [10, 11]
    case 'date':
      return ['2020-01-01', '2020-01-02']
    case 'boolean':
      return [true, false]
    case 'moment':
      return ['2020-01-01T08:00:00+00:00', '2020-01-02T08:00:00+00:00']
    default:
      return ['eins', 'zwei']
  }
}
const sample = (nr: 0 | 1) => mapColumns(TREE_INPUTS, (column) => samplesOf(column)[nr])

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`fields of a habitat tree on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await send({ version: null, idHQ: A1, ...sample(0) })
    })
    afterAll(() => engine?.close())

    const asAdmin = <Row extends object>(text: string, ...values: unknown[]) =>
      engine.api.once<Row>(asCaller(claimsOf('ogf_admin')), sql(text, ...values))
    const send = (capture: object) =>
      asAdmin(
        'select app.__o_sync_habitatbaeume($1::jsonb)',
        JSON.stringify([{ kennung: IDENTIFIER, ...capture }]),
      )
    const stored = async (): Promise<Record<string, unknown>> => {
      const { rows } = await engine.owner.query<{ json: string }>(
        `select forest.habitat_json(t)::text as json from app.habitatbaeume t where t.kennung = '${IDENTIFIER}'`,
      )
      return JSON.parse(rows[0]!.json) as Record<string, unknown>
    }

    test('devices may send the inputs', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        'select unnest(forest.habitat_fields()) as name',
      )
      expect(rows.map(({ name }) => name).toSorted()).toEqual(TREE_INPUTS.toSorted())
    })
    test('what they send of them is stored, of a new tree and of a change', async () => {
      expect(await stored()).toMatchObject(sample(0))
      await send({ version: 1, ...sample(1) })
      expect(await stored()).toMatchObject(sample(1))
    })
    test('the time of a place goes when the place is set elsewhere, and stays with every other change', async () => {
      const change = (values: string) =>
        asAdmin(`update app.habitatbaeume set ${values} where kennung = '${IDENTIFIER}'`)
      const time = '2026-11-27T08:00:00+00:00'
      await change(`lon = 10.5, lage_zeit = '${time}'`)
      await change(`nummer = 'anders', lat = lat`)
      expect(await stored()).toMatchObject({ lon: 10.5, lage_zeit: time })
      await change('lon = 10.6')
      expect(await stored()).toMatchObject({ lon: 10.6, lage_zeit: null })
      await change(
        `lon = ${String(sample(1)['lon'])}, nummer = '${String(sample(1)['nummer'])}', lage_zeit = '${time}'`,
      )
    })
    test('what a receiver said goes with its place, and stays with every other change', async () => {
      const change = (values: string) =>
        asAdmin(`update app.habitatbaeume set ${values} where kennung = '${IDENTIFIER}'`)
      const [before, later] = ['2026-11-27T08:00:00+00:00', '2026-11-27T09:00:00+00:00']
      const fixed = { lage_fix: 'rtk_fixed', genauigkeit_geschaetzt: true }
      const gone = { lage_fix: null, genauigkeit_geschaetzt: false }
      const { version } = await stored()
      await send({ version, lon: 10.7, lat: 51, lage_methode: 'rtk', lage_zeit: before, ...fixed })
      expect(await stored()).toMatchObject({ lon: 10.7, ...fixed })
      await change(`bemerkung = 'anders'`)
      expect(await stored()).toMatchObject(fixed)
      // The same kind of solution at the next place.
      await change(`lon = 10.8, lage_zeit = '${later}'`)
      expect(await stored()).toMatchObject({ lon: 10.8, ...fixed })
      await change('lon = 10.9')
      expect(await stored(), 'set elsewhere').toMatchObject({ lage_zeit: null, ...gone })
      // A receiver without a clock: its time is not known before and after.
      await change(`lage_fix = 'rtk_float', lage_methode = 'rtk', genauigkeit_m = 0.4`)
      await change(`lon = 10.95, genauigkeit_m = 0.5`)
      expect(await stored(), 'measured again').toMatchObject({ lage_zeit: null, lage_fix: 'rtk_float' })
      await change('lon = 10.96')
      expect(await stored(), 'set elsewhere').toMatchObject({ lage_zeit: null, ...gone })
      await change(`lage_fix = 'dgps', lage_methode = 'gnss'`)
      await change(`lage_methode = 'karte'`)
      expect(await stored(), 'set on the map').toMatchObject(gone)
      // A device that does not know it yet, with a capture from before.
      await change(`lage_fix = 'dgps', lage_methode = 'gnss', genauigkeit_geschaetzt = true`)
      const now = await stored()
      await send({ version: now['version'], lon: 10.6, lat: 51, lage_methode: 'gnss', lage_zeit: before })
      expect(await stored()).toMatchObject({ lon: 10.6, ...gone })
      await change(
        `lon = ${String(sample(1)['lon'])}, lat = ${String(sample(1)['lat'])}, lage_zeit = '${later}',
         lage_fix = '${String(sample(1)['lage_fix'])}', lage_methode = 'rtk',
         bemerkung = '${String(sample(1)['bemerkung'])}'`,
      )
    })
    test('how well a place is known goes when the place is set elsewhere', async () => {
      const change = (values: string) =>
        asAdmin(`update app.habitatbaeume set ${values} where kennung = '${IDENTIFIER}'`)
      const before = await stored()
      const rtk = { genauigkeit_m: 0.02, lage_methode: 'rtk' }
      const measured = `genauigkeit_m = 0.02, lage_methode = 'rtk', lage_zeit = '2026-11-28T08:00:00Z'`
      const byHand = { genauigkeit_m: null, lage_methode: 'karte' }
      await change(`lon = 10.71, ${measured}`)
      expect(await stored()).toMatchObject(rtk)
      await change(`bemerkung = 'anders', lat = lat`)
      expect(await stored()).toMatchObject(rtk)
      await change('lon = 10.72')
      expect(await stored(), 'moved by a program').toMatchObject(byHand)
      await change(`lon = 10.73, ${measured}`)
      await change(`lon = 10.74, genauigkeit_m = 0.02`)
      expect(await stored(), 'the same is said again').toMatchObject(rtk)
      await change(`lon = 10.75, lage_methode = 'luftbild'`)
      expect(await stored()).toMatchObject({ genauigkeit_m: null, lage_methode: 'luftbild' })
      await change(`lon = 10.76, ${measured}`)
      await send({ version: (await stored())['version'], lon: 10.77, lat: 51 })
      expect(await stored(), 'moved by a device').toMatchObject(byHand)
      await change(`lon = 10.78, ${measured}`)
      const again = { lon: 10.79, lat: 51, lage_zeit: '2026-11-28T09:00:00+00:00' }
      await send({ version: (await stored())['version'], ...again })
      expect(await stored(), 'measured again').toMatchObject({ ...again, ...rtk })
      const same = { lon: 10.79, lat: 51, genauigkeit_m: 0.02, lage_methode: 'import' }
      await send({ version: (await stored())['version'], ...same, lon: 10.8 })
      expect(await stored(), 'imported').toMatchObject({ ...same, lon: 10.8 })
      await send({ version: (await stored())['version'], ...before })
    })
    test('they get all but what is made of other columns', async () => {
      const declared = Object.entries(HABITATBAUM_FIELDS).filter(([, field]) => !('derived' in field))
      expect(Object.keys(await stored()).toSorted()).toEqual(declared.map(([name]) => name).toSorted())
    })
    test('many trees at once get the declared fields, and no others', async () => {
      const bulk: readonly string[] = columnsWith(HABITATBAUM_FIELDS, 'bulk')
      for (const column of TREE_INPUTS) {
        const call = asAdmin(
          `select app.__o_change_habitatbaeume(array(select t.id from app.habitatbaeume t
             where t.kennung = '${IDENTIFIER}'), $1::jsonb)`,
          JSON.stringify({ [column]: samplesOf(column)[0] }),
        )
        expect(await refusalOf(call), column).toBe(
          bulk.includes(column) ? 'done' : `23514 ${column} unbekanntes_feld`,
        )
      }
    })
    test('people are told at the field what it may not be', async () => {
      for (const column of TREE_INPUTS) {
        const { right, wrong } = edgesOf(treeField(column))
        const set = (value: string) =>
          refusalOf(
            asAdmin(`update app.habitatbaeume set "${column}" = ${value} where kennung = '${IDENTIFIER}'`),
          )
        for (const value of right) expect(await set(value), `${column} = ${value}`).toBe('done')
        const place = treeField(column).kind === 'degrees' ? 'lage' : column
        for (const value of wrong)
          expect(await set(value), `${column} = ${value}`).toMatch(
            new RegExp(`^(?:23514 ${place} \\w+|22003 .*)$`),
          )
      }
    })
    test('a deleted person’s name goes from all columns that are about a person', async () => {
      const columns = Object.entries(HABITATBAUM_FIELDS)
        .filter(([, { privacy }]) => privacy === 'person')
        .map(([name]) => name)
      const person = numberOf('ogf_admin')
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.habitatbaeume set ${columns.map((name) => `${name} = 'Marker Name'`).join(', ')}
          where kennung = '${IDENTIFIER}'; commit;
        begin; set local role forst_definer;
        select forest.replace_habitat_name(${person}, 'Marker Name', 'gelöschte Person 1'); commit`)
      const tree = await stored()
      expect(columns.filter((name) => tree[name] === 'Marker Name')).toEqual([])
    })
  })
