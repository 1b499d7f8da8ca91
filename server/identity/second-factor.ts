// The second factor: one-time codes from an app (TOTP, RFC 6238), and recovery codes in case the phone is
// lost.
import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import QRCode from 'qrcode'
import type { IdpDatabase, Query } from './idp-database.ts'
import type { Secrets } from './secrets.ts'

const PERIOD_S = 30
/** A clock may be off by one step either way. */
const WINDOW = 1
const RECOVERY_CODES = 10
/** Without characters that are mistaken for others. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label = '', issuer = '') =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    period: PERIOD_S,
    digits: 6,
    algorithm: 'SHA1',
    label,
    issuer,
  })

/** The time step that a code belongs to, or null if it is wrong. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const delta = totpOf(secret).validate({ token: digits, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta
}

/**
 * Accepts a code only once: its step must be later than the last one. Of two attempts at once only one
 * succeeds.
 */
export async function spendTotp(db: IdpDatabase, accountId: string, step: number): Promise<boolean> {
  const { rowCount } = await db.once(
    'update idp.konto set totp_last_step = $2 where konto_id = $1 and coalesce(totp_last_step, 0) < $2',
    accountId,
    step,
  )
  return rowCount === 1
}

/** QR code as an SVG for an img element. It contains the secret, so it is drawn here and nowhere else. */
export async function totpQrCode(secret: string, email: string, title: string): Promise<string> {
  const svg = await QRCode.toString(totpOf(secret, email, title).toString(), {
    type: 'svg',
    margin: 2,
    errorCorrectionLevel: 'M',
  })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

export function newRecoveryCodes(): string[] {
  const part = () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: RECOVERY_CODES }, () => `${part()}-${part()}`)
}

const plain = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Activates the second factor, with fresh recovery codes. */
export async function confirmTotp(
  query: Query,
  secrets: Secrets,
  {
    accountId,
    secret,
    step,
    codes,
  }: { accountId: string; secret: string; step: number; codes: readonly string[] },
): Promise<void> {
  await query(
    'update idp.konto set totp_secret = $2, totp_confirmed_at = now(), totp_last_step = $3 where konto_id = $1',
    accountId,
    secrets.encrypt(secret),
    step,
  )
  await query('delete from idp.wiederherstellung where konto_id = $1', accountId)
  for (const code of codes) {
    await query(
      'insert into idp.wiederherstellung (konto_id, code_hash) values ($1, $2)',
      accountId,
      secrets.keyedHash(`notfallcode ${accountId}`, plain(code)),
    )
  }
}

export async function spendRecoveryCode(
  db: IdpDatabase,
  secrets: Secrets,
  accountId: string,
  code: string,
): Promise<boolean> {
  if (plain(code).length !== 10) return false
  const { rowCount } = await db.once(
    'update idp.wiederherstellung set used_at = now() where konto_id = $1 and code_hash = $2 and used_at is null',
    accountId,
    secrets.keyedHash(`notfallcode ${accountId}`, plain(code)),
  )
  return rowCount === 1
}

export async function removeSecondFactor(query: Query, accountId: string): Promise<void> {
  await query(
    'update idp.konto set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where konto_id = $1',
    accountId,
  )
  await query('delete from idp.wiederherstellung where konto_id = $1', accountId)
}
