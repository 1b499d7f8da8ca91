// Mails of the identity provider wait in the database like all others: one server at a time takes a mail, and
// it is retried if the mail server refuses, even after a restart. The link in a mail is encrypted while the
// mail waits and deleted once it is sent.
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonForLog } from '#server/database/log-reason.ts'
import { createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import type { Language, Letter, Sender, WrittenLetter } from '#server/mail/letter.ts'
import { LETTERHEAD, parseLetterhead } from '#server/mail/letterhead.ts'
import type { SendMail } from '#server/mail/mailer.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import type { IdpDatabase, Query } from './idp-database.ts'
import {
  type Around,
  invitation,
  lockWarning,
  factorRemoved,
  passwordChanged,
  passwordReset,
  type PostKind,
} from './mail.ts'
import { hashToken, type Secrets } from './secrets.ts'

export interface Post {
  readonly art: PostKind
  readonly accountId: string
  readonly to: string
  /** Address of the admin, if one caused it: counts against that admin's hourly limit. */
  readonly wer?: string | null
  readonly link?: { readonly link: string; readonly expires: Date }
}

export interface OutboxOptions {
  readonly db: IdpDatabase
  readonly secrets: Secrets
  /** Null: there is no mail server, and links are handed over by hand. */
  readonly send: SendMail | null
  readonly title: string
  readonly publicOrigin: string
  readonly support?: Sender['support']
  readonly log: Log
  readonly everyMs: number
}

interface Waiting {
  readonly id: number
  readonly art: PostKind
  readonly empfaenger: string
  readonly siegel: string | null
}

const AT_ONCE = 20
/** A mail belongs to one server for this long; after that the server is assumed to have died. */
const LEASE_MIN = 10
const TRIES = 6
/**
 * A mail server that does not answer must not delay shutdown; what it was given is retried after the next
 * start.
 */
const GRACE_MS = 4_000
/** An older warning no longer helps anyone. */
const WARNS_HOURS = 24

const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1)

