// Account operations for the rest of the server and for the one-time links: invite, set up, reset, unlock,
// end sessions.
import { foldAddress } from '#domain/mail-address.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { LaterRefusal } from '#server/errors.ts'
import { within } from './at-most-every.ts'
import {
  confirmEmail,
  displayName,
  endSessions,
  ensureAccount,
  findByEmail,
  findById,
  findPerson,
  storePassword,
} from './accounts.ts'
import { recordEvent } from './events.ts'
import { findLink, type FoundLink, type IssuedLink, issueLink, spendLink } from './links.ts'
import { checkHour, HourlyLimitError } from './outbox.ts'
import { hashPassword, passwordFault } from './passwords.ts'
import { checkProof } from './proof.ts'
import { removeSecondFactor } from './second-factor.ts'
import { hashToken } from './secrets.ts'
import { type SignInServices, waitText } from './sign-in.ts'
import { personFault, type SetUpInput } from './set-up-input.ts'

export interface AccountServices extends SignInServices {
  readonly publicOrigin: string
}

/** Says in German what is wrong with an input; the page shows it. */
export class InputFault extends Error {
  override readonly name = 'InputFault'
}

export interface Invitation extends IssuedLink {
  /** The mail server accepted the mail. */
  readonly mailed: boolean
  /**
   * It has not accepted the mail yet, and the mail is waiting. If neither is true, the link is handed over by
   * hand.
   */
  readonly wartet: boolean
}

export interface AccountState {
  /** Whether a password was ever set: the invitation was accepted. */
  readonly passwort: boolean
  readonly zweiter_faktor: boolean
  readonly letzte_anmeldung: string | null
  /** Expiry of the last invitation that was not used, even if it has passed. */
  readonly einladung_bis: string | null
  /** Seconds until the lock ends. */
  readonly gesperrt_s: number
  /** Newest first. */
  readonly ereignisse: readonly { readonly zeit: string; readonly art: string; readonly wer: string | null }[]
}

/** Shorter than the browser waits for an answer. */
const FIRST_TRY_MS = 8_000
const NO_MAIL = 'Von hier werden keine E-Mails versendet. Bitten Sie Ihren Anbieter, diese Person einzuladen.'
/** Of one person, right or wrong. */
const PROOFS_PER_HOUR = 30
const tooOften = (wait: number): string =>
  `Das waren zu viele Versuche in einer Stunde. Bitte versuchen Sie es in ${waitText(wait)} noch einmal.`
const REPEAT_DIFFERS =
  'Die beiden Eingaben sind verschieden. Bitte geben Sie das Passwort zweimal gleich ein.'

export class AccountService {
  readonly #services: AccountServices
  constructor(services: AccountServices) {
    this.#services = services
  }

