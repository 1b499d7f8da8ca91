// Sends the mails of notices that wait in the database. Each is taken by one server; what the mail server
// refuses is retried at growing intervals.
import type { NoticeContent } from '#contract/notice.ts'
import { asBetrieb } from '#server/as-betrieb.ts'
import { createJob, type Job } from '#server/job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import type { Language, Sender, WrittenLetter } from '#server/mail/letter.ts'
import { LETTERHEAD, parseLetterhead } from '#server/mail/letterhead.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import { askForConfirmation } from './contact.ts'
import { digestLetter, noticeLetter } from './mail-text.ts'
import type { PostOptions } from './post-options.ts'

interface Waiting {
  readonly meldung_id: number
  readonly person: number
  readonly empfaenger: string
  readonly name: string | null
  readonly language: Language
  readonly letterhead: string | null
  readonly art: string
  readonly params: string
  readonly ziel: string
  readonly versuch: number
}

/** Notices taken at a time; those for one person go into one mail. */
const AT_ONCE = 200

type Letters = readonly [Waiting, ...Waiting[]]

function byPerson(waiting: readonly Waiting[]): Letters[] {
  const people = new Map<number, [Waiting, ...Waiting[]]>()
  for (const letter of waiting) {
    const before = people.get(letter.person)
    if (before) before.push(letter)
    else people.set(letter.person, [letter])
  }
  return [...people.values()]
}

interface House {
  readonly title: string
  readonly origin: string
  readonly support: Sender['support']
}

function mailOf(letters: Letters, { title, origin, support }: House): WrittenLetter {
  const [{ name, language, letterhead }] = letters
  const around = { language, name, title, origin }
  const notices = letters.map(({ art, params, ziel }) => ({
    content: { art, params: JSON.parse(params) as unknown } as NoticeContent,
    link: origin + ziel,
  }))
  return writeLetter(
    notices.length === 1 ? noticeLetter(notices[0]!, around) : digestLetter(notices, around),
    { name: title, letterhead: parseLetterhead(letterhead), support },
  )
}

/**
 * Separates notices that cannot be put into words (a kind this server does not know yet, a missing field), so
 * that they do not hold up other mails.
 */
function sorted(letters: Letters, house: House, log: Log): { fit: Waiting[]; unfit: Waiting[] } {
  const fit: Waiting[] = []
  const unfit: Waiting[] = []
  for (const letter of letters)
    try {
      mailOf([letter], house)
      fit.push(letter)
    } catch (error) {
      log.error('a notice could not be put into a mail', {
        meldung: letter.meldung_id,
        art: letter.art,
        reason: reasonForLog(error),
      })
      unfit.push(letter)
    }
  return { fit, unfit }
}

/**
 * Sends everything that is due; returns how many mails were handed over. A batch is taken in one transaction
 * and settled in another, and no database connection is held while waiting for the mail server.
 */
export async function sendWaiting({
  asOwner,
  send,
  origin,
  title,
  support,
  log,
  isStopped = () => false,
}: PostOptions): Promise<number> {
  if (send === null) {
    await asBetrieb(asOwner, 'select notices.give_up_mails()')
    return 0
  }
  const house: House = { title, origin, support }
  const settle = async (letters: readonly Waiting[], ok: boolean) => {
    for (const { meldung_id } of letters)
      await asBetrieb(asOwner, 'select notices.mail_result($1, $2)', [meldung_id, ok])
  }
  /** Those that no other server has taken: the mails before may have lasted longer than a lease. */
  const renewed = async (letters: readonly Waiting[]) => {
    if (letters.length === 0) return []
    const rows = await asBetrieb<{ meldung_id: number }>(
      asOwner,
      'select meldung_id from notices.renew_mail($1::bigint[], $2::integer[])',
      [letters.map(({ meldung_id }) => meldung_id), letters.map(({ versuch }) => versuch)],
    )
    const own = new Set(rows.map(({ meldung_id }) => meldung_id))
    return letters.filter(({ meldung_id }) => own.has(meldung_id))
  }
  let sent = 0
  for (;;) {
    const waiting = await asBetrieb<Waiting>(
      asOwner,
      `select meldung_id, person, empfaenger, name, art, params::text as params, ziel, versuch,
          accounts.language_of(person) as language, ${LETTERHEAD} as letterhead from notices.take_mail($1)`,
      [AT_ONCE],
    )
    for (const letters of byPerson(waiting)) {
      if (isStopped()) return sent
      const { fit, unfit } = sorted(letters, house, log)
      await settle(unfit, false)
      const held = await renewed(fit)
      const [first, ...others] = held
      if (first === undefined) continue
      const mail = mailOf([first, ...others], house)
      const messageId = `<meldung-${first.meldung_id}@${new URL(origin).hostname}>`
      const ok = await send({ to: first.empfaenger, ...mail, messageId }).catch((error: unknown) => {
        log.error('a notice could not be mailed', { meldung: first.meldung_id, reason: reasonForLog(error) })
        return false
      })
      await settle(held, ok)
      if (ok) sent++
    }
    if (waiting.length < AT_ONCE) break
  }
  if (sent > 0) log.info('notices mailed', { count: sent })
  return sent
}

/**
 * Once, when a server starts that can send: if it could not until now, nobody gets mails about what happened
 * before; those notices stay in the application.
 */
export async function beginMails(
  { asOwner, send, log }: Pick<PostOptions, 'asOwner' | 'send' | 'log'>,
  since: Date,
): Promise<void> {
  if (send === null) return
  const [row] = await asBetrieb<{ count: number }>(asOwner, 'select notices.begin_mails($1) as count', [
    since,
  ])
  if (row !== undefined && row.count > 0)
    log.info('notices from before the mail server was set are not mailed', { count: row.count })
}

/** So that it does not compete with the start; earlier if the rounds are shorter. */
const FIRST_MS = 15_000
/**
 * A mail server that does not answer must not delay the shutdown; the mail it was being given is
 * retried after the next start.
 */
const GRACE_MS = 4_000

export function noticePost({ everyMs, ...options }: PostOptions & { readonly everyMs: number }): Job {
  const since = new Date()
  let begun = false
  return createJob({
    name: 'mails of notices',
    firstMs: FIRST_MS,
    everyMs,
    graceMs: GRACE_MS,
    round: async (signal) => {
      const round = { ...options, isStopped: () => signal.aborted }
      if (!begun) await beginMails(round, since)
      begun = true
      await sendWaiting(round)
      await askForConfirmation(round)
    },
    onFault: (error) => options.log.error('notices could not be mailed', { reason: reasonForLog(error) }),
  })
}
