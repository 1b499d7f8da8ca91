// The further sheets of an uploaded file as separate plans: one after the other, each created and then given
// its page. What was made before a fault stays, and going on begins behind it.
import { kartePaths, MOST_SHEETS } from '#contract/karte-files.ts'
import type { Karte } from '#contract/karte.ts'
import { eq } from '../../data/addresses.ts'
import { callGeneral } from '../../data/client.ts'
import { insert, selectOne } from '../../data/rows.ts'
import { messageOf } from '../../record/record-faults.ts'
import { t } from '../../ui/text.ts'
import { pathOf } from './files.data.ts'

/** The server draws a page of a PDF, and a large one takes a while. */
const PAGE_MS = 200_000
const LONGEST_NAME = 200

interface PageState {
  /** The next page, from 2. */
  readonly next: number
  /** Created already, but without its page. */
  readonly begun: number | null
}
export interface PagesRun extends PageState {
  readonly busy: boolean
  readonly fault: string | null
}
export const FIRST_FURTHER = 2
const AT_REST: PagesRun = { next: FIRST_FURTHER, begun: null, busy: false, fault: null }

/** By file. They belong to no page, so that leaving and coming back makes nothing twice. */
const runs = new Map<number, PagesRun>()
const listeners = new Set<() => void>()
export const runOf = (fileId: number): PagesRun => runs.get(fileId) ?? AT_REST
export function subscribeRuns(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
function change(fileId: number, part: Partial<PagesRun>) {
  runs.set(fileId, { ...runOf(fileId), ...part })
  for (const listener of listeners) listener()
}

export interface Sheets {
  readonly karte: number
  /** The file of the first page. */
  readonly datei: number
  readonly count: number
}

/** The last page that becomes a plan. */
export const lastOf = (count: number): number => Math.min(count, MOST_SHEETS)

/** Goes on where it stopped; a second call while it runs does nothing. Resolves in any case. */
export async function makeFurtherPages(sheets: Sheets): Promise<void> {
  const { datei } = sheets
  if (runOf(datei).busy) return
  change(datei, { busy: true, fault: null })
  try {
    await makeAll(sheets)
    change(datei, { busy: false })
  } catch (error) {
    change(datei, { busy: false, fault: messageOf(error) })
  }
}

const nameOf = (name: string, page: number): string => {
  const added = t('{name}, Seite {n}', { name: '', n: page })
  return (
    Array.from(name)
      .slice(0, LONGEST_NAME - added.length)
      .join('') + added
  )
}

async function makeAll({ karte, datei, count }: Sheets): Promise<void> {
  const { client_id, map_name, epsg } = await selectOne<Karte>('karte', [eq('id', karte)], {
    select: ['client_id', 'map_name', 'epsg'],
  })
  for (let { next, begun } = runOf(datei); next <= lastOf(count); next++, begun = null) {
    /* oxlint-disable no-await-in-loop -- one page of the server's time after the other */
    if (begun === null) {
      begun = (await insert<Karte>('karte', { client_id, epsg, map_name: nameOf(map_name, next) })).id
      change(datei, { begun })
    }
    const body = { datei, seite: next }
    await callGeneral('POST', pathOf(kartePaths.seite(begun)), { body, timeoutMs: PAGE_MS, quiet: true })
    change(datei, { next: next + 1, begun: null })
    /* oxlint-enable no-await-in-loop */
  }
}
