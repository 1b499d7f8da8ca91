// Browsers that got tokens of late: what they ask of the sign-in counts against the share of the person, not against
// that of everybody without an account, so that a renewal goes on while strangers flood, from the same network too.
// The cookie opens nothing: it only says whose share counts.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { personOf } from '#server/caller.ts'
import type { Secrets } from './secrets.ts'

export interface KnownBrowsersOptions {
  readonly secrets: Pick<Secrets, 'keyedHash'>
  readonly publicOrigin: string
  readonly issuer: string
  readonly now: () => Date
}

/** Written again with every token, and no session lasts longer. */
const KEPT_DAYS = 2
const DAY_MS = 86_400_000
const ENTRY = /^(\d{1,6})\.([\w-]{1,64})\.([\w-]{43})$/

export interface Known {
  /** The account, for its own counts. */
  readonly account: string
  /** As queues call the person. */
  readonly person: string
}

export class KnownBrowsers {
  readonly #options: KnownBrowsersOptions
  readonly #name: string
  readonly #attributes: string

  constructor(options: KnownBrowsersOptions, path: string) {
    this.#options = options
    const secure = options.publicOrigin.startsWith('https://')
    this.#name = `${secure ? '__Secure-' : ''}fk_bekannt`
    this.#attributes =
      `Path=${path}; Max-Age=${(KEPT_DAYS * DAY_MS) / 1000}; HttpOnly; SameSite=Strict` +
      (secure ? '; Secure' : '')
  }

  /** Null: nobody got tokens there, or long ago. */
  known({ headers }: Pick<IncomingMessage, 'headers'>): Known | null {
    const pair = (headers.cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${this.#name}=`))
    const [, day = '', account = '', seal = ''] = ENTRY.exec(pair?.slice(this.#name.length + 1) ?? '') ?? []
    const isOurs = seal !== '' && timingSafeEqual(Buffer.from(seal), Buffer.from(this.#seal(day, account)))
    if (!isOurs || Number(day) <= this.#today() - KEPT_DAYS) return null
    return { account, person: personOf({ iss: this.#options.issuer, sub: account }) }
  }

  /** The line of a cookie for a browser that has just got tokens. */
  cookieFor(account: string): string {
    const day = String(this.#today())
    return `${this.#name}=${day}.${account}.${this.#seal(day, account)}; ${this.#attributes}`
  }

  #today(): number {
    return Math.floor(this.#options.now().getTime() / DAY_MS)
  }

  #seal(day: string, account: string): string {
    return this.#options.secrets.keyedHash('bekannt', `${day}\0${account}`)
  }
}
