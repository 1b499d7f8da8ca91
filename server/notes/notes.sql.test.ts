// Files at records over HTTP: uploads that break off, files that are not what they claim, who gets their bytes
// and how, and what the clean-up keeps.
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOTE_FILE_BYTES, NOTE_LIMITS, type NoteKind, type NotePage, notePaths } from '#contract/note.ts'
import { type Store, folderStore, storeKeyOf } from '#server/files/store.ts'
import { silentLog } from '#server/log.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { RECHNUNG_A } from '../../db/test/cells/buchhaltung.ts'
import { HIDDEN, SHOWN } from '../../db/test/cells/karte.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import * as w from '../../db/test/world.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import { beginning, piece, sha, TUS } from '../../test/tus.ts'
import { cleanUpFiles } from '../karten/cleaner.ts'
import { createNotesRoom } from './notes.ts'

const PREFIX = '/prod-api'
const PDF = Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\n%%EOF\n')
const WHO: readonly IdentityName[] = [...ROLE_NAMES, 'unknown', 'nobody', 'disabled', 'session_ended']

/** A ZIP archive as far as it is looked at: the first entry, and a directory with names. */
const archive = (first: string, ...names: string[]): Buffer =>
  Buffer.from(`PK\u0003\u0004${'\u0000'.repeat(26)}${first}${names.join('PK\u0001\u0002')}`, 'latin1')
