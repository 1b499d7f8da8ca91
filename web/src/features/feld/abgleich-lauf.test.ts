import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { neuerBaum, toBaumWerte } from '../../record/habitat/habitat-form.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'
import { type AbgleichLauf, createLauf, type LaufOptions } from './abgleich-lauf.ts'
import { createWeg } from './abgleich-weg.ts'
import { type FeldDb, loescheFeldDb, openFeldDb } from './feld-db.ts'
import { ModellServer, tokenFuer } from './feld-modell.fixture.ts'
import { speichereNeu, zaehleWartende } from './schlange.ts'

const NAME = 'abgleich-lauf-test'
const SUB = 'person-1'
const JETZT = new Date('2026-11-22T09:00:00Z')

let db: FeldDb
let server: ModellServer
/** What the line does with the next request. */
let line: 'holds' | 'broken' | 'hangs' = 'holds'
const open: AbgleichLauf[] = []
beforeEach(async () => {
  db = await openFeldDb({ name: NAME })
  server = new ModellServer()
  line = 'holds'
})
afterEach(async () => {
  for (const lauf of open.splice(0)) lauf.schliesse()
  db.close()
  await loescheFeldDb(NAME)
})
const capture = () => {
  const werte = toBaumWerte({ ...neuerBaum('Feld'), art: 'bu', lat: '51,1', lon: '9,1' })
  return speichereNeu(db, { sub: SUB, kennung: neueKennung(), idHQ: 1, werte, entwurf: 'neu', ersatz: neueKennung(), jetzt: JETZT })
}
function begin(more: Partial<LaufOptions> = {}): AbgleichLauf {
  const weg = createWeg(SUB, {
    dataApi: 'http://feld.test/rest',
    generalApi: 'http://feld.test/api',
    token: () => tokenFuer(SUB),
    renew: () => Promise.resolve(false),
    fetch: (input, init) => {
      if (line === 'broken') return Promise.reject(new TypeError('Failed to fetch'))
      if (line === 'holds') return server.antworte(input as string, init)
      const { signal } = init!
      return new Promise((_resolve, reject) => {
        if (signal!.aborted) reject(signal!.reason as Error)
        signal!.addEventListener('abort', () => reject(signal!.reason as Error))
      })
    },
  })
  const lauf = createLauf({
    db,
    sub: SUB,
    weg,
    jetzt: () => JETZT,
    bereit: () => 'ja',
    suche: () => undefined,
    unerwartet: () => 'unerwartet',
    zufall: () => 0.5,
    ...more,
  })
  open.push(lauf)
  return lauf
}
const until = (lauf: AbgleichLauf, stand: string) => expect.poll(() => lauf.lauf().stand).toBe(stand)

describe('when the queue is sent', () => {
  test('what waits goes out, and it tells when it was done', async () => {
    await capture()
    const lauf = begin()
    lauf.stosseAn()
    await expect.poll(() => lauf.lauf().fertig_am).toBe(JETZT.toISOString())
    expect(lauf.lauf()).toMatchObject({ stand: 'ruht', fehler: null, bilanz: { baeume: 1 } })
    expect(await zaehleWartende(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  })

  test('a line that breaks: it says why and when it tries again, later and later; the button does not wait', async () => {
    await capture()
    line = 'broken'
    const lauf = begin()
    lauf.stosseAn()
    await until(lauf, 'wartet')
    expect(lauf.lauf().fehler).toContain('nicht erreichbar')
    expect(lauf.lauf().wieder).toBe('2026-11-22T09:00:02.000Z')
    lauf.stosseAn()
    await expect.poll(() => lauf.lauf().wieder).toBe('2026-11-22T09:00:05.000Z')
    line = 'holds'
    lauf.starte()
    await expect.poll(() => lauf.lauf().fertig_am).not.toBeNull()
    expect(server.baeume.size).toBe(1)
  })

  test('stopped by the person amid a request it stays stopped until the person goes on', async () => {
    await capture()
    line = 'hangs'
    const lauf = begin()
    lauf.stosseAn()
    await until(lauf, 'laeuft')
    lauf.halteAn()
    await until(lauf, 'angehalten')
    line = 'holds'
    lauf.stosseAn()
    expect(lauf.lauf().stand).toBe('angehalten')
    // The one that was stopped has to end first.
    await expect.poll(() => (lauf.starte(), server.baeume.size)).toBe(1)
  })

  test('one at a time over all windows', async () => {
    await capture()
    line = 'hangs'
    const first = begin()
    first.stosseAn()
    await until(first, 'laeuft')
    const second = begin()
    second.stosseAn()
    await until(second, 'anderswo')
    expect(server.anfragen).toBe(0)
  })

  test('nobody is signed in: nothing goes out, and it looks for a sign-in when it is asked to', async () => {
    await capture()
    let looked = 0
    let how: 'ja' | 'anmeldung' = 'anmeldung'
    const lauf = begin({ bereit: () => how, suche: () => looked++ })
    lauf.stosseAn()
    expect(lauf.lauf().stand).toBe('anmeldung')
    lauf.starte()
    expect(looked).toBe(1)
    expect(server.anfragen).toBe(0)
    how = 'ja'
    lauf.stosseAn()
    await expect.poll(() => server.baeume.size).toBe(1)
  })

  test('what nobody thought of is told and tried again', async () => {
    await capture()
    const lauf = begin({
      jetzt: () => JETZT,
      weg: { sync: () => Promise.reject(new Error('a bug')), bilderDa: () => Promise.resolve([]), sende: () => Promise.resolve() },
    })
    lauf.stosseAn()
    await until(lauf, 'fehler')
    expect(lauf.lauf()).toMatchObject({ fehler: 'unerwartet', wieder: '2026-11-22T09:00:02.000Z' })
  })
})
