import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { unpackZip } from '../../data/unpack-zip.ts'
import { newTree, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { deleteFieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import { sha256 } from './fieldwork-model.fixture.ts'
import { rescueFile } from './rescue.ts'
import { rememberImage, rememberDraft, saveNew } from './queue.ts'
import { unsent } from './capture.ts'

test('the last rescue holds everything of the person, photos byte by byte, and nothing of anybody else', async () => {
  const name = 'rettung-test'
  const db = await openFieldworkDb({ name })
  const present = new Date('2026-11-22T09:30:00Z')
  const values = toTreeValues({ ...newTree('Feld'), nummer: 'Ä 1', art: 'bu', lat: '51,1', lon: '9,1' })
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 17) % 256)
  for (const sub of ['a', 'b']) {
    await saveNew(db, {
      sub,
      kennung: `baum-${sub}`,
      idHQ: 1,
      werte: values,
      entwurf: 'x',
      ersatz: 'y',
      present,
    })
    await rememberDraft(db, {
      sub,
      name: 'neu',
      kennung: `form-${sub}`,
      idHQ: 1,
      werte: { nummer: '2' },
      am: present.toISOString(),
    })
    await rememberImage(db, {
      sub,
      kennung: `bild-${sub}`,
      baum: `baum-${sub}`,
      idHQ: 1,
      stand: 'wartet',
      original: new Blob([bytes]),
      sha256: sha256(bytes),
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: 'Stamm.jpg',
      vorschau: null,
      aufgenommen_am: present.toISOString(),
      bemerkung: null,
      ...unsent(present.toISOString()),
    })
  }
  const { name: file, datei } = await rescueFile(db, 'a', present)
  db.close()
  await deleteFieldworkDb(name)
  expect(file).toBe('Forstkontor-Feld_2026-11-22-09-30.zip')
  const entries = await unpackZip(new Uint8Array(await datei.arrayBuffer()), () => true)
  expect(entries.map((entry) => entry.name)).toEqual(['daten.json', 'fotos/bild-a.jpg'])
  const data = new TextDecoder().decode(entries[0]!.data)
  expect(JSON.parse(data)).toMatchObject({
    erfassungen: [{ kennung: 'baum-a', werte: { nummer: 'Ä 1', art: 'bu' } }],
    entwuerfe: [{ kennung: 'form-a' }],
    bilder: [{ datei: 'fotos/bild-a.jpg', baum: 'baum-a', sha256: sha256(bytes) }],
  })
  expect(data).not.toContain('baum-b')
  expect(sha256(entries[1]!.data)).toBe(sha256(bytes))
})
