// What keeps people without an account from occupying the sign-in: requests that led to nothing are counted for each
// network, in this process and before the database is asked; whatever they ask of the database counts against their
// share (server/share.ts). Browsers that got tokens of late are no strangers: they count as their person.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inShareOf, strangerAt } from '#server/share.ts'
import { createThrottle } from '#server/throttle.ts'
import type { KnownBrowsers } from './known-browsers.ts'

/**
 * Of one network in a minute: expired links, tokens that are not valid, revocations. A whole office may share one
 * address, and programs that wait for their person ask twelve times a minute.
 */
export const FRUITLESS_PER_MIN = 300

export interface Strangers {
  /** Seconds until another request is accepted; 0: this one is. */
  admit(request: FastifyRequest, reply: FastifyReply): number
  /** What queues call the sender of the request. */
  nameOf(request: FastifyRequest): string
}

/** One count for all scopes of the sign-in. */
export function createStrangers(now: () => Date, browsers: KnownBrowsers): Strangers {
  const fruitless = createThrottle(FRUITLESS_PER_MIN, now)
  return {
    nameOf: ({ raw, ip }) => browsers.known(raw)?.person ?? strangerAt(ip),
    admit(request, reply) {
      const { raw, ip, url } = request
      const sender = browsers.known(raw)?.account ?? ip
      const wait = fruitless.admit(sender)
      if (wait > 0) return wait
      reply.raw.once('close', () => {
        // A sender that hangs up got nothing; a revocation is answered in the same way whatever it found.
        const { writableFinished, statusCode } = reply.raw
        if (writableFinished && statusCode < 400 && !isRevocation(url)) fruitless.giveBack(sender)
      })
      return 0
    },
  }
}

const isRevocation = (url: string): boolean => url.split('?')[0]?.endsWith('/revoke') === true

/** @param refuse answers in the form of the scope */
export function guardScope(
  scope: FastifyInstance,
  strangers: Strangers,
  refuse: (reply: FastifyReply, wait: number) => FastifyReply,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const wait = strangers.admit(request, reply)
    return wait > 0 ? refuse(reply.header('retry-after', String(wait)), wait) : undefined
  })
  // After the body is read, which is done for nobody.
  scope.addHook('preHandler', (request, _reply, done) => inShareOf(strangers.nameOf(request), done))
}