  /** Whether anyone could sign in; if not, the server prints a set-up link. */
  async hasAccounts(): Promise<boolean> {
    const { rowCount } = await this.#services.db.once(
      'select 1 from idp.konto where pw_hash is not null limit 1',
    )
    return rowCount > 0
  }

  /** Only for the operator's console. `email`: the only address that the link works for. */
  createSetupLink(email: string | null = null): Promise<IssuedLink> {
    const { db, publicOrigin } = this.#services
    return db.transaction((query) =>
      issueLink(query, publicOrigin, { art: 'einrichtung', accountId: null, email }),
    )
  }

  /** Only for the operator's console, where nobody sends mail. Null: nobody with this address has an account. */
  async createPasswordLink(email: string): Promise<IssuedLink | null> {
    const { db, publicOrigin } = this.#services
    const account = await findByEmail(db, foldAddress(email.trim()))
    if (account === null) return null
    const { konto_id: accountId } = account
    return db.transaction((query) => issueLink(query, publicOrigin, { art: 'passwort', accountId }))
  }

  get sendsMail(): boolean {
    return this.#services.outbox.sends
  }

  /**
   * Creates the account of a person if needed, and a link to set its password; earlier links become void.
   * `wer`: the admin. Following the link proves ownership of the address, so only admins who may vouch for it
   * may see the link.
   */
  async inviteUser(email: string, who: string | null = null): Promise<Invitation> {
    const { db, publicOrigin, outbox, now } = this.#services
    const { link, post } = await db.transaction(async (query) => {
      await checkHour(query, { art: 'einladung', to: email, wer: who }, now())
      const accountId = await ensureAccount(query, email)
      await recordEvent(query, { art: 'eingeladen', konto_id: accountId, email, wer: who })
      const issued = await issueLink(query, publicOrigin, { art: 'einladung', accountId })
      return {
        link: issued,
        post: await outbox.put(query, { art: 'einladung', accountId, to: email, wer: who, link: issued }),
      }
    })
    // The admin waits for an answer, but not for a mail server that gives none.
    const mailed = await within(FIRST_TRY_MS, outbox.deliver(post)).catch(() => false)
    return { ...link, mailed, wartet: outbox.sends && !mailed }
  }

  /** For admins who cannot vouch for an address: the link is sent to the mailbox and shown nowhere. */
  async inviteByMail(email: string, who: string | null = null): Promise<Omit<Invitation, 'link'>> {
    if (!this.#services.outbox.sends) throw new InputFault(NO_MAIL)
    const { link: _link, ...invitation } = await this.inviteUser(email, who)
    return invitation
  }

  /**
   * It is not a fault if there is no account: then there are no sessions either, but tokens of other
   * providers are refused too.
   */
  async endSessions(email: string, who: string | null = null, withKeys = false): Promise<void> {
    const { db } = this.#services
    const account = await findByEmail(db, email)
    await db.transaction(async (query) => {
      if (account === null) await query('select accounts.end_sessions($1)', email)
      else await endSessions(query, account)
      if (withKeys) await query('select accounts.end_keys($1, $2)', email, who)
      await recordEvent(query, {
        art: 'sitzungen_beendet',
        konto_id: account?.konto_id ?? null,
        email,
        wer: who,
      })
    })
  }

  /**
   * The person shows once more that it is they. From an unknown browser's counter, because the cookie of known
   * ones is sent to the sign-in pages only. Returns what is wrong, or null. Throws if they do so too often: each
   * comparison takes a place that others wait for.
   */
  async confirm(
    email: string,
    { password, code }: { password: string; code: string },
  ): Promise<string | null> {
    const { throttle } = this.#services
    const wait = await throttle.admitInHour(hashToken(foldAddress(email)), 'nachweis', PROOFS_PER_HOUR)
    if (wait > 0) throw new LaterRefusal('too_many_requests', wait, tooOften(wait))
    const checked = await checkProof(
      this.#services,
      { email, password, code },
      {
        device: null,
        wrong: 'Passwort oder Code stimmt nicht. Bitte prüfen Sie beides.',
        isSignedIn: true,
      },
    )
    return 'fault' in checked ? checked.fault : null
  }

  async unlock(email: string, who: string | null = null): Promise<void> {
    const { db, throttle } = this.#services
    const account = await findByEmail(db, email)
    await db.transaction(async (query) => {
      await throttle.forget(query, email)
      await recordEvent(query, {
        art: 'konto_entsperrt',
        konto_id: account?.konto_id ?? null,
        email,
        wer: who,
      })
    })
  }

  /** What an admin may know about somebody's account: its state and its recent events. */
  async describe(email: string): Promise<AccountState> {
    const { db, throttle } = this.#services
    const { rows } = await db.once<Omit<AccountState, 'gesperrt_s' | 'ereignisse'>>(
      `select k.pw_hash is not null as passwort, k.totp_confirmed_at is not null as zweiter_faktor,
        k.last_sign_in_at as letzte_anmeldung,
         (select max(l.expires_at) from idp.einmal_link l where l.konto_id = k.konto_id
         and l.art = 'einladung' and l.used_at is null) as einladung_bis
       from idp.konto k where accounts.fold_address(k.email) = accounts.fold_address($1)`,
      email,
    )
    const events = await db.once<{ zeit: string; art: string; wer: string | null }>(
      `select e.zeit, e.art, e.wer
        from idp.ereignis e
        join idp.konto k using (konto_id)
        where accounts.fold_address(k.email) = accounts.fold_address($1)
        order by e.id desc limit 50`,
      email,
    )
    const none = { passwort: false, zweiter_faktor: false, letzte_anmeldung: null, einladung_bis: null }
    return { ...(rows[0] ?? none), gesperrt_s: await throttle.longestLock(email), ereignisse: events.rows }
  }

  /**
   * For somebody who lost both phone and recovery codes; where required, the next sign-in sets up a new
   * factor.
   */
  async resetSecondFactor(email: string, who: string | null = null): Promise<void> {
    const { db, outbox } = this.#services
    const account = await findByEmail(db, email)
    if (account === null) return
    const post = await db.transaction(async (query) => {
      await removeSecondFactor(query, account.konto_id)
      await endSessions(query, account)
      await recordEvent(query, {
        art: 'zweiter_faktor_entfernt',
        konto_id: account.konto_id,
        email,
        wer: who,
      })
      // Anyone who has the password could sign in from now on, so the person is informed.
      return account.totp_confirmed
        ? outbox.put(query, { art: 'faktor_weg', accountId: account.konto_id, to: account.email })
        : null
    })
    outbox.deliverSoon(post)
  }

  /**
   * Sets a password without a link, for demo accounts and the operator's command line. The password rules
   * apply here too.
   */
  async setPassword(
    email: string,
    password: string,
    { mustChange = false, wer = null }: { mustChange?: boolean; wer?: string | null } = {},
  ): Promise<void> {
    const { db, throttle } = this.#services
    const fault = passwordFault(password, [email])
    if (fault !== null) throw new InputFault(fault)
    const pwHash = await hashPassword(password)
    await db.transaction(async (query) => {
      const accountId = await ensureAccount(query, email)
      await storePassword(query, accountId, pwHash, mustChange)
      await confirmEmail(query, accountId)
      await endSessions(query, { konto_id: accountId, email })
      await throttle.forget(query, email)
      await recordEvent(query, { art: 'passwort_gesetzt', konto_id: accountId, email, wer })
    })
  }

  /** For demo accounts of a trial: many share one password, so it is hashed only once. */
  async setPasswords(emails: readonly string[], password: string): Promise<void> {
    const fault = passwordFault(password)
    if (fault !== null) throw new InputFault(fault)
    const pwHash = await hashPassword(password)
    await this.#services.db.transaction(async (query) => {
      for (const email of emails) {
        const accountId = await ensureAccount(query, email)
        await storePassword(query, accountId, pwHash)
        await confirmEmail(query, accountId)
      }
    })
  }

  /**
   * Sends a link if the address has an account. The caller answers the same in every case and does not wait.
   */
  async requestReset(email: string): Promise<void> {
    const { db, publicOrigin, outbox, now } = this.#services
    const account = await findByEmail(db, email)
    if (account === null || !account.enabled || !outbox.sends) return
    const { konto_id: accountId, email: to } = account
    const post = await db
      .transaction(async (query) => {
        await checkHour(query, { art: 'passwort', to, wer: null }, now())
        await recordEvent(query, { art: 'passwort_vergessen', konto_id: accountId, email: to })
        const link = await issueLink(query, publicOrigin, { art: 'passwort', accountId })
        return outbox.put(query, { art: 'passwort', accountId, to, link })
      })
      .catch((error: unknown) => {
        // Not reported to anyone: it would reveal that there is an account.
        if (error instanceof HourlyLimitError) return null
        throw error
      })
    await outbox.deliver(post)
  }

  findLink(token: string): Promise<FoundLink | null> {
    return findLink(this.#services.db, token)
  }

  /**
   * Sets the password by an invitation or reset link and uses up the link. Returns false if it was used or
   * expired in the meantime.
   */
  async setPasswordByLink(token: string, password: string, repeated: string): Promise<boolean> {
    const { db, throttle, outbox, title } = this.#services
    const found = await findLink(db, token)
    if (found?.usable !== true || found.konto_id === null || found.email === null) return false
    const account = await findById(db, found.konto_id)
    checkNewPassword(password, repeated, [found.email, account === null ? '' : displayName(account), title])
    const pwHash = await hashPassword(password)
    const { konto_id, email, art } = { ...found, konto_id: found.konto_id, email: found.email }
    const done = await db.transaction(async (query) => {
      if ((await spendLink(query, token)) === null) return null
      await storePassword(query, konto_id, pwHash)
      await confirmEmail(query, konto_id)
      await endSessions(query, { konto_id, email })
      await throttle.forget(query, email)
      await recordEvent(query, {
        art: art === 'einladung' ? 'einladung_angenommen' : 'passwort_gesetzt',
        konto_id,
        email,
      })
      return {
        post:
          art === 'passwort' || (account?.pw_hash ?? null) !== null
            ? await outbox.put(query, { art: 'passwort_neu', accountId: konto_id, to: email })
            : null,
      }
    })
    outbox.deliverSoon(done?.post ?? null)
    return done !== null
  }

  /** Creates the first admin. Returns false if the link was used or expired in the meantime. */
  async setUp(token: string, input: SetUpInput): Promise<boolean> {
    const { db, title } = this.#services
    const link = await findLink(db, token)
    if (link?.usable !== true || link.art !== 'einrichtung') return false
    const email = foldAddress((link.email ?? input.email).trim())
    const fault = personFault({ ...input, email })
    if (fault !== null) throw new InputFault(fault)
    checkNewPassword(input.password, input.repeated, [email, input.vorname, input.nachname, title])
    const pwHash = await hashPassword(input.password)
    return db.transaction(async (query) => {
      if ((await spendLink(query, token)) === null) return false
      const person = await findPerson(query, email)
      // After a move from another provider, or in a restored database, the admin already exists and only
      // lacks the account.
      const isAdmin = person?.enabled === true && person.gruppe === 'appuser_apus_admin'
      if (!isAdmin)
        await query(
          'select accounts.create_first_admin($1, $2, $3)',
          email,
          input.vorname.trim(),
          input.nachname.trim(),
        ).catch(setUpFault)
      const accountId = await ensureAccount(query, email)
      await storePassword(query, accountId, pwHash)
      await confirmEmail(query, accountId)
      await recordEvent(query, { art: 'eingerichtet', konto_id: accountId, email })
      return true
    })
  }
}

function checkNewPassword(password: string, repeated: string, blocked: readonly string[]): void {
  if (password !== repeated) throw new InputFault(REPEAT_DIFFERS)
  const fault = passwordFault(password, blocked)
  if (fault !== null) throw new InputFault(fault)
}

function setUpFault(error: unknown): never {
  if (error instanceof DatabaseFault && error.code === 'PT409')
    throw new InputFault(
      'Es gibt schon eine Verwaltung. Bitte geben Sie die E-Mail-Adresse einer Person an, die alles verwalten darf.',
    )
  throw error
}
