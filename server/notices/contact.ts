// Asks people with a new contact address to confirm it. The code is generated when the mail is: nothing that
// grants access waits in the database.
import { createHash, randomBytes } from 'node:crypto'
import { asBetrieb } from '#server/as-betrieb.ts'
import type { Language } from '#server/mail/letter.ts'
import { LETTERHEAD, parseLetterhead } from '#server/mail/letterhead.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import { contactLetter } from './mail-text.ts'
import type { PostOptions } from './post-options.ts'
import { reasonForLog } from '#server/database/log-reason.ts'

interface Asked {
  readonly person: number
  readonly an: string
  readonly language: Language
  readonly letterhead: string | null
}

/** Asks everybody who is due; returns how many mails were handed over. */
export async function askForConfirmation({
  asOwner,
  send,
  origin,
  title,
  support,
  log,
  isStopped = () => false,
}: PostOptions): Promise<number> {
  if (send === null) return 0
  let sent = 0
  while (!isStopped()) {
    const code = randomBytes(32).toString('base64url')
    const digest = createHash('sha256').update(code).digest('hex')
    const [asked] = await asBetrieb<Asked>(
      asOwner,
      `select person, an, accounts.language_of(person) as language, ${LETTERHEAD} as letterhead
          from accounts.take_contact($1)`,
      [digest],
    )
    if (asked === undefined) break
    const { language, letterhead } = asked
    const link = `${origin}/profile/index?bestaetigen=${code}`
    const mail = writeLetter(contactLetter({ language, link, title }), {
      name: title,
      letterhead: parseLetterhead(letterhead),
      support,
    })
    const messageId = `<kontakt-${digest.slice(0, 32)}@${new URL(origin).hostname}>`
    const isSent = await send({ to: asked.an, ...mail, messageId }).catch((error: unknown) => {
      log.error('a contact address could not be asked for', {
        person: asked.person,
        reason: reasonForLog(error),
      })
      return false
    })
    await asBetrieb(asOwner, 'select accounts.contact_result($1, $2)', [digest, isSent])
    if (isSent) sent++
  }
  return sent
}
