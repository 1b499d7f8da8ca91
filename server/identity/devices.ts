// Browsers in which somebody signed in before. Their wrong passwords are counted separately, so that
// strangers who lock an address do not lock out its owner. The cookie opens nothing: it only says which
// counter applies. Follows OWASP's "device cookies".
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { foldAddress } from '#domain/mail-address.ts'
import type { Secrets } from './secrets.ts'

export interface DevicesOptions {
  readonly secrets: Secrets
  readonly publicOrigin: string
  readonly now: () => Date
}

const KEPT_DAYS = 180
/** Maximum number of people who share one browser. */
const MOST = 5
const DAY_MS = 86_400_000
const ENTRY = /^(\d{1,6})\.([\w-]{22})\.([\w-]{43})$/

export class Devices {
  readonly #options: DevicesOptions
  readonly #name: string
  readonly #secure: string
  constructor(options: DevicesOptions) {
    this.#options = options
    const secure = options.publicOrigin.startsWith('https://')
    this.#name = `${secure ? '__Secure-' : ''}fk_geraet`
    this.#secure = secure ? '; Secure' : ''
  }

  /** Name of this browser's counter for the address; null if it is unknown. */
  known(request: FastifyRequest, email: string): string | null {
    return this.#entries(request).find((entry) => this.#isOf(entry, email))?.nonce ?? null
  }

  /**
   * Called after a sign-in. The name is new each time, so a copied cookie soon no longer shares the owner's
   * counter.
   */
  remember(request: FastifyRequest, reply: FastifyReply, email: string): void {
    const others = this.#entries(request).filter((entry) => !this.#isOf(entry, email))
    const day = Math.floor(this.#options.now().getTime() / DAY_MS)
    const nonce = randomBytes(16).toString('base64url')
    const all = [`${day}.${nonce}.${this.#seal(day, nonce, email)}`, ...others.map(({ text }) => text)].slice(
      0,
      MOST,
    )
    const line =
      `${this.#name}=${all.join('~')}; Path=/anmelden; Max-Age=${(KEPT_DAYS * DAY_MS) / 1000}; HttpOnly; ` +
      `SameSite=Lax${this.#secure}`
    reply.raw.appendHeader('set-cookie', line)
  }

  #entries({ headers }: FastifyRequest): Entry[] {
    const pair = (headers.cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${this.#name}=`))
    const today = Math.floor(this.#options.now().getTime() / DAY_MS)
    return (pair?.slice(this.#name.length + 1).split('~') ?? []).slice(0, MOST).flatMap((text) => {
      const [, day = '', nonce = '', seal = ''] = ENTRY.exec(text) ?? []
      return nonce !== '' && Number(day) > today - KEPT_DAYS ? [{ text, day: Number(day), nonce, seal }] : []
    })
  }

  #isOf({ day, nonce, seal }: Entry, email: string): boolean {
    return timingSafeEqual(Buffer.from(seal), Buffer.from(this.#seal(day, nonce, email)))
  }

  #seal(day: number, nonce: string, email: string): string {
    return this.#options.secrets.keyedHash('geraet', `${day}\0${nonce}\0${foldAddress(email.trim())}`)
  }
}

interface Entry {
  readonly text: string
  readonly day: number
  readonly nonce: string
  readonly seal: string
}
