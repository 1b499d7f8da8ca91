// Sends the mails of notices that wait in the database. Each is taken by one server; what the mail server
// refuses is retried at growing intervals.
import type { NoticeContent } from '#contract/notice.ts'
import type { Log } from '#server/log.ts'
import { asBetrieb } from './as-betrieb.ts'
import { askForConfirmation } from './contact.ts'
import { digestMail, type NoticeMail, noticeMail } from './mail-text.ts'
import type { PostOptions } from './post-options.ts'

interface Waiting {
  readonly meldung_id: number
  readonly person: number
  readonly empfaenger: string
  readonly name: string | null
  readonly art: string
  readonly params: string
  readonly ziel: string
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

interface Around {
  readonly profileLink: string
  readonly title: string
  readonly origin: string
}

function mailOf(letters: Letters, { origin, ...rest }: Around): NoticeMail {
  const around = { ...rest, name: letters[0].name }
  const notices = letters.map(({ art, params, ziel }) => ({
    content: { art, params: JSON.parse(params) as unknown } as NoticeContent,
    link: origin + ziel,
  }))
  return notices.length === 1
    ? noticeMail(notices[0]!.content, { ...around, link: notices[0]!.link })
    : digestMail(notices, around)
}

/**
 * Separates notices that cannot be put into words (a kind this server does not know yet, a missing field), so
 * that they do not hold up other mails.
 */
function sorted(letters: Letters, around: Around, log: Log): { fit: Waiting[]; unfit: Waiting[] } {
  const fit: Waiting[] = []
  const unfit: Waiting[] = []
  for (const letter of letters)
    try {
      mailOf([letter], around)
      fit.push(letter)
    } catch (error) {
      log.error('a notice could not be put into a mail', {
        meldung: letter.meldung_id,
        art: letter.art,
        reason: String(error),
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
  log,
  isStopped = () => false,
}: PostOptions): Promise<number> {
  if (send === null) {
    await asOwner((owner) => asBetrieb(owner, 'select rechte.post_aufgeben()'))
    return 0
  }
  const around: Around = { profileLink: `${origin}/profile/index`, title, origin }
  const settle = async (letters: readonly Waiting[], ok: boolean) => {
    for (const { meldung_id } of letters)
      await asOwner((owner) => asBetrieb(owner, 'select rechte.post_ergebnis($1, $2)', [meldung_id, ok]))
  }
  let sent = 0
  for (;;) {
    const waiting = await asOwner((owner) =>
      asBetrieb<Waiting>(
        owner,
        'select meldung_id, person, empfaenger, name, art, params::text as params, ziel from rechte.post_nehmen($1)',
        [AT_ONCE],
      ),
    )
    for (const letters of byPerson(waiting)) {
      if (isStopped()) return sent
      const { fit, unfit } = sorted(letters, around, log)
      await settle(unfit, false)
      const [first, ...others] = fit
      if (first === undefined) continue
      const mail = mailOf([first, ...others], around)
      const messageId = `<meldung-${first.meldung_id}@${new URL(origin).hostname}>`
      const ok = await send({ to: first.empfaenger, ...mail, messageId }).catch((error: unknown) => {
        log.error('a notice could not be mailed', { meldung: first.meldung_id, reason: String(error) })
        return false
      })
      await settle(fit, ok)
      if (ok) sent++
    }
    if (waiting.length < AT_ONCE) break
  }
  if (sent > 0) log.info('notices mailed', { count: sent })
  return sent
}

/** So that it does not compete with the start; earlier if the rounds are shorter. */
const FIRST_MS = 15_000
/**
 * A mail server that does not answer must not delay the shutdown; the mail it was being given is
 * retried after the next start.
 */
const GRACE_MS = 4_000

export function startPost({ everyMs, ...options }: PostOptions & { readonly everyMs: number }): {
  stop(): Promise<void>
} {
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout
  const plan = (milliseconds: number) => {
    if (stopped) return
    timer = setTimeout(() => {
      const round = { ...options, isStopped: () => stopped }
      running = sendWaiting(round)
        .then(() => askForConfirmation(round))
        .catch((error: unknown) =>
          options.log.error('notices could not be mailed', { reason: String(error) }),
        )
        .then(() => plan(everyMs))
    }, milliseconds).unref()
  }
  plan(Math.min(FIRST_MS, everyMs))
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())])
    },
  }
}
