// A customer's survey taken along: fetched from the server, and stored in the place of what was there.
import type { SurveyRow, VermessungRpc } from '#contract/vermessung.ts'
import { TABLES } from '#domain/vermessung/fields.ts'
import { eq } from '../../data/addresses.ts'
import { selectOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { mercator } from '../../karte/mercator.ts'
import { type FieldworkDb, type FieldworkPacket, type Sub, surveyKey, write } from './fieldwork-db.ts'
import { detailsOf, type PacketDetails, replaceRows } from './packet.ts'
import type { Part } from './packet-extent.ts'
import { parsePlaces } from '../../karte/survey-place.ts'

export interface FetchedSurvey {
  readonly client_id: number
  readonly name: string
  readonly objects: readonly SurveyRow[]
}
/** More would make the map and the search for neighbours slow on a phone. */
export const MOST_OBJECTS = 20_000
const LONG_MS = 60_000

class TooManyObjectsError extends ToldError {
  override readonly name = 'TooManyObjects'
  readonly code = 'too_many'
  readonly origin = undefined
}

interface Asked {
  readonly client_id: number
  readonly part: Part
  readonly signal: AbortSignal
  /** How many of the kinds are there, out of four like a holding's steps. */
  readonly onStep: (done: number) => void
}
type PageQuestion = VermessungRpc['a_get_vermessung_objekte']['takes']
const fetchPage = (question: PageQuestion, signal: AbortSignal): Promise<SurveyRow[]> =>
  rpc('a_get_vermessung_objekte', question, { signal, timeoutMs: LONG_MS })

/** All kinds, page by page. Rejects with a sentence if they are too many. */
export async function fetchObjects(
  { client_id, part, signal, onStep }: Asked,
  fetchOne: typeof fetchPage = fetchPage,
): Promise<SurveyRow[]> {
  const extent = part.art === 'kasten' ? part.kasten : null
  const objects: SurveyRow[] = []
  for (const [at, table] of TABLES.entries()) {
    for (let after = 0; ; ) {
      // oxlint-disable-next-line no-await-in-loop -- each page starts where the last one ended
      const page = await fetchOne({ client_id, tabelle: table, nach: after, kasten: extent }, signal)
      if (page.length === 0) break
      objects.push(...page)
      if (objects.length > MOST_OBJECTS)
        throw new TooManyObjectsError(
          t('Das sind mehr als {n} Objekte. Bitte wählen Sie einen Kartenausschnitt.', {
            n: formatNumber(MOST_OBJECTS),
          }),
        )
      after = page.at(-1)!.id
    }
    onStep(at)
  }
  return objects
}
export async function fetchSurvey(asked: Asked): Promise<FetchedSurvey> {
  const { client_id, signal } = asked
  const { name } = await selectOne<{ name: string }>('kunde', [eq('client_id', client_id)], {
    select: ['name'],
    signal,
  })
  return { client_id, name, objects: await fetchObjects(asked) }
}

function boxOf(objects: readonly SurveyRow[]): FieldworkPacket['kasten'] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { lage } of objects)
    for (const part of parsePlaces(lage))
      for (const { lon, lat } of part) {
        const [x, y] = mercator(lon, lat)
        box[0] = Math.min(box[0], x)
        box[1] = Math.min(box[1], y)
        box[2] = Math.max(box[2], x)
        box[3] = Math.max(box[3], y)
      }
  return Number.isFinite(box[0]) ? box : null
}

/** All or nothing; what waits on this device stays. */
export function putAwaySurvey(
  db: FieldworkDb,
  sub: Sub,
  { client_id, name, objects }: FetchedSurvey,
  part: Part,
  now: Date,
): Promise<FieldworkPacket> {
  const idHQ = surveyKey(client_id)
  return write(db, ['pakete', 'baeume', 'erfassungen'], async (tx) => {
    const before = await tx.objectStore('pakete').get([sub, idHQ])
    const karte = before === undefined ? null : detailsOf(before).karte
    const packet: FieldworkPacket = {
      sub,
      idHQ,
      client_id,
      sHQ: name,
      ebenen: [],
      umrisse: [],
      kasten: part.art === 'kasten' ? [...part.kasten] : boxOf(objects),
      geholt_am: now.toISOString(),
      fertig: true,
      baeume: objects.length,
      kacheln: karte?.kacheln ?? 0,
      bytes: new TextEncoder().encode(JSON.stringify(objects)).length + (karte?.bytes ?? 0),
      weiteres: { teil: part, bestaende: [], karte } satisfies PacketDetails,
    }
    await replaceRows(
      tx,
      { sub, idHQ },
      objects.map((row) => ({
        sub,
        kennung: row.kennung,
        idHQ,
        baum: row,
        bilder: row.bilder ?? 0,
        tabelle: row.tabelle,
      })),
    )
    await tx.objectStore('pakete').put(packet)
    return packet
  })
}
