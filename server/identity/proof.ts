// Somebody who is signed in shows once more that it is they, for acts that an unlocked screen must not give away:
// a new password, a key for a program.
import { type Account, findByEmail } from './accounts.ts'
import { recordEvent } from './events.ts'
import { checkPassword, shareOf } from './passwords.ts'
import { spendTotp, totpStep } from './second-factor.ts'
import { lockedMessage, type SignInServices } from './sign-in.ts'

export interface OwnProof {
  readonly email: string
  readonly password: string
  /** Code of the second factor, if there is one. */
  readonly code: string
}

export type Checked = { readonly account: Account } | { readonly fault: string }

/**
 * Counts failures as the sign-in does (`device`: see Devices; null: unknown), and answers the same whether or
 * not an address has an account.
 * @param wrong what is said if it is not they
 * @param isSignedIn so that a lock tells nothing, and a locked address costs no comparison
 */
export async function checkProof(
  services: SignInServices,
  { email, password, code }: OwnProof,
  {
    device,
    wrong,
    isSignedIn = false,
  }: { readonly device: string | null; readonly wrong: string; readonly isSignedIn?: boolean },
): Promise<Checked> {
  const { db, throttle, secrets, now } = services
  const attempt = await throttle.take(email, device)
  const { locked, lock } = attempt
  if (locked > 0 && isSignedIn) return { fault: lockedMessage(locked) }
  const { account, fits } = await throttle.comparing(email, device, attempt, compare)
  if (locked > 0) return { fault: lockedMessage(locked) }
  if (fits && account !== null) {
    await throttle.giveBack(email, device, attempt)
    return { account }
  }
  await recordEvent(db.once, {
    art: 'anmeldung_fehlgeschlagen',
    konto_id: account?.konto_id ?? null,
    email,
  })
  return { fault: lock > 0 ? lockedMessage(lock) : wrong }

  async function compare() {
    const found = await findByEmail(db, email)
    const isRight = await checkPassword(found?.pw_hash ?? null, password, shareOf(email, device))
    const isPerson = locked === 0 && isRight && found !== null && found.enabled
    if (!isPerson || !found.totp_confirmed) return { account: found, fits: isPerson }
    const secret = found.totp_secret === null ? '' : secrets.decrypt(found.totp_secret)
    return { account: found, fits: await isCode(found.konto_id, secret) }
  }

  async function isCode(accountId: string, secret: string): Promise<boolean> {
    const step = totpStep(secret, code, now())
    return step !== null && (await spendTotp(db, accountId, step))
  }
}

/** Keys for programs go on unless the person wants them ended too. */
export const withKeys = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { zugaenge?: unknown }).zugaenge === true
