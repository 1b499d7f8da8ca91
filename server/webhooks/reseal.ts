// The webhooks' secrets are encrypted with the installation's. When that was replaced they are encrypted again, used
// or not: the former one is removed a day later.
import { asBetrieb, type AsOwner } from '#server/as-betrieb.ts'

/** Encrypts with the secret of the installation. */
export interface Seal {
  encrypt(text: string): string
  /** Throws if the text was encrypted with another secret. */
  decrypt(sealed: string): string
  /** The same with the newest secret; null if it already is. */
  reseal(sealed: string): string | null
  /** Distinguishes servers with another newest secret. */
  readonly fingerprint: string
}

const SEALED = `select w.geheimnis as sealed from dispatch.webhook w
  union select w.geheimnis_alt from dispatch.webhook w where w.alt_bis > now()`

/** A server that knows only the former secret could not read them any more; see SignOfLife. */
const OTHERS = `select from idp.artefakt where model = 'Server' and uid_hash <> $1 and expires_at > now() limit 1`

const newerOf = (seal: Seal, sealed: string): string | null => {
  try {
    return seal.reseal(sealed)
  } catch {
    return null
  }
}

/** False while it has to wait for other servers. */
export async function resealWebhooks(asOwner: AsOwner, seal: Seal): Promise<boolean> {
  const rows = await asBetrieb<{ sealed: string }>(asOwner, SEALED)
  const older = rows.flatMap(({ sealed }) => {
    const newer = newerOf(seal, sealed)
    return newer === null ? [] : [[sealed, newer]]
  })
  if (older.length === 0) return true
  if ((await asBetrieb(asOwner, OTHERS, [seal.fingerprint])).length > 0) return false
  // oxlint-disable-next-line no-await-in-loop -- there are few, and each keeps what another has changed meanwhile
  for (const pair of older) await asBetrieb(asOwner, 'select dispatch.reseal_webhook($1, $2)', pair)
  return true
}

/** Webhooks whose secret nobody can read any more: each pauses with its next delivery. */
export async function countUnreadable(asOwner: AsOwner, seal: Seal): Promise<number> {
  const rows = await asBetrieb<{ sealed: string }>(
    asOwner,
    'select w.geheimnis as sealed from dispatch.webhook w',
  )
  return rows.filter(({ sealed }) => {
    try {
      seal.decrypt(sealed)
      return false
    } catch {
      return true
    }
  }).length
}
