// Delivers what has happened: makes deliveries of new events, takes those that are due one by one, and tells the
// database what became of each. Any number of servers may do it; the database gives each delivery to one of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { asBetrieb, type AsOwner } from '#server/as-betrieb.ts'
import { createJob, type Job } from '#server/job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { resealWebhooks, type Seal } from './reseal.ts'
import { type Attempt, sendDelivery, type SendOptions } from './send.ts'

export interface DeliverOptions {
  readonly asOwner: AsOwner
  readonly seal: Seal
  readonly sending: SendOptions
  readonly log: Log
}

/** What is sent, as dispatch.take_delivery and dispatch.begin_webhook_test answer it. */
export interface Taken {
  readonly zustellung_id: string
  readonly versuch: number
  readonly kennung: string
  readonly koerper: string
  readonly url: string
  readonly geheimnis: string
  readonly geheimnis_alt: string | null
}

export const TAKEN =
  'zustellung_id::text as zustellung_id, versuch, kennung::text as kennung, koerper, url, geheimnis, geheimnis_alt'

/** At the same time; a receiver gets one at a time. */
const AT_ONCE = 8
/** While some are on their way, others are looked for this often. */
const LOOK_MS = 500

const UNREADABLE: Attempt = { grund: 'geheimnis', status: null, antwort: '', dauer_ms: 0, wait: null }
const UNREACHABLE: Attempt = { ...UNREADABLE, grund: 'nicht_erreichbar' }

/** Null if it was encrypted with another secret; a former one that cannot be read no longer matters. */
function secretsOf({ geheimnis, geheimnis_alt }: Taken, seal: Seal): string[] | null {
  const open = (sealed: string | null): string[] => {
    try {
      return sealed === null ? [] : [seal.decrypt(sealed)]
    } catch {
      return []
    }
  }
  const present = open(geheimnis)
  return present.length === 0 ? null : [...present, ...open(geheimnis_alt)]
}

/** Sends once and notes the result. */
export async function attempt(options: DeliverOptions, taken: Taken): Promise<Attempt> {
  const { asOwner, seal, sending, log } = options
  const secrets = secretsOf(taken, seal)
  const result = secrets === null ? UNREADABLE : await sendDelivery({ ...taken, secrets }, sending)
  const tell = ({ status, grund, antwort, dauer_ms, wait }: Attempt) =>
    asBetrieb(asOwner, 'select dispatch.delivery_result($1::bigint, $2, $3, $4, $5, $6, $7)', [
      taken.zustellung_id,
      taken.versuch,
      status,
      grund,
      antwort,
      dauer_ms,
      wait,
    ])
  try {
    await tell(result)
  } catch (error) {
    // What the database does not take must not be sent again for ever: as a failure it waits for its time.
    log.error('the result of a webhook was not taken', {
      zustellung: taken.zustellung_id,
      reason: reasonForLog(error),
    })
    await tell(UNREACHABLE)
  }
  const newer = secrets === null ? null : seal.reseal(taken.geheimnis)
  if (newer !== null)
    await asBetrieb(asOwner, 'select dispatch.reseal_webhook($1, $2)', [taken.geheimnis, newer])
  return result
}

/** Delivers everything that is due; returns how many attempts there were. */
export async function deliverDue(options: DeliverOptions, signal?: AbortSignal): Promise<number> {
  const { asOwner } = options
  const running = new Set<Promise<unknown>>()
  let faults: unknown
  let attempts = 0
  const take = async (): Promise<boolean> => {
    const [taken] = await asBetrieb<Taken>(asOwner, `select ${TAKEN} from dispatch.take_delivery()`)
    if (taken === undefined) return false
    attempts++
    const work: Promise<unknown> = attempt(options, taken)
      .then((result) => note(options, taken, result))
      .catch((error: unknown) => {
        faults ??= error
      })
      .finally(() => running.delete(work))
    running.add(work)
    return true
  }
  let isMore = true
  while ((isMore || running.size > 0) && signal?.aborted !== true) {
    isMore = false
    await asBetrieb(asOwner, 'select dispatch.make_deliveries()')
    while (running.size < AT_ONCE && (await take())) isMore = true
    // A slow receiver holds up nobody: others that become due meanwhile are looked for.
    if (running.size > 0) await Promise.race([...running, sleep(LOOK_MS, undefined, { ref: false })])
  }
  await Promise.all(running)
  if (faults !== undefined) throw faults
  return attempts
}

function note({ log }: DeliverOptions, { zustellung_id, versuch }: Taken, { grund, status }: Attempt): void {
  if (grund !== null)
    log.warn('a webhook was not delivered', { zustellung: zustellung_id, versuch, grund, status })
}

/** What wakes it besides its time: whatever issues, decides or asks for one more. */
const WOKEN_BY = [
  'a_issue_invoice',
  'a_cancel_invoice',
  'a_issue_offer',
  'a_decide_offer',
  'a_add_mahnung',
  'a_pause_webhook',
  'a_repeat_zustellung',
]
const FIRST_MS = 10_000
/** What is under way then is sent again by the next server. */
const GRACE_MS = 12_000

export function deliveryJob({ everyMs, ...options }: DeliverOptions & { readonly everyMs: number }): Job {
  let isResealed = false
  return createJob({
    name: 'webhooks',
    firstMs: FIRST_MS,
    everyMs,
    graceMs: GRACE_MS,
    wokenBy: WOKEN_BY,
    async round(signal) {
      isResealed ||= await resealWebhooks(options.asOwner, options.seal).catch((error: unknown) => {
        options.log.error('secrets of webhooks could not be encrypted again', { reason: reasonForLog(error) })
        return false
      })
      return deliverDue(options, signal)
    },
    onFault: (error) => options.log.error('webhooks could not be delivered', { reason: reasonForLog(error) }),
  })
}
