// Reads a rescue file (rescue.ts) back in: its captures and photos become a queue of the person who reads it,
// which is sent like any other. The server knows each by its kennung, so that nothing is there twice, whether
// the device has sent some of it or the file was read before; and it lets nobody write what they may not.
import { PHOTO_MOST_BYTES } from '#contract/habitat-images.ts'
import { ArchiveFault, type BlobEntry, readZip } from '../../data/zip-blob.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { unsent } from './capture.ts'
import { isTable } from '#domain/vermessung/fields.ts'
import { type AnyCapture, type FieldworkDb, type FieldworkImage, type Sub, write } from './fieldwork-db.ts'

export class RescueFault extends ToldError {
  override readonly name = 'RescueFault'
  readonly origin = undefined
  readonly code: 'kein_zip' | 'fremd' | 'fassung' | 'kaputt' | 'gross'
  constructor(code: RescueFault['code'], cause?: unknown) {
    super(SENTENCES[code](), { cause })
    this.code = code
  }
}
const SENTENCES: Record<RescueFault['code'], () => string> = {
  kein_zip: () =>
    t('Das ist keine ZIP-Datei, oder sie ist unvollständig. Bitte übertragen Sie sie noch einmal.'),
  fremd: () => t('Das ist keine gesicherte Datei des Feldmodus: Es fehlt daten.json von Forstkontor.'),
  fassung: () => t('Die Datei ist von einer neueren Fassung des Feldmodus. Bitte laden Sie diese Seite neu.'),
  kaputt: () =>
    t('Die Angaben in der Datei sind beschädigt. Bitte sichern Sie sie auf dem Gerät noch einmal.'),
  gross: () =>
    t('Die Datei enthält mehr, als ein Gerät erfassen kann: höchstens {n} Einträge.', { n: '20.000' }),
}

export interface RescueContent {
  /** ISO; when the device made the file. */
  readonly madeAt: string | null
  readonly erfassungen: readonly AnyCapture[]
  readonly bilder: readonly FieldworkImage[]
  /** Forms that were never saved: only shown, because nobody has confirmed them. */
  readonly entwuerfe: number
  /** Entries that are not what they should be, and names of photos that are not in the file. */
  readonly unreadable: number
  readonly fehlend: readonly string[]
}

const MOST_CAPTURES = 20_000
const MOST_JSON = 200 * 1024 * 1024
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

type Entries = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown): value is string => typeof value === 'string'
const isMoment = (value: unknown): value is string => isText(value) && Number.isFinite(Date.parse(value))
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A customer's survey is stored under a negative number. */
const isKeyOf = (table: unknown, idHQ: unknown): idHQ is number =>
  table === undefined ? isNumber(idHQ) : isTable(table) && Number.isSafeInteger(idHQ)

/** Null if it is no capture. Whatever state it had on the device, the server decides on it again. */
function captureOf(value: unknown, sub: Sub): AnyCapture | null {
  if (!isObject(value)) return null
  const { kennung, tabelle, idHQ, version, basis, werte, kontrollen, unterwegs, seit, folge } = value
  const isTree = tabelle === undefined
  const isBorder = tabelle === 'grenzvorschlag'
  const isRight =
    isText(kennung) &&
    UUID.test(kennung) &&
    (isBorder ? isNumber(idHQ) : isKeyOf(tabelle, idHQ)) &&
    (version === null || isNumber(version)) &&
    isObject(werte) &&
    Object.values(werte).every(
      (one) => one === null || ['string', 'number', 'boolean'].includes(typeof one),
    ) &&
    (basis === null ||
      (isObject(basis) && (isTree ? Array.isArray(basis['strukturen']) : isText(basis['lage'])))) &&
    (unterwegs === null ||
      (isObject(unterwegs) && unterwegs['kennung'] === kennung && unterwegs['tabelle'] === tabelle)) &&
    listOf(kontrollen).every(isObject) &&
    isMoment(seit)
  if (!isRight) return null
  return {
    sub,
    kennung,
    ...(!isTree && { tabelle }),
    idHQ,
    version,
    basis,
    werte,
    kontrollen: listOf(kontrollen),
    stand: 'wartet',
    unterwegs,
    versuche: 0,
    antwort: null,
    seit,
    ...(isNumber(folge) && { folge }),
    geaendert_am: seit,
  } as AnyCapture
}