const LETTER = archive('x', '[Content_Types].xml', 'word/document.xml')

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`files of notes over HTTP on ${engineName}`, () => {
    let engine: Engine
    let folder: string
    let fileStore: Store
    let app: FastifyInstance
    let origin: string

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(`begin; set local role forst_betrieb; delete from app.notiz; commit`)
      folder = await mkdtemp(join(tmpdir(), 'notes-'))
      fileStore = folderStore(folder)
      app = refusingServer(1000)
      const room = createNotesRoom({
        database: engine.api,
        fileStore,
        folder: join(folder, 'uploads'),
        prefix: PREFIX,
        log: silentLog,
        now: () => new Date(),
        work: createWorkQueue(),
      })
      await app.register(room.routes!, { prefix: PREFIX })
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    })

    const ask = (who: IdentityName, path: string, init: RequestInit = {}) =>
      fetch(`${origin}${path.startsWith(PREFIX) ? '' : PREFIX}${path}`, {
        ...init,
        headers: { authorization: `Bearer token-${who}`, ...init.headers },
      })
    interface Sent {
      readonly who?: IdentityName
      readonly art?: NoteKind
      readonly id?: number
      readonly name?: string
      readonly more?: Readonly<Record<string, string>>
    }
    async function upload(
      bytes: Uint8Array,
      { who = 'apus_team', art = 'karte', id = SHOWN, name = 'Brief.pdf', more = {} }: Sent = {},
    ): Promise<Response> {
      const begun = await ask(who, notePaths.upload(art, id), beginning(bytes, name, more))
      if (begun.status !== 201) return begun
      return ask(who, begun.headers.get('location')!, piece(bytes, 0))
    }
    const fileOf = (answer: Response) => Number(answer.headers.get('notiz-datei'))
    const hintOf = async (answer: Response) => ((await answer.json()) as { hint?: string }).hint
    async function page(who: IdentityName, art: NoteKind, id: number): Promise<NotePage> {
      const { rows } = await engine.api.once<{ page: string }>(
        asCaller(claimsOf(who)),
        sql('select app.a_get_notizen($1, $2)::text as page', art, id),
      )
      return JSON.parse(rows[0]!.page) as NotePage
    }

    test('an upload that is cut off goes on where it was, and every byte is what was sent', async () => {
      const bytes = Buffer.concat([PDF, Buffer.alloc(300_000, 'x')])
      const begun = await ask('apus_team', notePaths.upload('karte', SHOWN), beginning(bytes, 'Grün 1.pdf'))
      const address = begun.headers.get('location')!
      await ask('apus_team', address, piece(bytes.subarray(0, 120_000), 0))
      const head = await ask('apus_team', address, { method: 'HEAD', headers: TUS })
      expect(head.headers.get('upload-offset')).toBe('120000')
      // Nobody else goes on with it.
      expect((await ask('apus_admin', address, piece(bytes.subarray(120_000), 120_000))).status).toBe(404)
      const done = await ask('apus_team', address, piece(bytes.subarray(120_000), 120_000))
      expect(done.status).toBe(204)
      const back = await ask('apus_team', notePaths.file(fileOf(done)))
      expect(sha(new Uint8Array(await back.arrayBuffer()))).toBe(sha(bytes))
      expect(back.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%BCn%201.pdf")
      expect(back.headers.get('x-content-type-options')).toBe('nosniff')
      expect(back.headers.get('content-type')).toBe('application/pdf')
      // Finishing it once more answers the same file.
      const again = await ask('apus_team', address, { method: 'HEAD', headers: TUS })
      expect(again.headers.get('notiz-datei')).toBe(done.headers.get('notiz-datei'))
    })
    test('a part of a file is sent where a part is wanted', async () => {
      const file = fileOf(await upload(PDF))
      const part = await ask('apus_team', notePaths.file(file), { headers: { range: 'bytes=0-3' } })
      expect([part.status, await part.text()]).toEqual([206, '%PDF'])
    })
    test('a file goes to the note it is for, and is for the customer when it is said so', async () => {
      const { rows } = await engine.api.once<{ id: number }>(
        asCaller(claimsOf('apus_team')),
        sql(`select app.a_add_notiz('karte', $1, 'Mit Brief') as id`, SHOWN),
      )
      const note = String(rows[0]!.id)
      expect((await upload(PDF, { more: { notiz: note } })).headers.get('notiz')).toBe(note)
      expect((await upload(PDF, { who: 'apus_admin', more: { notiz: note } })).status).toBe(404)
      expect((await upload(PDF, { more: { notiz: '1 or 1' } })).status).toBe(404)
      const open = await upload(PDF, { more: { fuer_kunde: 'ja' } })
      expect((await page('appuser', 'karte', SHOWN)).zeilen).toMatchObject([
        { id: Number(open.headers.get('notiz')), text: '', dateien: [{ name: 'Brief.pdf' }] },
      ])
    })

    describe('what is accepted', () => {
      test.each([
        ['Brief.PDF', PDF, 'application/pdf'],
        ['Liste.docx', LETTER, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
        [
          'Text.odt',
          archive('mimetypeapplication/vnd.oasis.opendocument.text'),
          'application/vnd.oasis.opendocument.text',
        ],
        ['Werte.csv', Buffer.from('a;b\r\n1;ä\r\n'), 'text/plain'],
        ['Bild.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), 'image/jpeg'],
      ])('%s', async (name, bytes, mime) => {
        const answer = await upload(bytes, { name })
        expect(answer.status, await answer.clone().text()).toBe(204)
        const back = await ask('apus_team', notePaths.file(fileOf(answer)))
        expect(back.headers.get('content-type')).toContain(mime)
        expect(back.headers.get('content-disposition')).toMatch(/^attachment/)
      })
      test.each([
        ['Rechnung.pdf.exe', PDF, 'notiz_datei_name'],
        ['Rechnung.exe.pdf', PDF, 'notiz_datei_name'],
        ['Rechnung\u202efdp.pdf', PDF, 'notiz_datei_name'],
        ['Bild.jpg', PDF, 'notiz_datei_name'],
        ['Brief', PDF, 'notiz_datei_name'],
        [
          'Makro.docx',
          archive('x', '[Content_Types].xml', 'word/document.xml', 'vbaProject.bin'),
          'notiz_datei_makro',
        ],
        ['Programm.pdf', Buffer.from('MZ\u0090\u0000'), 'notiz_datei_typ'],
        ['Seite.txt', Buffer.from('<!DOCTYPE html><script>x</script>'), 'notiz_datei_typ'],
        ['Archiv.docx', archive('x', 'geheim.exe'), 'notiz_datei_typ'],
        ['Seite.pdf', Buffer.from('%PDF-1.7 <script>'), 'notiz_datei_typ'],
      ])('%s is refused', async (name, bytes, hint) => {
        const answer = await upload(bytes, { name })
        expect([answer.status, await hintOf(answer)]).toEqual([400, hint])
      })
      test('a hash that does not fit, and a file that is too large', async () => {
        const other = await upload(PDF, { more: { sha256: sha(LETTER) } })
        expect([other.status, await hintOf(other)]).toEqual([400, 'upload_hash'])
        const large = await ask('apus_team', notePaths.upload('karte', SHOWN), {
          ...beginning(PDF, 'a.pdf'),
          headers: { ...beginning(PDF, 'a.pdf').headers, 'upload-length': String(NOTE_FILE_BYTES + 1) },
        })
        expect([large.status, await hintOf(large)]).toEqual([413, 'notiz_datei_gross'])
      })
      test('a record that is full says so before the first byte', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           insert into app.notiz (id, client_id, karte_id, text) values (500, ${w.A}, ${HIDDEN}, '');
           insert into app.notiz_datei (notiz_id, client_id, name, mime, groesse, sha256)
             values (500, ${w.A}, 'x.pdf', 'application/pdf', ${NOTE_LIMITS.bytes}, repeat('0', 64)); commit`,
        )
        const answer = await ask('apus_team', notePaths.upload('karte', HIDDEN), beginning(PDF, 'a.pdf'))
        expect([answer.status, await hintOf(answer)]).toEqual([409, 'notiz_dateien_voll'])
      })
    })

    describe('who', () => {
      const uploads: [NoteKind, number, readonly IdentityName[]][] = [
        ['kunde', w.A, ['ogf_team', 'ogf_admin', 'apus_team', 'apus_admin', 'admin']],
        ['hq', w.A1, ['ogf_team', 'ogf_admin', 'admin']],
        ['rechnung', RECHNUNG_A, ['apus_admin', 'admin']],
        ['karte', HIDDEN, ['apus_team', 'apus_admin', 'admin']],
      ]
      test.each(uploads)('may add a file at %s', async (art, id, allowed) => {
        for (const who of WHO) {
          const { status } = await ask(who, notePaths.upload(art, id), {
            ...beginning(PDF, 'a.pdf'),
            headers: { ...beginning(PDF, 'a.pdf').headers, 'upload-length': '1' },
          })
          const isDone = status === 201 || (art === 'karte' && status === 409)
          expect(isDone, `${who} ${status}`).toBe(allowed.includes(who))
        }
      })
      test('at what is no record nothing is added', async () => {
        for (const path of [
          '/notizen/kunde/999/upload',
          '/notizen/kunde/0/upload',
          '/notizen/benutzer/1/upload',
        ])
          expect((await ask('admin', path, beginning(PDF, 'a.pdf'))).status, path).toBe(404)
      })
      test('gets the bytes: who reads the note', async () => {
        const inside = fileOf(await upload(PDF))
        const open = fileOf(await upload(PDF, { more: { fuer_kunde: 'ja' } }))
        const staff = ['apus_team', 'apus_admin', 'admin']
        for (const who of WHO) {
          expect((await ask(who, notePaths.file(inside))).ok, who).toBe(staff.includes(who))
          expect((await ask(who, notePaths.file(open))).ok, who).toBe(
            [...staff, 'appuser', 'appuser_admin'].includes(who),
          )
        }
      })
    })

    test('the clean-up keeps a file until its note is gone', async () => {
      const bytes = Buffer.concat([PDF, Buffer.from('one of a kind')])
      const answer = await upload(bytes)
      const old = new Date(Date.now() - 3 * 24 * 3600_000)
      const cleanUp = async () => {
        await utimes(join(folder, storeKeyOf(sha(bytes))), old, old)
        await cleanUpFiles({ database: engine.api, fileStore, log: silentLog, now: () => new Date() })
        return fileStore.groesse(sha(bytes))
      }
      expect(await cleanUp()).toBe(bytes.length)
      await engine.api.once(
        asCaller(claimsOf('apus_team')),
        sql('select app.a_delete_notiz($1)', answer.headers.get('notiz')),
      )
      expect(await cleanUp()).toBeNull()
      expect((await ask('apus_team', notePaths.file(fileOf(answer)))).status).toBe(404)
    })
  })