export class Outbox {
  readonly job: Job
  readonly #options: OutboxOptions
  /** Mails that are delivered beside the job, at once. */
  #delivering: Promise<unknown> = Promise.resolve()
  #isStopped = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.job = createJob({
      name: 'mails of sign-in',
      everyMs: options.everyMs,
      graceMs: GRACE_MS,
      round: (signal) => this.sendDue(signal),
      onFault: (error) =>
        options.log.warn('sign-in mails could not be sent', { reason: reasonForLog(error) }),
    })
  }

  /** Whether mails are sent from here at all. */
  get sends(): boolean {
    return this.#options.send !== null
  }

  /** Runs in the transaction of what it reports; returns the id by which the mail is delivered. */
  async put(query: Query, { art, accountId, to, wer = null, link }: Post): Promise<number | null> {
    const { secrets } = this.#options
    // Without a mail server only links are recorded, because they are counted.
    if (!this.sends && link === undefined) return null
    if (link !== undefined) await dropVoid(query, accountId)
    const { rows } = await query<{ id: number }>(
      `insert into idp.post (art, konto_id, empfaenger, absender, link_hash, siegel, zustand)
        values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      art,
      accountId,
      to,
      wer,
      link === undefined ? null : hashToken(tokenOf(link.link)),
      link === undefined || !this.sends
        ? null
        : secrets.encrypt(JSON.stringify({ link: link.link, expires: link.expires.getTime() })),
      this.sends ? 'wartet' : 'von_hand',
    )
    return rows[0]?.id ?? null
  }

  /** Tries one mail now; returns whether the mail server took it. Otherwise the mail keeps waiting. */
  async deliver(id: number | null): Promise<boolean> {
    if (id === null || !this.sends) return false
    const [letter] = await this.#take('and id = $2', id)
    return letter !== undefined && (await this.#hand(letter))
  }

  /** The same without waiting: the request has already been answered. */
  deliverSoon(id: number | null): void {
    if (this.#isStopped) return
    const work = this.deliver(id).catch((error: unknown) =>
      this.#options.log.error('sign-in mail', { reason: reasonForLog(error) }),
    )
    this.#delivering = Promise.all([this.#delivering, work])
  }

  /** Sends everything that is due; returns how many mails the mail server took. */
  async sendDue(signal?: AbortSignal): Promise<number> {
    const { db } = this.#options
    await dropVoid(db.once, null)
    if (!this.sends) {
      await db.once(
        "update idp.post set zustand = 'aufgegeben', siegel = null where zustand in ('wartet', 'unterwegs')",
      )
      return 0
    }
    let sent = 0
    for (;;) {
      const letters = await this.#take('', null)
      for (const letter of letters) {
        if (this.#isStopped || signal?.aborted === true) return sent
        if (await this.#hand(letter)) sent++
      }
      if (letters.length < AT_ONCE) return sent
    }
  }

  /** Delivers nothing more at once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.race([this.#delivering, sleep(GRACE_MS, undefined, { ref: false })])
  }

  async #take(which: '' | 'and id = $2', id: number | null): Promise<readonly Waiting[]> {
    const { rows } = await this.#options.db.once<Waiting>(
      `update idp.post p set zustand = 'unterwegs', versuche = p.versuche + 1,
        naechster = now() + $1 * interval '1 minute'
       where p.id in (select id from idp.post where zustand in ('wartet', 'unterwegs')
         and naechster <= now() ${which} order by id limit ${AT_ONCE} for update skip locked)
       returning p.id, p.art, p.empfaenger, p.siegel`,
      String(LEASE_MIN),
      ...(id === null ? [] : [id]),
    )
    return rows
  }

  async #hand(letter: Waiting): Promise<boolean> {
    const { db, send, publicOrigin, log } = this.#options
    let isSent = false
    try {
      // The same at each attempt, so that a mail server or reader can recognise a duplicate.
      const messageId = `<anmeldung-${letter.id}@${new URL(publicOrigin).hostname}>`
      isSent =
        send !== null && (await send({ ...(await this.#write(letter)), to: letter.empfaenger, messageId }))
    } catch (error) {
      log.error('a sign-in mail could not be written', { post: letter.id, reason: reasonForLog(error) })
    }
    await db.once(
      `update idp.post set zustand = case when $2 then 'gesendet' when versuche >= $3::integer
        then 'aufgegeben' else 'wartet' end,
         siegel = case when $2 or versuche >= $3::integer then null else siegel end, gesendet_am = case
         when $2 then now() end,
         naechster = now() + interval '1 minute' * power(5, versuche - 1)
       where id = $1 and zustand = 'unterwegs'`,
      letter.id,
      isSent,
      TRIES,
    )
    return isSent
  }

  async #write(waiting: Waiting): Promise<WrittenLetter> {
    const { db, title, support } = this.#options
    const { rows } = await db.once<{ language: Language | null; letterhead: string | null }>(
      `select (select accounts.language_of(a.user_id) from accounts.account_state($1) a) as language,
        ${LETTERHEAD} as letterhead`,
      waiting.empfaenger,
    )
    const { language, letterhead } = rows[0] ?? { language: null, letterhead: null }
    return writeLetter(this.#letter(waiting, language ?? 'de'), {
      name: title,
      letterhead: parseLetterhead(letterhead),
      support,
    })
  }

  #letter({ art, siegel }: Waiting, language: Language): Letter {
    const { title, publicOrigin, secrets } = this.#options
    const around: Around = { language, title, publicOrigin }
    if (art === 'sperre') return lockWarning(around)
    if (art === 'passwort_neu') return passwordChanged(around)
    if (art === 'faktor_weg') return factorRemoved(around)
    const { link, expires } = JSON.parse(secrets.decrypt(siegel ?? '')) as { link: string; expires: number }
    const withLink = { ...around, link, expires: new Date(expires) }
    return art === 'einladung' ? invitation(withLink) : passwordReset(withLink)
  }
}

/** Discards waiting mails that no longer help anyone: the link is void, or the warning is too old. */
async function dropVoid(query: Query, accountId: string | null): Promise<void> {
  await query(
    `update idp.post p set zustand = 'hinfaellig', siegel = null
      where p.zustand = 'wartet' and ($2::uuid is null or p.konto_id = $2::uuid)
       and case when p.link_hash is null then p.erstellt < now() - $1 * interval '1 hour'
         else not exists (select from idp.einmal_link l where l.link_hash = p.link_hash
         and l.used_at is null and l.expires_at > now()) end`,
    String(WARNS_HOURS),
    accountId,
  )
}

const PER_SENDER = 20
const PER_RECEIVER = 3

/** Says in German when the next link may be requested. */
export class HourlyLimitError extends Error {
  override readonly name = 'HourlyLimitError'
  readonly seconds: number
  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

const clock = (seconds: number, now: Date) =>
  new Date(now.getTime() + seconds * 1_000).toLocaleTimeString('de-DE', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  })

/**
 * Rejects with HourlyLimitError when the hour's links of the sender or for the receiver are used up, across all
 * servers. Runs in the transaction that issues the link, so that concurrent requests are counted one after
 * another. What could not be sent does not count. Each kind counts by itself: anybody may ask for a new password in
 * the name of others, and must not keep their admin from inviting them.
 */
export async function checkHour(
  query: Query,
  { art, to, wer }: { art: PostKind; to: string; wer: string | null },
  now: Date,
): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('idp.post'))")
  const rest = async (column: string, value: string, most: number): Promise<number> => {
    const { rows } = await query<{ rest: number }>(
      `select ceil(extract(epoch from erstellt + interval '1 hour' - now()))::integer as rest from idp.post
       where ${column} = accounts.fold_address($1) and link_hash is not null
         and zustand in ('wartet', 'unterwegs', 'gesendet', 'von_hand')
         and erstellt > now() - interval '1 hour' and art = $3
       order by erstellt desc offset $2::integer limit 1`,
      value,
      most - 1,
      art,
    )
    return rows[0]?.rest ?? 0
  }
  const bySender = wer === null ? 0 : await rest('accounts.fold_address(absender)', wer, PER_SENDER)
  if (bySender > 0)
    throw new HourlyLimitError(
      `Sie haben in der letzten Stunde ${PER_SENDER} Links versendet. ` +
        `Den nächsten können Sie ab ${clock(bySender, now)} Uhr versenden.`,
      bySender,
    )
  const byReceiver = await rest('accounts.fold_address(empfaenger)', to, PER_RECEIVER)
  if (byReceiver > 0)
    throw new HourlyLimitError(
      `Diese Person hat in der letzten Stunde schon ${PER_RECEIVER} Links bekommen. ` +
        `Den nächsten können Sie ab ${clock(byReceiver, now)} Uhr versenden.`,
      byReceiver,
    )
}
