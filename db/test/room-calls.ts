// Calls of a room's routes by people of the test's world, without a connection.
import type { FastifyInstance } from 'fastify'
import type { IdentityName } from './world.ts'

/** `app`: what it is once the call is made. */
export const roomCalls = (app: () => FastifyInstance) => ({
  ask: (who: IdentityName, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    app().inject({
      method,
      url,
      headers: { authorization: `Bearer token-${who}` },
      ...(payload === undefined ? {} : { payload }),
    }),
  /** Sends a file to `room`, an address like `/bestand/7`. */
  upload: (who: IdentityName, room: string, name: string, bytes: Buffer) =>
    app().inject({
      method: 'POST',
      url: `${room}/upload?name=${encodeURIComponent(name)}`,
      headers: { authorization: `Bearer token-${who}`, 'content-type': 'application/octet-stream' },
      payload: bytes,
    }),
})
