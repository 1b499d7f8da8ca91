// Secrets and signatures of webhooks, as the specification "Standard Webhooks" has them: `whsec_` and 32 random
// bytes in base64; signed are number, time and body, with HMAC-SHA-256.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const makeSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** By which people recognize it: its last characters before the padding. */
export const signsOf = (secret: string): string => secret.replace(/=+$/, '').slice(-4)

export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

function sign(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** With several secrets a signature for each: the receiver accepts any of them. */
export const signedHeaders = (secrets: readonly string[], signed: Signed): Record<string, string> => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(signed.timestamp),
  'webhook-signature': secrets.map((secret) => sign(secret, signed)).join(' '),
})
