// Asks people with a new contact address to confirm it. The code is generated when the mail is: nothing that
// grants access waits in the database.
import { createHash, randomBytes } from 'node:crypto'
import { contactMail } from './mail-text.ts'
import type { PostOptions } from './post-options.ts'
import { asBetrieb } from './as-betrieb.ts'

interface Asked {
  readonly person: number
  readonly an: string
  readonly name: string | null
}

/** Asks everybody who is due; returns how many mails were handed over. */
export async function askForConfirmation({
  asOwner,
  send,
  origin,
  title,
  log,
  isStopped = () => false,
}: PostOptions): Promise<number> {
  if (send === null) return 0
  let sent = 0
  while (!isStopped()) {
    const code = randomBytes(32).toString('base64url')
    const digest = createHash('sha256').update(code).digest('hex')
    const [asked] = await asOwner((owner) =>
      asBetrieb<Asked>(owner, 'select person, an, name from rechte.kontakt_nehmen($1)', [digest]),
    )
    if (asked === undefined) break
    const mail = contactMail({ name: asked.name, link: `${origin}/profile/index?bestaetigen=${code}`, title })
    const messageId = `<kontakt-${digest.slice(0, 32)}@${new URL(origin).hostname}>`
    const isSent = await send({ to: asked.an, ...mail, messageId }).catch((error: unknown) => {
      log.error('a contact address could not be asked for', { person: asked.person, reason: String(error) })
      return false
    })
    await asOwner((owner) => asBetrieb(owner, 'select rechte.kontakt_ergebnis($1, $2)', [digest, isSent]))
    if (isSent) sent++
  }
  return sent
}
