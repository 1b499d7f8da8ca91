// The sample in the database, on both engines: it satisfies every check and foreign key, is inserted fast,
// and each demo account has the roles it is named after.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import type { OwnerConnection } from '#server/database/database.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { hashOf, folderStore } from '#server/files/store.ts'
import { cleanUpFiles } from '#server/karten/cleaner.ts'
import { putTrialFiles } from '#server/karten/trial-files.ts'
import { silentLog } from '#server/log.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../test/engines.ts'
import { generateSample, TRIAL_SIZE } from './sample.ts'
import { TEXT_MODULES, TEMPLATES } from './sample-books.ts'
import { seedBooks, TRIAL_BOOKS } from './seed-books.ts'
import { makePhotos, type SamplePhoto } from './sample-photos.ts'
import { fileNamesOf, type TrialSheet, type TrialPhoto, seedFiles, seedPhotos } from './seed-files.ts'
import { seedSample } from './seed-sample.ts'

const now = new Date('2026-05-04T10:00:00Z')
const sample = generateSample({ ...TRIAL_SIZE, now })

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`sample on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      const started = performance.now()
      await asOwner((owner) => seedSample(owner, sample))
      console.log(
        `${engineName}: sample of ${sample.hq.length} headquarters and ${sample.benutzer.length} ` +
          `people in ${(performance.now() - started).toFixed(0)} ms`,
      )
    })
    afterAll(() => engine?.close())
    // On the embedded engine, an owner connection lasts only as long as its work.
    const asOwner = (work: (owner: OwnerConnection) => Promise<void>) =>
      'asOwner' in engine.api ? (engine.api as EmbeddedDatabase).asOwner(work) : work(engine.owner)
    const rows = async <T>(text: string) => (await engine.owner.query<T>(text)).rows

    test('every row is there', async () => {
      const { vermessung, sheetList: _sheets, ...tables } = sample
      for (const tableName of ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'])
        expect([tableName, await rows(`select count(*)::integer as n from app.${tableName}`)]).toEqual([
          tableName,
          [
            {
              n: vermessung.flatMap(({ objekte }) => objekte).filter((one) => one.tabelle === tableName)
                .length,
            },
          ],
        ])
      expect(await rows('select count(*)::integer as n from app.baumarten')).toEqual([
        { n: tables.bestand.flatMap(({ arten }) => arten).length },
      ])
      for (const [table, given] of Object.entries(tables))
        expect([table, await rows(`select count(*)::integer as n from app.${table}`)]).toEqual([
          table,
          [{ n: given.length }],
        ])
      expect(await rows('select count(*)::integer as n from app.hq_flaeche')).toEqual([{ n: 2000 }])
    })
    test('areas are valid, in the customer’s system, as large as the plan says and inside Germany', async () => {
      expect(
        await rows(`select f.hqid
          from app.hq_flaeche f
          join app.hq h on h."idHQ" = f.hqid
          join app.kunde k on k.client_id = f.client_id
          where not st_isvalid(f.geom) or st_srid(f.geom) <> k.epsg
            or abs(st_area(f.geom) / 10000 - h."dcFLAEHB") > 0.01
            or not st_within(st_transform(f.geom, 4326), st_makeenvelope(5.8, 47.2, 15.1, 55.1, 4326))`),
      ).toEqual([])
    })
    test('stands tile their holding: valid, none over another, as large together, found by their address', async () => {
      expect(
        await rows(`select f.hqid, n > 60 as many,
          abs(flaeche - st_area(f.geom)) / st_area(f.geom) < 0.01 as whole,
          abs(ha * 10000 - st_area(f.geom)) / st_area(f.geom) < 0.01 as said, valid, ordered
          from app.hq_flaeche f join lateral (
            select count(*) as n, st_area(st_transform(st_union(b.geom), st_srid(f.geom))) as flaeche,
              sum(b.flaeche_ha) as ha, bool_and(st_isvalid(b.geom)) as valid,
              count(distinct b.sortadresse) = count(*) as ordered from app.bestand b
              where b."idHQ" = f.hqid) s on s.n > 0
              order by f.hqid`),
      ).toEqual(
        [1, 2].map((hqId) => ({
          hqid: hqId,
          many: true,
          whole: true,
          said: true,
          valid: true,
          ordered: true,
        })),
      )
    })
    test('habitat trees stand in their holding but for one of each, and a check finds what is wrong', async () => {
      const [{ idHQ } = { idHQ: 0 }] = sample.habitatbaeume.toReversed()
      for (const hqId of [1, 2, idHQ])
        expect(
          await rows(`select hqid, n > 50 as many, aussen, marked > 0.6 * n and marked < n as some, lost > 0
            and lost < 20 as lost
            from (
            select b."idHQ"::integer as hqid, count(*) as n,
              (count(*) filter (where not st_intersects(st_transform(f.geom, 4326), b.lage)))::integer
              as aussen,
              count(b.markierung_art) as marked, count(b.verlust_datum) as lost
            from app.habitatbaeume b join app.hq_flaeche f on f.hqid = b."idHQ" where b."idHQ" = ${hqId}
              group by 1) x`),
        ).toEqual([{ hqid: hqId, many: true, aussen: 1, some: true, lost: true }])
      expect(
        await rows(
          `select count(*)::integer as n from app.habitatbaeume where not art = any (forest.habitat_species())`,
        ),
      ).toEqual([{ n: 0 }])
      expect(
        await rows(
          `select count(*)::integer as n
            from app.habitatbaeume a
            join app.habitatbaeume b on b.id > a.id and st_dwithin(a.lage::geography, b.lage::geography, 2)`,
        ),
      ).toEqual([
        {
          n: sample.habitatbaeume
            .flatMap((one, at) => sample.habitatbaeume.slice(at + 1).map((other) => [one, other] as const))
            .filter(
              ([one, other]) =>
                one.epsg === other.epsg &&
                Math.hypot(one.ort[0] - other.ort[0], one.ort[1] - other.ort[1]) < 2,
            ).length,
        },
      ])
    })
    test('it leaves no history', async () =>
      expect(await rows('select count(*)::integer as n from app.verlauf')).toEqual([{ n: 0 }]))
    test('files of its plans: the scan in lists, the result in the plan’s system, each byte taken once', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'forstkontor-probe-'))
      try {
        const [built, fileStore] = [folderStore(join(folder, 'gebaut')), folderStore(join(folder, 'dateien'))]
        const lay = async (text: string) => {
          const path = await built.workFile()
          writeFileSync(path, text)
          return (await built.putFile(path)).sha256
        }
        const [scan, tiles, result, other] = [
          await lay('Scan'),
          await lay('Kacheln'),
          await lay('Ergebnis'),
          await lay('gehört zu keinem'),
        ]
        const { karte_id, client_id, request } = sample.sheetList[1]!
        const { breite, hoehe, epsg } = request
        const singleSheet: TrialSheet = {
          karte_id,
          client_id,
          scan: {
            name: 'Blatt.jpg',
            groesse: 4,
            sha256: scan,
            kacheln_sha256: tiles,
            breite,
            hoehe,
            dpi: 150,
          },
          ergebnis: {
            name: 'Blatt_georef.tif',
            groesse: 8,
            sha256: result,
            breite,
            hoehe,
            umriss: [
              [1, 2],
              [3, 4],
              [1, 2],
            ],
            werte: {
              georef_typ: 'helmert',
              epsg,
              res: null,
              verfahren: 'bilinear',
              kompression: 'jpeg',
              punkte: [],
            },
          },
        }
        await asOwner((owner) => seedFiles(owner, [singleSheet]))
        expect(
          await rows(
            `select l.scan = s.id as scan, s.angelegt_am < e.angelegt_am as danach, e.epsg, a.stand,
              a.datei_id = s.id as von, k.version
              from app.karte_liste l
              join app.kartenblatt k using (id)
               join app.karte_datei s on s.karte_id = l.id and s.art = 'scan'
               join app.karte_datei e on e.karte_id = l.id and e.art = 'ergebnis'
               join app.karte_auftrag a on a.karte_id = l.id`,
          ),
        ).toEqual([{ scan: true, danach: true, epsg, stand: 'fertig', von: true, version: 1 }])
        const take = () => putTrialFiles({ database: engine.api, fileStore, folder: join(folder, 'gebaut') })
        expect(await take()).toBe(3)
        for (const name of fileNamesOf([singleSheet]))
          expect(await hashOf((await fileStore.filePath(name))!)).toMatchObject({ sha256: name })
        expect(await fileStore.filePath(other)).toBeNull()
        // A lost file is restored; existing ones are left alone.
        await fileStore.remove(scan)
        expect([await take(), await take()]).toEqual([1, 0])
        // Without built files, nothing is taken.
        expect(await putTrialFiles({ database: engine.api, fileStore, folder: join(folder, 'nichts') })).toBe(
          0,
        )
        // Photos belong to their tree, the first of each is its title picture, and none is left to be
        // processed.
        const [one, two] = makePhotos(sample.habitatbaeume)
        const photo = ({ habitat_id, name }: SamplePhoto, sha256: string): TrialPhoto => ({
          habitat_id,
          name,
          groesse: 4,
          breite: 720,
          hoehe: 960,
          sha256,
          klein: scan,
          mittel: scan,
          gross: scan,
          aufgenommen_am: '2026-05-12T08:22:31Z',
          richtung: 12.5,
          lon: 9,
          lat: 51,
        })
        await asOwner((owner) => seedPhotos(owner, [photo(one!, result), photo(two!, tiles)]))
        expect(
          await rows(
            `select b.dateiname, b.titelbild, b.exif_abweichung_m > 1000 as weit,
              b.created_by = t.erfasser as von, l.bild_id = b.id as zuerst
              from app.habitatbilder b
               join app.habitatbaeume t on t.id = b.habitat_id
               join app.habitatbaeume_liste l on l.id = t.id
               order by b.id`,
          ),
        ).toEqual([
          { dateiname: one!.name, titelbild: true, weit: true, von: true, zuerst: true },
          { dateiname: two!.name, titelbild: false, weit: true, von: true, zuerst: false },
        ])
        expect(await rows('select id from forest.pictures_without_sizes(0, 10)')).toEqual([])
        // Two days later, the clean-up keeps everything that rows refer to.
        const later = new Date(Date.now() + 48 * 3_600_000)
        expect(
          await cleanUpFiles({ database: engine.api, fileStore, log: silentLog, now: () => later }),
        ).toBe(0)
        expect(
          await cleanUpFiles({ database: engine.api, fileStore: built, log: silentLog, now: () => later }),
        ).toBe(1)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
    // Before anyone has signed in.
    test('the books: every state, true sums and chain, nobody left behind', async () => {
      await asOwner((owner) => seedBooks(owner, { ...TRIAL_BOOKS, now }))
      const states = async (view: string) =>
        Object.fromEntries(
          (
            await rows<{ stand: string; n: number }>(
              `select stand, count(*)::integer as n from app.${view} group by 1`,
            )
          ).map(({ stand, n }) => [stand, n]),
        )
      const [invoices, offers] = [await states('rechnung_liste'), await states('angebot_liste')]
      expect(invoices).toMatchObject({ entwurf: 5, storniert: 1, storno: 1 })
      expect(Object.values(invoices).reduce((sum, n) => sum + n, 0)).toBe(TRIAL_BOOKS.invoices + 1)
      for (const state of ['ueberfaellig', 'bezahlt']) expect(Object.keys(invoices)).toContain(state)
      for (const state of [
        'entwurf',
        'abgelehnt',
        'angenommen',
        'abgerechnet',
        'teilabgerechnet',
        'abgelaufen',
        'ersetzt',
      ])
        expect(Object.keys(offers)).toContain(state)
      // Every kind of incoming payment, an offer with a chosen alternative, and an archived one.
      const [found] =
        await rows(`select (select array_agg(distinct art order by art)::text from app.zahlung) as arten,
          exists (select from app.rechnung_liste where offen < 0) as zu_viel,
        exists (select from app.rechnung_liste where bezahlt > 0 and offen > 0) as teil,
        exists (select from app.position where art = 'alternativ' and gewaehlt) as alternative,
        exists (select from app.angebot where archiviert) as archiv, (select max(rn_datum) - min(rn_datum)
        from app.rechnung) > 400 as monate`)
      expect(found).toEqual({
        arten: '{skonto,zahlung}',
        zu_viel: true,
        teil: true,
        alternative: true,
        archiv: true,
        monate: true,
      })
      // Bank entries: some assigned, some waiting, one put aside; and the adviser's export has all the
      // accounts it needs.
      expect(
        await rows(`select stand, count(*) > 2 as mehrere from app.kontoumsatz_liste group by 1 order by 1`),
      ).toEqual([
        { stand: 'abgelegt', mehrere: false },
        { stand: 'offen', mehrere: true },
        { stand: 'zugeordnet', mehrere: true },
      ])
      expect(
        await rows(
          `select s.satz
            from (select distinct (s ->> 'kategorie') || ' ' || (s ->> 'satz') as satz
              from app.rechnung r, jsonb_array_elements(r.beleg #> '{summen,steuern}') s) s
             where not exists (select from app.lieferant l where l.datev_erloeskonten ? s.satz
               and l.datev_skontokonten ? s.satz and l.datev_berater <> '' and l.datev_mandant <> ''
               and l.datev_bankkonto <> '')`,
        ),
      ).toEqual([])
      expect(
        await rows(
          `select (select count(*) from app.prognose)::integer as prognosen, (select count(*)
            from app.positionsvorlage)::integer as vorlagen, (select count(*)
            from app.freitext)::integer as texte`,
        ),
      ).toEqual([{ prognosen: 68, vorlagen: TEMPLATES.length, texte: TEXT_MODULES.length }])
      expect(
        await rows(
          'select count(distinct s ->> $$satz$$)::integer as n from app.rechnung r, ' +
            'jsonb_array_elements(r.beleg #> $${summen,steuern}$$) s',
        ),
      ).toEqual([{ n: 2 }])
      expect(await rows(`select from accounts.identitaet where iss = 'seed'`)).toEqual([])
      await first(demo('apus_admin'), 'select accounts.link_identity()')
      expect(await first(demo('apus_admin'), 'select ok from app.a_check_protokoll()')).toBe(true)
    })
    test('a second time is refused and changes nothing', async () => {
      await expect(asOwner((owner) => seedSample(owner, sample))).rejects.toThrow(
        'there are customers already',
      )
      expect(await rows('select count(*)::integer as n from app.benutzer')).toEqual([{ n: 3000 }])
    })
    const asPerson = (email: string, groups: readonly (string | undefined)[]) => {
      const claims = { iss: 'test', sub: email, email, email_verified: true, groups }
      return { role: 'nutzer', settings: { 'request.jwt.claims': JSON.stringify(claims) } }
    }
    const demo = (role: string) =>
      asPerson(DEMO_ACCOUNTS.find((account) => account.role === role)!.email, ['appuser_apus_admin'])
    const first = async <T>(caller: ReturnType<typeof demo>, text: string) =>
      Object.values((await engine.api.once(caller, sql(text))).rows[0] ?? {})[0] as T
    for (const { role, email } of DEMO_ACCOUNTS)
      test(`${email} has the role ${role}, under the group that its sign-in gives`, async () => {
        const [account] = await rows<{ gruppe: string }>(
          `select gruppe from accounts.account_state('${email}')`,
        )
        const caller = asPerson(email, [account?.gruppe])
        await first(caller, 'select accounts.link_identity()')
        expect(JSON.parse(await first<string>(caller, 'select to_json(rights.roles())::text'))).toContain(
          role,
        )
      })
    test('the demo accounts see what they are for', async () => {
      const count = (role: string, table: string) =>
        first<number>(demo(role), `select count(*)::integer from app.${table}`)
      expect(await count('kundenadmin', 'kunde')).toBe(1)
      expect(await count('multiple_fb', 'hq')).toBe(3)
      expect(await count('ogf_team', 'hq')).toBe(2000)
      expect(await count('ogf_init', 'hq')).toBe(0)
    })
    test('the next numbers are free', async () => {
      const made = await first(
        demo('ogf_admin'),
        `insert into app.kunde (name, strasse, plz, ort)
          values ('Neu', 'Weg 1', '04103', 'Leipzig')
          returning client_id`,
      )
      const hq = await first(
        demo('ogf_admin'),
        `insert into app.hq (client_id, "sHQ") values (501, 'Neu') returning "idHQ"`,
      )
      expect([made, hq]).toEqual([501, 2001])
    })
  })
