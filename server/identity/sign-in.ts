// The steps of a sign-in, without HTTP: password, second factor, forced change of the password. The database
// keeps track of the progress.
import type { Log } from '#server/log.ts'
import { type Account, displayName, endSessions, findByEmail, findById, storePassword } from './accounts.ts'
import { recordEvent } from './events.ts'
import type { IdpDatabase } from './idp-database.ts'
import type { Outbox } from './outbox.ts'
import { checkPassword, hashPassword, isOutdated, passwordFault, shareOf } from './passwords.ts'
import {
  confirmTotp,
  newRecoveryCodes,
  newTotpSecret,
  totpStep,
  spendRecoveryCode,
  spendTotp,
} from './second-factor.ts'
import { hashToken, type Secrets } from './secrets.ts'
import type { Throttle } from './throttle.ts'

/** An account of a trial that signs in without a password. */
export interface DemoWayIn {
  readonly email: string
  readonly name: string
  /** What the person may do, in a few words. */
  readonly title: string
}

export interface SignInServices {
  readonly db: IdpDatabase
  readonly secrets: Secrets
  readonly throttle: Throttle
  readonly outbox: Outbox
  readonly log: Log
  readonly now: () => Date
  readonly title: string
  readonly secondFactor: 'off' | 'provider' | 'all'
  readonly demo?: readonly DemoWayIn[]
}

export type StepName = 'code' | 'einrichten' | 'codes_zeigen' | 'passwort'

export interface Step {
  readonly schritt: StepName
  readonly account: Account
  readonly amr: readonly string[]
  /** TOTP secret being set up, or recovery codes being shown. */
  readonly open: string | null
}

/** What an input led to: a message on the same step, the next step, or the end. */
export type Outcome =
  | { readonly kind: 'again'; readonly message: string }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'done'; readonly account: Account; readonly amr: readonly string[] }

export const WRONG =
  'E-Mail-Adresse oder Passwort stimmen nicht. Bitte prüfen Sie beides, oder wählen Sie „Passwort vergessen“.'
const DISABLED = 'Ihr Zugang ist gesperrt. Bitte wenden Sie sich an Ihre Verwaltung.'
const NOT_CONFIRMED =
  'Ihre E-Mail-Adresse ist noch nicht bestätigt. Wählen Sie „Passwort vergessen“: ' +
  'Der Link in der Nachricht bestätigt sie. Kommt keine an, ' +
  'bitten Sie Ihren Anbieter um eine Einladung.'
const STEP_MIN = 15

export const lockedMessage = (seconds: number): string =>
  'Zu viele Fehlversuche. Für diese Adresse ist die Anmeldung kurz gesperrt: ' +
  `Versuchen Sie es in ${waitText(seconds)} noch einmal.`

