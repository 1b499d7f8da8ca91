// Somebody who is signed in shows once more that it is they, for acts that an unlocked screen must not give away:
// a new password, a key for a program.
import { type Account, findByEmail } from './accounts.ts'
import { recordEvent } from './events.ts'
import { checkPassword } from './passwords.ts'
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
 */
export async function checkProof(
  services: SignInServices,
  { email, password, code }: OwnProof,
  { device, wrong }: { readonly device: string | null; readonly wrong: string },
): Promise<Checked> {
  const { db, throttle, secrets, now } = services
  const locked = await throttle.lockedFor(email, device)
  const account = await findByEmail(db, email)
  const isRight = await checkPassword(account?.pw_hash ?? null, password)
  if (locked > 0) return { fault: lockedMessage(locked) }
  const fits =
    isRight &&
    account !== null &&
    account.enabled &&
    (!account.totp_confirmed ||
      (await isCode(
        account.konto_id,
        account.totp_secret === null ? '' : secrets.decrypt(account.totp_secret),
      )))
  if (fits) return { account }
  const lock = await throttle.fail(email, device)
  await recordEvent(db.once, {
    art: 'anmeldung_fehlgeschlagen',
    konto_id: account?.konto_id ?? null,
    email,
  })
  return { fault: lock > 0 ? lockedMessage(lock) : wrong }

  async function isCode(accountId: string, secret: string): Promise<boolean> {
    const step = totpStep(secret, code, now())
    return step !== null && (await spendTotp(db, accountId, step))
  }
}

/** Keys for programs go on unless the person wants them ended too. */
export const withKeys = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { zugaenge?: unknown }).zugaenge === true
