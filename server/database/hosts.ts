// Finds the one of several servers that takes changes, and finds it again after another one took over.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, parseAddress } from './address.ts'
import { DatabaseFault, LoginFault, NoPrimaryFault, UnavailableFault } from './database.ts'
import { isServerError } from './faults.ts'

/** How one kind of connection is made. */
export interface Connector<C> {
  /** Has its own time limit. */
  open(url: string): Promise<C>
  /** The server takes changes: it is no standby and not closed. */
  isWritable(connection: C): Promise<boolean>
  /** Never rejects. */
  close(connection: C): void
}

export interface Opened<C> {
  readonly connection: C
  /** The host reached, alone. */
  readonly url: string
  /** false: a standby, for reading. */
  readonly writable: boolean
}

/** A host that says nothing for this long is no longer waited for alone. */
const STAGGER_MS = 250
/** A standby serves reads when no other host has answered for this long. */
const STANDBY_MS = 1_000
/** So long a standby that was found serves reads without another search. */
const FRESH_MS = 1_000

/** A standby, or a database that its operator closed for changes, is `closed`: it answers reads but cannot serve. */
export const IS_CLOSED =
  'select pg_catalog.pg_is_in_recovery() ' +
  `or pg_catalog.current_setting('transaction_read_only')::boolean as closed`

const isRefusal = (fault: unknown): boolean =>
  (fault instanceof DatabaseFault || isServerError(fault)) && fault.code === '28P01'

export class Hosts {
  /** Of the same hosts; they differ in the password. The valid one is tried first. */
  #addresses: readonly Address[]
  #isRefused = false
  /** The one used last is asked first. */
  #last: string
  #standIn: { readonly url: string; readonly until: number } | null = null

  /**
   * @param address checked with the settings
   * @param further the same with other passwords, tried when that one is refused
   */
  constructor(address: string, further: readonly string[] = []) {
    this.#addresses = [address, ...further].map(parseAddress)
    this.#last = this.#urls[0] ?? address
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1
  }

  /** The login was refused the last time, whatever connections are still open. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  get #urls(): readonly string[] {
    return this.#addresses[0]?.urls ?? []
  }

  /**
   * Connects to the server that takes changes.
   * @param mayRead a standby will do while there is no such server
   * @throws NoPrimaryFault, or what connecting to a host rejected with
   */
  async open<C>(connector: Connector<C>, mayRead = false): Promise<Opened<C>> {
    let refused: unknown
    for (const address of this.#addresses) {
      this.#prefer(address)
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next one is for when this one is refused
        const opened = await this.#open(connector, mayRead)
        this.#isRefused = false
        return opened
      } catch (fault) {
        if (!isRefusal(fault)) throw fault
        refused ??= fault
      }
    }
    this.#isRefused = true
    throw refused
  }

  #prefer(address: Address): void {
    if (this.#addresses[0] === address) return
    const at = this.#urls.indexOf(this.#last)
    this.#addresses = [address, ...this.#addresses.filter((other) => other !== address)]
    this.#last = address.urls[at] ?? address.urls[0] ?? this.#last
    this.#standIn = null
  }

  async #open<C>(connector: Connector<C>, mayRead: boolean): Promise<Opened<C>> {
    if (this.#addresses[0]?.writable !== true)
      return { connection: await connector.open(this.#last), url: this.#last, writable: true }
    if (mayRead && this.#standIn !== null && performance.now() < this.#standIn.until) {
      const { url } = this.#standIn
      const connection = await connector.open(url).catch(() => null)
      if (connection !== null) return { connection, url, writable: false }
    }
    const opened = await new Search(connector, mayRead).among([
      this.#last,
      ...this.#urls.filter((url) => url !== this.#last),
    ])
    if (opened.writable && this.#urls.includes(opened.url)) this.#last = opened.url
    this.#standIn = opened.writable ? null : { url: opened.url, until: performance.now() + FRESH_MS }
    return opened
  }
}

/** One search: asks one host after another without waiting long for any; what is not needed is closed. */
class Search<C> {
  readonly #connector: Connector<C>
  readonly #mayRead: boolean
  readonly #result = Promise.withResolvers<Opened<C>>()
  readonly #faults: unknown[] = []
  #standby: Opened<C> | null = null
  #sawStandby = false
  #done = false

  constructor(connector: Connector<C>, mayRead: boolean) {
    this.#connector = connector
    this.#mayRead = mayRead
  }

  among(urls: readonly string[]): Promise<Opened<C>> {
    void this.#ask(urls)
    return this.#result.promise
  }

  async #ask(urls: readonly string[]): Promise<void> {
    const asked: Promise<void>[] = []
    for (const url of urls) {
      if (this.#done) return
      const one = this.#try(url)
      asked.push(one)
      // oxlint-disable-next-line no-await-in-loop -- the next one is asked when this one failed or is slow
      await Promise.race([one, sleep(STAGGER_MS, undefined, { ref: false })])
    }
    await Promise.all(asked)
    this.#end()
  }

  async #try(url: string): Promise<void> {
    try {
      const opened = await this.#open(url)
      if (opened.writable) this.#take(opened)
      else this.#keep(opened)
    } catch (fault) {
      this.#faults.push(fault)
    }
  }

  async #open(url: string): Promise<Opened<C>> {
    const connection = await this.#connector.open(url)
    try {
      return { connection, url, writable: await this.#connector.isWritable(connection) }
    } catch (fault) {
      this.#connector.close(connection)
      throw fault
    }
  }

  #take(opened: Opened<C>): void {
    if (this.#done) this.#connector.close(opened.connection)
    else {
      this.#done = true
      this.#result.resolve(opened)
      if (this.#standby !== null) this.#connector.close(this.#standby.connection)
    }
  }

  /** A standby, for the case that nothing better answers. */
  #keep(opened: Opened<C>): void {
    this.#sawStandby = true
    if (this.#done || !this.#mayRead || this.#standby !== null) {
      this.#connector.close(opened.connection)
      return
    }
    this.#standby = opened
    void sleep(STANDBY_MS, undefined, { ref: false }).then(() => this.#end())
  }

  #end(): void {
    if (this.#done) return
    this.#done = true
    if (this.#standby !== null) this.#result.resolve(this.#standby)
    else this.#result.reject(this.#fault())
  }

  /** A refused sign-in or a missing database says more than a host that is away. */
  #fault(): unknown {
    const telling = this.#faults.find(
      (fault) =>
        fault instanceof LoginFault ||
        (fault instanceof DatabaseFault && !(fault instanceof UnavailableFault)),
    )
    return telling ?? (this.#sawStandby ? new NoPrimaryFault() : this.#faults[0])
  }
}
