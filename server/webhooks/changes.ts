// GET /changes: what has happened, in order and without gaps, to people and to programs with a key: each sees the
// events of records that they may see. Who asks again with `next` as `after` misses nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isEventKind } from '#domain/ereignis.ts'
import type { Change, Changes } from '#contract/webhook.ts'
import { asBetrieb, type AsOwner } from '#server/as-betrieb.ts'
import { type Caller, personOf } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { isKept } from '#server/etag.ts'
import { asNutzer } from '#server/nutzer.ts'
import { CHANGES_BASE } from '#server/refuse.ts'
import { forNutzer } from '#server/route-caller.ts'

export interface ChangesOptions {
  readonly database: Database
  readonly asOwner: AsOwner
}

const MOST = 1_000
const USUAL = 100
const LONGEST_WAIT_S = 25
/** Who wait at the same time; others are answered at once. */
const WAITING = 200
/** All keys of a person count as that person: fifty keys must not take every place. */
const WAITING_PER_PERSON = 4
const LOOK_MS = 1_000

interface Asked {
  /** Null: from the first that is kept. */
  readonly after: string | null
  readonly limit: number
  readonly kinds: readonly string[] | null
  readonly kunde: string | null
  readonly waitS: number
}

/** Both figures and the rows are of one snapshot: what is not among the rows is not before `letzte`. */
const PAGE = `select r.entfernt_bis::text as entfernt_bis, r.letzte::text as letzte,
  coalesce(dispatch.knows_position($1::bigint), true) as bekannt, (
    select coalesce(json_agg(p.change order by p.id), '[]')::text
    from (
      select e.id, dispatch.event_json(e) as change from app.ereignis e
      where e.id > coalesce($1::bigint, r.entfernt_bis) and ($2::text[] is null or e.art = any ($2::text[]))
        and ($3::bigint is null or e.client_id = $3::bigint)
      order by e.id limit $4::integer
    ) p
  ) as changes
  from dispatch.event_range() r`

interface Row {
  readonly entfernt_bis: string
  readonly letzte: string
  readonly bekannt: boolean
  readonly changes: string
}

export function changesRoutes({
  database,
  asOwner,
}: ChangesOptions): (app: FastifyInstance) => Promise<void> {
  const waiting = createWaiting(async () => {
    const [row] = await asBetrieb<{ letzte: string }>(
      asOwner,
      'select letzte::text as letzte from dispatch.event_range()',
    )
    return Number(row?.letzte ?? 0)
  })
  async function page(caller: Caller, { after, kinds, kunde, limit }: Asked): Promise<Changes> {
    const { rows } = await database.once<Row>(asNutzer(caller, { readOnly: true }), {
      text: PAGE,
      values: [after, kinds, kunde, limit + 1],
    })
    const {
      entfernt_bis: gone,
      letzte: last,
      bekannt: isKnown,
      changes,
    } = rows[0] ?? { entfernt_bis: '0', letzte: '0', bekannt: true, changes: '[]' }
    if (after !== null && Number(after) < Number(gone))
      throw new Refusal('changes_gone', `Ereignisse bis ${gone} sind nicht mehr vorhanden. (No longer kept.)`)
    // Of another installation, or of this one before a dump was restored.
    if (after !== null && (Number(after) > Number(last) || !isKnown))
      throw new Refusal(
        'changes_gone',
        `Diese Stelle gibt es nicht; die letzte ist ${last}. (Unknown position.)`,
      )
    const found = JSON.parse(changes) as Change[]
    const more = found.length > limit
    const shown = found.slice(0, limit)
    return { changes: shown, next: more ? (shown.at(-1)?.data.position ?? 0) : Number(last), more }
  }
  return async (app) => {
    app.get(
      CHANGES_BASE,
      forNutzer(
        async (caller, request, reply) => {
          const asked = askedIn(request)
          const ended = new AbortController()
          reply.raw.once('close', () => ended.abort())
          let answer = await page(caller, asked)
          if (answer.changes.length === 0 && asked.waitS > 0) {
            const until = Date.now() + asked.waitS * 1000
            await waiting.admit(personOf(caller.claims), async () => {
              while (answer.changes.length === 0 && (await waiting.next(answer.next, until, ended.signal)))
                answer = await page(caller, { ...asked, after: String(answer.next) })
            })
          }
          return send(reply, request, answer)
        },
        { programs: 'ereignis' },
      ),
    )
  }
}

function send(reply: FastifyReply, request: FastifyRequest, answer: Changes): FastifyReply {
  const etag = `W/"${answer.next}-${answer.changes.length}"`
  void reply.header('cache-control', 'private, no-cache').header('etag', etag).header('vary', 'authorization')
  if (isKept(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.send(answer)
}

const PARAMETERS = ['after', 'limit', 'kinds', 'kunde', 'wait']

/** @throws Refusal naming the parameter */
function askedIn(request: FastifyRequest): Asked {
  const query = request.query as Record<string, unknown>
  const unknown = Object.keys(query).find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined)
    throw new Refusal(
      'bad_value',
      `${unknown.slice(0, 40)}: Diese Angabe gibt es nicht, nur ${PARAMETERS.join(', ')}.`,
    )
  const whole = (name: string, least: number, most: number): number | null => {
    const text = query[name]
    if (text === undefined) return null
    const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new Refusal('bad_value', `${name}: Bitte eine ganze Zahl von ${least} bis ${most}.`)
  }
  const after = whole('after', 0, Number.MAX_SAFE_INTEGER)
  const kunde = whole('kunde', 1, Number.MAX_SAFE_INTEGER)
  return {
    after: after === null ? null : String(after),
    limit: whole('limit', 1, MOST) ?? USUAL,
    kinds: kindsIn(query['kinds']),
    kunde: kunde === null ? null : String(kunde),
    waitS: whole('wait', 0, LONGEST_WAIT_S) ?? 0,
  }
}

function kindsIn(text: unknown): string[] | null {
  if (text === undefined) return null
  const kinds = typeof text === 'string' ? text.split(',') : []
  if (kinds.length === 0 || kinds.length > 10 || !kinds.every(isEventKind))
    throw new Refusal('bad_value', 'kinds: Bitte Arten wie plan.published, durch Kommas getrennt.')
  return kinds
}

/** One look at the database a second, however many wait. */
function createWaiting(last: () => Promise<number>) {
  const perPerson = new Map<string, number>()
  let all = 0
  let looking: Promise<number> | null = null
  const look = (): Promise<number> => {
    looking ??= sleep(LOOK_MS)
      .then(last)
      .finally(() => {
        looking = null
      })
    return looking
  }
  return {
    /** Does the work if there is a place for one more. */
    async admit(person: string, work: () => Promise<void>): Promise<void> {
      const own = perPerson.get(person) ?? 0
      if (all >= WAITING || own >= WAITING_PER_PERSON) return
      all++
      perPerson.set(person, own + 1)
      try {
        await work()
      } finally {
        all--
        const left = (perPerson.get(person) ?? 1) - 1
        if (left === 0) perPerson.delete(person)
        else perPerson.set(person, left)
      }
    },
    /** Whether something has happened after that position before the time is over. */
    async next(position: number, until: number, ended: AbortSignal): Promise<boolean> {
      while (Date.now() < until && !ended.aborted) if ((await look()) > position) return true
      return false
    },
  }
}