export function waitText(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`
  return `${Math.ceil(seconds / 60)} Minuten`
}

const again = (message: string): Outcome => ({ kind: 'again', message })

export class SignIn {
  readonly #services: SignInServices
  constructor(services: SignInServices) {
    this.#services = services
  }

  async withPassword(
    operation: string,
    email: string,
    password: string,
    device: string | null,
  ): Promise<Outcome> {
    const { db, throttle } = this.#services
    const attempt = await throttle.take(email, device)
    const { locked, lock } = attempt
    const [account, isRight] = await throttle.comparing(email, device, attempt, async () => {
      const found = await findByEmail(db, email)
      // One password is compared in any case, so that the response time reveals nothing.
      return [found, await checkPassword(found?.pw_hash ?? null, password, shareOf(email, device))] as const
    })
    if (locked > 0) {
      await recordEvent(db.once, { art: 'anmeldung_gesperrt', email })
      return again(lockedMessage(locked))
    }
    if (!isRight || account === null) return again(await this.#failed(email, account, lock))
    await throttle.giveBack(email, device, attempt)
    if (!account.enabled) {
      await recordEvent(db.once, { art: 'anmeldung_gesperrt', konto_id: account.konto_id, email })
      return again(DISABLED)
    }
    if (!account.email_bestaetigt) return again(NOT_CONFIRMED)
    if (account.pw_hash !== null && isOutdated(account.pw_hash)) await this.#rehash(account, password)
    return this.#next(operation, account, ['pwd'])
  }

  /** As a person of the trial. The caller has checked that the request comes from this machine. */
  async asDemo(operation: string, email: string): Promise<Outcome> {
    const { db, demo = [] } = this.#services
    const account = demo.some((one) => one.email === email) ? await findByEmail(db, email) : null
    if (account === null) return again(WRONG)
    return account.enabled ? this.#next(operation, account, ['user']) : again(DISABLED)
  }

  async #rehash(account: Account, password: string): Promise<void> {
    const fresh = await hashPassword(password, account.email)
    // Unless it was changed at this very moment.
    await this.#services.db.once(
      'update idp.konto set pw_hash = $2 where konto_id = $1 and pw_hash = $3',
      account.konto_id,
      fresh,
      account.pw_hash,
    )
  }

  async withCode(
    operation: string,
    { account, amr }: Step,
    code: string,
    device: string | null,
  ): Promise<Outcome> {
    const { db, secrets, throttle, now } = this.#services
    const attempt = await throttle.take(account.email, device)
    const { locked, lock } = attempt
    if (locked > 0) return again(lockedMessage(locked))
    const [step, isSpent] = await throttle.comparing(account.email, device, attempt, async () => {
      const found =
        account.totp_secret === null ? null : totpStep(secrets.decrypt(account.totp_secret), code, now())
      const spent =
        found === null
          ? await spendRecoveryCode(db, secrets, account.konto_id, code)
          : await spendTotp(db, account.konto_id, found)
      return [found, spent] as const
    })
    const passed = async () => {
      await throttle.giveBack(account.email, device, attempt)
      return this.#next(operation, account, [...amr, ...(step === null ? [] : ['otp']), 'mfa'])
    }
    if (isSpent && step !== null) return passed()
    if (isSpent) {
      await recordEvent(db.once, {
        art: 'notfallcode_benutzt',
        konto_id: account.konto_id,
        email: account.email,
      })
      return passed()
    }
    await recordEvent(db.once, {
      art: 'zweiter_faktor_fehlgeschlagen',
      konto_id: account.konto_id,
      email: account.email,
    })
    if (lock > 0) return again(lockedMessage(lock))
    return again(
      step === null
        ? 'Der Code stimmt nicht. Bitte geben Sie den Code ein, den die App gerade anzeigt; ' +
            'geht Ihr Telefon falsch, stellen Sie die Uhrzeit auf automatisch.'
        : 'Dieser Code wurde schon benutzt. Bitte warten Sie, bis die App den nächsten anzeigt.',
    )
  }

  async enrol(operation: string, { account, amr, open }: Step, code: string): Promise<Outcome> {
    const { db, secrets, now } = this.#services
    const secret = open ?? ''
    const step = totpStep(secret, code, now())
    if (step === null)
      return again(
        'Der Code stimmt nicht. Bitte geben Sie den Code ein, den die App für dieses Konto gerade anzeigt.',
      )
    const codes = newRecoveryCodes()
    await db.transaction(async (query) => {
      await confirmTotp(query, secrets, { accountId: account.konto_id, secret, step, codes })
      await recordEvent(query, {
        art: 'zweiter_faktor_eingerichtet',
        konto_id: account.konto_id,
        email: account.email,
      })
    })
    return this.#save(operation, {
      schritt: 'codes_zeigen',
      account,
      amr: [...amr, 'otp', 'mfa'],
      open: JSON.stringify(codes),
    })
  }

  /** The person has seen the recovery codes. */
  codesKept(operation: string, { account, amr }: Step): Promise<Outcome> {
    return this.#next(operation, account, amr)
  }

  async changePassword(
    operation: string,
    { account, amr }: Step,
    password: string,
    repeated: string,
  ): Promise<Outcome> {
    const { db, title } = this.#services
    if (password !== repeated)
      return again(
        'Die beiden Eingaben sind verschieden. Bitte geben Sie das neue Passwort zweimal gleich ein.',
      )
    const fault = passwordFault(password, [account.email, displayName(account), title])
    if (fault !== null) return again(fault)
    if (await checkPassword(account.pw_hash, password, account.email))
      return again('Das ist Ihr bisheriges Passwort. Bitte legen Sie ein anderes fest.')
    const pwHash = await hashPassword(password, account.email)
    await db.transaction(async (query) => {
      await storePassword(query, account.konto_id, pwHash)
      await endSessions(query, account)
      await recordEvent(query, { art: 'passwort_gesetzt', konto_id: account.konto_id, email: account.email })
    })
    const changed = await findById(db, account.konto_id)
    return changed === null ? again(DISABLED) : this.#next(operation, changed, amr)
  }

  /** The step that this sign-in is waiting at; null before the password. */
  async stepOf(operation: string): Promise<Step | null> {
    const { db, secrets } = this.#services
    const { rows } = await db.once<{
      konto_id: string
      schritt: StepName
      amr: string
      totp_neu: string | null
      since: number
    }>(
      `select konto_id, schritt, to_json(amr)::text as amr, totp_neu,
        floor(extract(epoch from expires_at - $2 * interval '1 minute'))::bigint as since
       from idp.anmeldevorgang where vorgang_hash = $1 and expires_at > now()`,
      hashToken(operation),
      String(STEP_MIN),
    )
    const [row] = rows
    const account = row === undefined ? null : await findById(db, row.konto_id)
    if (row === undefined || account === null || !account.enabled) return null
    // The password was given before the account's sessions were ended, for instance by a temporary lock. The
    // end counts from the next full second on.
    if (row.since < account.sessions_valid_after - 1) return null
    // Begun before the secret was changed, and the former secret is gone.
    if (row.totp_neu !== null && !secrets.canOpen(row.totp_neu)) return null
    return {
      schritt: row.schritt,
      account,
      amr: JSON.parse(row.amr) as string[],
      open: row.totp_neu === null ? null : secrets.decrypt(row.totp_neu),
    }
  }

  async forget(operation: string): Promise<void> {
    await this.#services.db.once(
      'delete from idp.anmeldevorgang where vorgang_hash = $1',
      hashToken(operation),
    )
  }

  /**
   * Records the success. Resolves once a token issued from then on counts as later than the last end of
   * sessions.
   */
  async complete(operation: string, account: Account, device: string | null): Promise<void> {
    const { db, throttle, now } = this.#services
    await db.transaction(async (query) => {
      await query('delete from idp.anmeldevorgang where vorgang_hash = $1', hashToken(operation))
      await query('update idp.konto set last_sign_in_at = now() where konto_id = $1', account.konto_id)
      await throttle.succeed(query, account.email, device)
      await recordEvent(query, { art: 'angemeldet', konto_id: account.konto_id, email: account.email })
    })
    const early = account.sessions_valid_after * 1000 - now().getTime()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(early, 2_000)))
  }

  async #failed(email: string, account: Account | null, lock: number): Promise<string> {
    const { db, outbox } = this.#services
    await recordEvent(db.once, {
      art: 'anmeldung_fehlgeschlagen',
      konto_id: account?.konto_id ?? null,
      email,
    })
    if (lock === 0) return WRONG
    await recordEvent(db.once, { art: 'konto_gesperrt', konto_id: account?.konto_id ?? null, email })
    // Only at the first lock; otherwise an attacker could fill the mailbox.
    if (account?.enabled === true && lock <= 60)
      outbox.deliverSoon(
        await outbox.put(db.once, { art: 'sperre', accountId: account.konto_id, to: account.email }),
      )
    return lockedMessage(lock)
  }

  async #next(operation: string, account: Account, factors: readonly string[]): Promise<Outcome> {
    const { secondFactor } = this.#services
    if (!factors.includes('mfa')) {
      if (account.totp_confirmed)
        return this.#save(operation, { schritt: 'code', account, amr: factors, open: null })
      if (secondFactor === 'all' || (secondFactor === 'provider' && account.provider))
        return this.#save(operation, { schritt: 'einrichten', account, amr: factors, open: newTotpSecret() })
    }
    if (account.must_change_pw)
      return this.#save(operation, { schritt: 'passwort', account, amr: factors, open: null })
    return { kind: 'done', account, amr: factors }
  }

  async #save(operation: string, step: Step): Promise<Outcome> {
    const { db, secrets } = this.#services
    await db.once(
      `insert into idp.anmeldevorgang (vorgang_hash, konto_id, schritt, amr, totp_neu, expires_at)
       values ($1, $2, $3, array(select jsonb_array_elements_text($4::jsonb)), $5, now() + $6 * interval '1 minute')
       on conflict (vorgang_hash) do update set konto_id = excluded.konto_id, schritt = excluded.schritt,
         amr = excluded.amr,
         totp_neu = excluded.totp_neu, expires_at = excluded.expires_at`,
      hashToken(operation),
      step.account.konto_id,
      step.schritt,
      JSON.stringify(step.amr),
      step.open === null ? null : secrets.encrypt(step.open),
      String(STEP_MIN),
    )
    return { kind: 'step', step }
  }
}
