// Addresses of names that people have entered: the owners of their name servers must not be able to hold up
// anybody else. dns.lookup occupies one of the four threads that also read and write files, for as long as a
// server is silent.
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from './private-address.ts'

/** Of one question; the second is given twice as long. */
const PATIENCE = { timeout: 2_000, tries: 2 }
const HOSTS_FILE = '/etc/hosts'

/** @param hosts the text of a file of hosts, whose names go before those of name servers */
export function addressesIn(hosts: string, name: string): LookupAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((one) => one.toLowerCase() === name) ? [{ address, family }] : []
  })
}

/** All addresses of a full name, asked over the network without a thread. @throws as dns.resolve does */
async function resolve(hostname: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const known = addressesIn(await readFile(HOSTS_FILE, 'utf8').catch(() => ''), name)
  if (known.length > 0) return known
  // A new one each time, which knows the present name servers of the machine.
  const resolver = new Resolver(PATIENCE)
  if (servers !== undefined) resolver.setServers(servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const found = ({ status, ...result }: typeof four, family: number): LookupAddress[] =>
    status === 'fulfilled' && 'value' in result ? result.value.map((address) => ({ address, family })) : []
  return [...found(four, 4), ...found(six, 6)]
}

export interface PublicLookup {
  /** What a name is refused with that has an address in a private network, among others or alone. */
  refuse(): Error
  /** For tests. */
  readonly servers?: readonly string[]
}

/**
 * For connections to public addresses. Checked when the connection is made, not before: a name that resolves
 * differently the second time gains nothing.
 */
export const publicLookup =
  ({ refuse, servers }: PublicLookup): LookupFunction =>
  (hostname, options, answer) => {
    void resolve(hostname, servers).then(
      (all) => {
        if (all.length === 0 || all.some(({ address }) => isPrivate(address))) return answer(refuse(), '', 0)
        const wanted = all.filter(({ family }) => isWanted(options.family, family))
        const [first] = wanted
        if (first === undefined)
          return answer(
            Object.assign(new Error(`no such address of ${hostname}`), { code: 'ENOTFOUND' }),
            '',
            0,
          )
        return options.all === true ? answer(null, wanted) : answer(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => answer(error, '', 0),
    )
  }

const isWanted = (asked: number | string | undefined, family: number): boolean =>
  asked === undefined || asked === 0 || asked === family || asked === `IPv${family}`

let before: Promise<unknown> = Promise.resolve()
const underWay = new Map<string, Promise<Found>>()
type Found = Parameters<Parameters<LookupFunction>[2]>
/** Who asks gives up by then. */
const TURN_MS = 10_000

/**
 * As the machine itself finds names: for closed networks, with their short names and search lists. One after the
 * other, so that at most one thread waits; those who ask for the same name wait for the same answer.
 */
export const orderlyLookup: LookupFunction = (hostname, options, answer) => {
  const { family, all, hints } = options
  const key = JSON.stringify([hostname, family, all, hints])
  const asked = underWay.get(key) ?? inTurn(hostname, options).finally(() => underWay.delete(key))
  underWay.set(key, asked)
  void asked.then((found) => answer(...found))
}

async function inTurn(hostname: string, options: LookupOptions): Promise<Found> {
  const from = performance.now()
  const former = before
  const own = Promise.withResolvers<void>()
  before = own.promise
  await former
  try {
    if (performance.now() - from > TURN_MS)
      return [Object.assign(new Error(`no turn for ${hostname}`), { code: 'EAI_AGAIN' }), '', 0]
    return await new Promise<Found>((resolve) => lookup(hostname, options, (...found) => resolve(found)))
  } finally {
    own.resolve()
  }
}
