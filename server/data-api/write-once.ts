// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a write whose answer was lost can be sent again
// with its key. It is done once, and each further request gets the answer of the first.
import { createHash } from 'node:crypto'
import type { Statement, Transaction } from '#server/database/database.ts'
import type { Answer, AnswerHeaders } from './outcome.ts'
import { answerNotKept, badWriteKey, otherWrite } from './faults.ts'
import type { RawRequest } from './parse-request.ts'

/** Where answers are kept; both statements run in the transaction of the write. */
export interface KeptAnswers {
  /** Takes the key, or answers with the row `Taken` of an earlier request; waits for one that is running. */
  readonly take: (key: string, digest: string) => Statement
  /** `call`: name of the function that was called, if one was. An answer that must not be kept it leaves out. */
  readonly keep: (key: string, answer: Answer, call: string | null) => Statement
}

/** What `take` answers. Numbers and texts as the database prints them; `headers` is JSON. */
interface Taken {
  readonly repeated: boolean
  readonly same: boolean | null
  /** Null if the answer was too large, or must not be kept. */
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

export interface WriteKey {
  readonly key: string
  /** SHA-256 of everything that decides what the request does and how it is answered, in hex. */
  readonly digest: string
  readonly kept: KeptAnswers
}

const KEY = /^[A-Za-z0-9_-]{16,64}$/

/** Null without the header. Throws 400 for a key that cannot be one. */
export function readWriteKey(raw: RawRequest, kept: KeptAnswers): WriteKey | null {
  const key = raw.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !KEY.test(key)) throw badWriteKey()
  const digest = createHash('sha256')
  for (const part of [raw.method, raw.path, raw.query, ...DECIDING.map((name) => raw.headers[name] ?? '')])
    digest.update(`${JSON.stringify(part)}\n`)
  return { key, digest: digest.update(raw.body).digest('hex'), kept }
}
const DECIDING = ['accept', 'content-type', 'prefer', 'content-profile'] as const

/**
 * Does the write and keeps its answer, or gives the answer of the request that did it. Throws 422 if the key
 * belongs to another write, 409 if the answer was not kept.
 */
export async function writeOnce(
  tx: Transaction,
  { key, digest, kept }: WriteKey,
  call: string | null,
  write: () => Promise<Answer>,
): Promise<Answer> {
  const { rows } = await tx.query<Taken>(kept.take(key, digest))
  const taken = rows[0]
  if (taken?.repeated !== true) {
    const answer = await write()
    const whole = answer.hex === true ? { ...answer, headers: marksHex(answer) } : answer
    await tx.query(kept.keep(key, whole, call))
    return marked(answer, false)
  }
  if (taken.same !== true) throw otherWrite()
  if (taken.status === null) throw answerNotKept()
  const { [HEX]: hex, ...headers } = JSON.parse(taken.headers ?? '{}') as AnswerHeaders
  const answer = { status: taken.status, headers, body: taken.body }
  return marked(hex === undefined ? answer : { ...answer, hex: true }, true)
}

/** No header can have this name. */
const HEX = ':hex'
const marksHex = ({ headers }: Answer): AnswerHeaders => ({ ...headers, [HEX]: '1' })

const marked = (answer: Answer, repeated: boolean): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'Idempotency-Replayed': String(repeated) },
})
