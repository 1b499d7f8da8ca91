// Runs in the page of a journey: fills the device's queue by the product's own functions, as its forms do. Every entry
// is printed on the console once the device has stored it, so that the journey knows what a killed window may
// not lose.
import { openFieldworkDb } from '../web/src/features/fieldwork/fieldwork-db.ts'
import { unsent } from '../web/src/features/fieldwork/capture.ts'
import { rememberImage, saveNew, saveNewObject } from '../web/src/features/fieldwork/queue.ts'
import { NO_VALUES } from '../web/src/record/kataster/survey-values.ts'
import { newTree, toTreeValues } from '../web/src/record/habitat/habitat-form.ts'

export interface PlannedEntry {
  readonly kennung: string
  readonly idHQ: number
  readonly name: string
  readonly lon: number
  readonly lat: number
  readonly photo: { readonly kennung: string; readonly base64: string; readonly sha256: string } | null
}
export const TOLD = 'gespeichert '
/** So that a window that is to be killed does not finish before. */
const PAUSE_MS = 20

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))

/** What is there already stays as it is; answers how many are there in the end. */
export async function fill(entries: readonly PlannedEntry[]): Promise<number> {
  const db = await openFieldworkDb()
  const [person] = await db.getAll('person')
  const { sub } = person!
  const present = new Date()
  for (const { kennung, idHQ, name, lon, lat, photo } of entries) {
    const common = { sub, kennung, idHQ, ersatz: crypto.randomUUID(), present }
    if ((await db.get('erfassungen', [sub, kennung])) === undefined)
      await (idHQ < 0
        ? saveNewObject(db, {
            ...common,
            tabelle: 'schacht',
            werte: { ...NO_VALUES, lage: `${lon} ${lat}`, schluessel: name, dn: 300, vermessen: true },
            entwurf: 'neu-vermessung',
          })
        : saveNew(db, {
            ...common,
            werte: {
              ...toTreeValues({
                ...newTree('Tag im Wald'),
                art: 'bu',
                nummer: name,
                lat: '51',
                lon: '9',
                lage_methode: 'gnss',
              }),
              lon,
              lat,
            },
            entwurf: 'neu',
          }))
    console.info(TOLD + kennung)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    if (photo === null || (await db.get('bilder', [sub, photo.kennung])) !== undefined) continue
    const bytes = bytesOf(photo.base64)
    await rememberImage(db, {
      sub,
      kennung: photo.kennung,
      baum: kennung,
      idHQ,
      stand: 'wartet',
      original: new Blob([bytes], { type: 'image/jpeg' }),
      sha256: photo.sha256,
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: `${name}.jpg`,
      vorschau: null,
      aufgenommen_am: present.toISOString(),
      bemerkung: null,
      ...unsent(present.toISOString()),
    })
    console.info(TOLD + photo.kennung)
  }
  const count = await db.count('erfassungen')
  db.close()
  return count
}

/** Everything that is stored here: kennungen of captures and photos. */
export async function stored(): Promise<string[]> {
  const db = await openFieldworkDb()
  const keys = [...(await db.getAllKeys('erfassungen')), ...(await db.getAllKeys('bilder'))]
  db.close()
  return keys.map(([, identifier]) => identifier)
}