/** Without its bytes; null if it is no photo. */
function imageOf(value: unknown, sub: Sub): Omit<FieldworkImage, 'original'> | null {
  if (!isObject(value)) return null
  const { kennung, baum, tabelle, idHQ, sha256, groesse, typ, name, aufgenommen_am, bemerkung, seit, folge } =
    value
  const isRight =
    isText(kennung) &&
    UUID.test(kennung) &&
    isText(baum) &&
    UUID.test(baum) &&
    isKeyOf(tabelle, idHQ) &&
    isText(sha256) &&
    isNumber(groesse) &&
    groesse > 0 &&
    groesse <= PHOTO_MOST_BYTES &&
    isText(typ) &&
    isText(name) &&
    isMoment(aufgenommen_am) &&
    (bemerkung === null || isText(bemerkung)) &&
    isMoment(seit)
  if (!isRight) return null
  return {
    sub,
    kennung,
    baum,
    ...(isTable(tabelle) && { tabelle }),
    idHQ,
    sha256,
    groesse,
    typ,
    name,
    aufgenommen_am,
    bemerkung,
    stand: 'wartet',
    vorschau: null,
    ...unsent(seit),
    ...(isNumber(folge) && { folge }),
  }
}

async function dataOf(entries: readonly BlobEntry[]): Promise<{ data: Entries; folder: string }> {
  // Packed again by somebody, everything may be in a folder.
  const found = entries.find(({ name }) => /(?:^|\/)daten\.json$/.test(name) && !name.includes('__MACOSX'))
  if (found === undefined) throw new RescueFault('fremd')
  let data: unknown
  try {
    data = JSON.parse(await (await found.read(MOST_JSON)).text())
  } catch (error) {
    throw new RescueFault('kaputt', error)
  }
  if (!isObject(data) || data['programm'] !== 'Forstkontor') throw new RescueFault('fremd')
  if (data['fassung'] !== 1) throw new RescueFault('fassung')
  return { data, folder: found.name.slice(0, -'daten.json'.length) }
}

/** `sub`: who reads it. Rejects with RescueFault. */
export async function readRescue(file: Blob, sub: Sub): Promise<RescueContent> {
  const entries = await readZip(file).catch((error: unknown) => {
    throw error instanceof ArchiveFault ? new RescueFault('kein_zip', error) : error
  })
  const { data, folder } = await dataOf(entries)
  const [captures, images] = [listOf(data['erfassungen']), listOf(data['bilder'])]
  if (captures.length > MOST_CAPTURES) throw new RescueFault('gross')
  const right = new Map<string, AnyCapture>()
  for (const value of captures) {
    const capture = captureOf(value, sub)
    if (capture !== null) right.set(capture.kennung, capture)
  }
  const files = new Map(entries.map((entry) => [entry.name, entry]))
  const photos = new Map<string, FieldworkImage>()
  const missing: string[] = []
  let unreadable = captures.length - right.size
  for (const value of images) {
    // Of a form that was never saved: nobody has said that it belongs to the tree.
    if (isObject(value) && value['stand'] === 'entwurf') continue
    const image = imageOf(value, sub)
    if (image === null) {
      unreadable++
      continue
    }
    const entry = files.get(folder + String((value as Entries)['datei']))
    // oxlint-disable-next-line no-await-in-loop -- so that not all of them are unpacked at once
    const original = await entry?.read(PHOTO_MOST_BYTES).catch(() => undefined)
    if (original?.size === image.groesse)
      photos.set(image.kennung, { ...image, original: original.slice(0, original.size, image.typ) })
    else missing.push(image.name)
  }
  return {
    madeAt: isMoment(data['erstellt_am']) ? data['erstellt_am'] : null,
    erfassungen: [...right.values()],
    bilder: [...photos.values()],
    entwuerfe: listOf(data['entwuerfe']).length,
    unreadable,
    fehlend: missing,
  }
}

/** As if it had been captured here. */
export const fillQueue = (db: FieldworkDb, { erfassungen, bilder }: RescueContent): Promise<void> =>
  write(db, ['erfassungen', 'bilder'], async (tx) => {
    await Promise.all(erfassungen.map((capture) => tx.objectStore('erfassungen').put(capture)))
    await Promise.all(bilder.map((image) => tx.objectStore('bilder').put(image)))
  })

/** What the server has of a capture. inzwischen: somebody has changed the tree. fehlt: deleted, or not visible. */
export type RescueState = 'neu' | 'da' | 'aenderung' | 'inzwischen' | 'fehlt'
export function rescueStateOf({ version }: AnyCapture, server: { version: number } | undefined): RescueState {
  if (server === undefined) return version === null ? 'neu' : 'fehlt'
  if (version === null) return server.version === 1 ? 'da' : 'inzwischen'
  return server.version === version ? 'aenderung' : 'inzwischen'
}
