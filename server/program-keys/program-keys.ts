// In charge of keys for programs: whose a key is, how often one may be guessed, and when one was last used.
// What a key may do is decided in the database (db/nouns/zugang.sql), with every request.
import type { FastifyInstance } from 'fastify'
import { type Authenticate, type Caller, personOf, SignInFault } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { keyOf, strangerAt } from '#server/share.ts'
import { createThrottle } from '#server/throttle.ts'
import { digestOf, isKey, KEY_PATTERN, keyIn } from './key-format.ts'
import type { Scope } from './scope.ts'

export interface ProgramKeysOptions {
  readonly database: Database
  /** For everything that is not a key. */
  readonly tokens: Authenticate
  readonly now: () => Date
  readonly log: Log
  /** Wrong keys of one network address in a minute. */
  readonly failuresPerMinute: number
}

export interface FoundKey {
  readonly id: number
  readonly iss: string
  readonly sub: string
  readonly email: string
  readonly name: string
  readonly nur_lesen: boolean
  readonly zustand: 'aktiv' | 'beendet' | 'abgelaufen' | 'gesperrt'
}

/** Their owners are known, and every request is checked in the database anyway. */
const MOST_KNOWN = 1_000
/** For the second look at a wrong key in the same request. */
const WRONG_MS = 1_000
const HOUR_MS = 3_600_000

export interface ProgramKeys {
  readonly authenticate: Authenticate
  /** Before the routes: refuses keys in addresses, and addresses that send wrong keys again and again. */
  guard(app: FastifyInstance): void
}

export function createProgramKeys(options: ProgramKeysOptions): ProgramKeys {
  const keys = new Keys(options)
  return {
    authenticate: (authorization) => keys.authenticate(authorization),
    guard: (app) => guardAddresses(app, keys, options),
  }
}

class Keys {
  readonly #options: ProgramKeysOptions
  /** By digest, least recently used first. */
  readonly #known = new Map<string, Caller>()
  readonly #wrong = new Map<string, { readonly fault: SignInFault; readonly until: number }>()
  /** Many requests of a new key at once ask for it once. */
  readonly #underWay = new Map<string, Promise<Caller>>()
  /** The hour in which the use of a key was last written down. */
  readonly #noted = new Map<number, number>()

  constructor(options: ProgramKeysOptions) {
    this.#options = options
  }

  /** `from`: the address that asks: for a key that nobody knows yet it has no more of the database than strangers. */
  authenticate(authorization: string | undefined, from = ''): Caller | Promise<Caller> {
    const key = keyIn(authorization)
    if (key === null) return this.#byToken(authorization)
    if (key === undefined || !isKey(key))
      throw new SignInFault('bad_key', 'This is no key: mistyped, truncated, or not the password of Basic')
    const digest = digestOf(key)
    const known = this.#known.get(digest)
    if (known === undefined) {
      const begun =
        this.#underWay.get(digest) ?? this.#open(digest, from).finally(() => this.#underWay.delete(digest))
      this.#underWay.set(digest, begun)
      return begun
    }
    this.#known.delete(digest)
    this.#known.set(digest, known)
    this.#note(known)
    return known
  }

