// Notices that the browser has emptied the storage: a mark is kept in the database and beside it
// (mark-cookie.ts), with what was waiting. If only the one beside it is left, the database is another one.
import { type FieldworkDb, readFrom, type Sub, write } from './fieldwork-db.ts'

/** Belongs to the device: it is about its storage, no matter who signs in. */
const MARK = 'geraet.feld-marke'
const WAITING = 'geraet.feld-wartend'
const EMPTIED = 'geraet.feld-geraeumt'

/** What was waiting when it was last known. */
export interface Lost {
  /** ISO; when that was. */
  readonly am: string
  readonly baeume: number
  readonly bilder: number
}
export type Beside = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const isLost = (value: unknown): value is Lost => {
  const { am, baeume, bilder } = (value ?? {}) as Partial<Lost>
  return Number.isInteger(baeume) && Number.isInteger(bilder) && Number.isFinite(Date.parse(am ?? ''))
}
/** What was waiting of each person. */
function waitingIn(text: string | null): Record<Sub, Lost> {
  try {
    const value = JSON.parse(text ?? '{}') as object | null
    return Object.fromEntries(Object.entries(value ?? {}).filter(([, lost]) => isLost(lost)))
  } catch {
    return {}
  }
}

/** Called on opening: compares the marks and makes missing ones. True: the storage was emptied. */
export async function compareMarks(db: FieldworkDb, beside: Beside): Promise<boolean> {
  const inside = await readFrom(() => db.get('device', 'marke'))
  if (inside !== undefined) {
    // Set each time: it may be about to expire.
    beside.setItem(MARK, String(inside.wert))
    return false
  }
  const outside = beside.getItem(MARK)
  const mark = `${Date.now()} ${Math.random()}`
  await write(db, ['device'], (tx) => tx.objectStore('device').put({ name: 'marke', wert: mark }))
  beside.setItem(MARK, mark)
  if (outside === null) return false
  beside.setItem(EMPTIED, beside.getItem(WAITING) ?? '{}')
  beside.removeItem(WAITING)
  return true
}

/** Kept beside the database, so that it can be said what went with it. */
export function noteWaiting(beside: Beside, sub: Sub, { am, baeume, bilder }: Lost): void {
  const { [sub]: _before, ...others } = waitingIn(beside.getItem(WAITING))
  const all = baeume + bilder === 0 ? others : { ...others, [sub]: { am, baeume, bilder } }
  beside.setItem(WAITING, JSON.stringify(all))
}

/** Null: nothing was lost, or it was read. Counts only of this person's own work. */
export function readLost(beside: Beside, sub: Sub): { readonly counts: Lost | null } | null {
  const text = beside.getItem(EMPTIED)
  return text === null ? null : { counts: waitingIn(text)[sub] ?? null }
}
export const acknowledgeLost = (beside: Beside): void => beside.removeItem(EMPTIED)
