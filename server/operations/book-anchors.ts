// Sets anchors of the books: after each issue, and whenever the chain has grown by the next round. Anchors
// and why they are outside the database: server/anchors.ts.
import { type AsOwner, asBetrieb } from '#server/as-betrieb.ts'
import {
  type AnchorKey,
  appendLine,
  type Head,
  isAnchor,
  makeAnchor,
  type Occasion,
  readLines,
} from '#server/anchors.ts'
import { createJob, type Job } from '#server/job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'

export interface AnchorOptions {
  readonly asOwner: AsOwner
  readonly file: string
  readonly key: AnchorKey
  readonly log: Log
  readonly now: () => Date
}

/** Null while nothing is sealed. */
export async function readHead(asOwner: AsOwner): Promise<Head | null> {
  const [head] = await asBetrieb<{ nr: string | number; kopf: string }>(
    asOwner,
    'select nr, kopf from books.chain_head()',
  )
  return head === undefined ? null : { nr: Number(head.nr), kopf: head.kopf }
}

/** Appends the present head; null while nothing is sealed. */
export async function setAnchor(
  options: Omit<AnchorOptions, 'log'>,
  occasion: Occasion,
): Promise<Head | null> {
  const head = await readHead(options.asOwner)
  if (head !== null) await appendLine(options.file, makeAnchor(options.key, head, options.now(), occasion))
  return head
}

async function lastAnchored(file: string): Promise<string | null> {
  let last: string | null = null
  for await (const { line } of readLines(file)) if (line !== null && isAnchor(line)) last = line.kopf
  return last
}

/** Procedures after which a document is out of the house, or money has moved. */
const ISSUES = [
  'a_issue_invoice',
  'a_issue_offer',
  'a_cancel_invoice',
  'a_add_mahnung',
  'a_decide_offer',
  '__o_decide_offer',
]
const FIRST_MS = 5_000

export function anchorJob(options: AnchorOptions & { readonly everyMs: number }): Job {
  let anchored: string | null | undefined
  return createJob({
    name: 'anchors of the books',
    firstMs: FIRST_MS,
    everyMs: options.everyMs,
    round: async () => {
      anchored ??= await lastAnchored(options.file)
      const head = await readHead(options.asOwner)
      if (head === null || head.kopf === anchored) return
      await appendLine(options.file, makeAnchor(options.key, head, options.now(), 'stand'))
      anchored = head.kopf
    },
    onFault: (error) => options.log.error('the books could not be anchored', { reason: reasonForLog(error) }),
    wokenBy: ISSUES,
  })
}