  /** A token may be a program's too. */
  #byToken(authorization: string | undefined): Caller | Promise<Caller> {
    const caller = this.#options.tokens(authorization)
    if (!(caller instanceof Promise)) {
      this.#note(caller)
      return caller
    }
    return caller.then((found) => {
      this.#note(found)
      return found
    })
  }

  /** Whether this is a key that still has to be looked up, and that nobody is looking up yet. */
  asksFor(authorization: string | undefined): boolean {
    const key = keyIn(authorization)
    if (key === null || key === undefined || !isKey(key)) return false
    const digest = digestOf(key)
    return !this.#known.has(digest) && !this.#underWay.has(digest)
  }

  async #open(digest: string, from: string): Promise<Caller> {
    const now = this.#options.now().getTime()
    const wrong = this.#wrong.get(digest)
    if (wrong !== undefined && wrong.until > now) throw wrong.fault
    const { rows } = await this.#options.database.once<FoundKey>(
      { role: 'nutzer', readOnly: true, person: strangerAt(from) },
      {
        name: 'open_key',
        text: 'select id, iss, sub, email, name, nur_lesen, zustand from accounts.open_key($1)',
        values: [digest],
      },
    )
    const [found] = rows
    const fault = faultOf(found)
    if (found === undefined || fault !== null) {
      this.#remember(digest, fault ?? new SignInFault('unknown_key', 'This key is unknown'), now)
      throw this.#wrong.get(digest)?.fault
    }
    const caller = callerOf(found)
    this.#known.set(digest, caller)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#note(caller)
    return caller
  }

  #remember(digest: string, fault: SignInFault, now: number): void {
    this.#wrong.set(digest, { fault, until: now + WRONG_MS })
    if (this.#wrong.size > MOST_KNOWN) this.#wrong.delete(this.#wrong.keys().next().value ?? '')
  }

  /** Nobody waits for it. */
  #note({ key }: Caller): void {
    if (key === undefined) return
    const hour = Math.floor(this.#options.now().getTime() / HOUR_MS)
    if (this.#noted.get(key.id) === hour) return
    this.#noted.set(key.id, hour)
    if (this.#noted.size > MOST_KNOWN) this.#noted.delete(this.#noted.keys().next().value ?? 0)
    const { database, log } = this.#options
    database
      .once({ role: 'nutzer' }, { text: 'select accounts.note_key_use($1)', values: [key.id] })
      .catch((error: unknown) => {
        this.#noted.delete(key.id)
        log.warn('the use of a key could not be written down', { reason: reasonForLog(error) })
      })
  }
}

function faultOf(found: FoundKey | undefined): SignInFault | null {
  if (found === undefined) return null
  if (found.zustand === 'aktiv') return null
  return new SignInFault('ended_key', 'This key has ended')
}

/** `token`: of OAuth, by which the key is used; it has its own end, and may ask for less. */
export function callerOf(
  { id, iss, sub, email, name, nur_lesen }: FoundKey,
  token?: { readonly exp: number; readonly scope: Scope | null },
): Caller {
  const readsOnly = nur_lesen || token?.scope?.schreiben === false
  const claims = Object.freeze({
    iss,
    sub,
    email,
    // The database reads times and groups of a key from its row.
    iat: 0,
    exp: token?.exp ?? Number.MAX_SAFE_INTEGER,
    groups: [],
    role: 'nutzer' as const,
    key: String(id),
    ...(token?.scope && { scope: token.scope }),
  })
  return Object.freeze({
    claims,
    claimsJson: JSON.stringify(claims),
    // Fifty keys must not count as fifty people.
    person: keyOf(personOf(claims), id),
    role: 'programm' as const,
    key: Object.freeze({ id, name, readsOnly }),
    ...(readsOnly && { refusesWrites: READS_ONLY }),
  })
}

/** For the data API, before the database is asked. */
const READS_ONLY = {
  status: 403,
  code: 'PT403',
  message: 'This key is read-only',
  details: 'Dieser Schlüssel darf nur lesen.',
  hint: 'key_reads_only',
} as const

/** The key stays in histories and logs of other programs, so it is refused even where it would be right. */
const IN_ADDRESS =
  'Ein Schlüssel gehört nicht in die Adresse, sondern in den Kopf „Authorization“. Bitte widerrufen Sie ' +
  'ihn, und legen Sie einen neuen an. (A key does not belong in the address; revoke it and create a new ' +
  'one.)'

function guardAddresses(
  app: FastifyInstance,
  keys: Pick<Keys, 'authenticate' | 'asksFor'>,
  { failuresPerMinute, now }: ProgramKeysOptions,
): void {
  const failures = createThrottle(failuresPerMinute, now)
  app.addHook('onRequest', async (request, reply) => {
    if (hasKey(request.url)) throw new Refusal('bad_value', IN_ADDRESS)
    const { authorization } = request.headers
    // Known keys are accepted even while others guess from the same address; text that is not a key costs
    // nothing.
    if (authorization === undefined || !keys.asksFor(authorization)) return
    // Counted before the look-up, or many at once would all be looked up.
    const wait = failures.admit(request.ip)
    if (wait > 0) {
      reply.header('retry-after', String(wait))
      throw new Refusal('too_many_requests')
    }
    let unknown = false
    try {
      await keys.authenticate(authorization, request.ip)
    } catch (error) {
      // The room says what is wrong, in its own format. Who has a key that has ended does not guess.
      unknown = error instanceof SignInFault && error.kind === 'unknown_key'
    }
    if (!unknown) failures.giveBack(request.ip)
  })
}

/** However it is written in the address: letters, digits and the underscore are single bytes. */
function hasKey(url: string): boolean {
  const plain = url.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return plain.search(KEY_PATTERN) !== -1
}
