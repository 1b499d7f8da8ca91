// What the log may say of an error.
import { DatabaseFault } from './database.ts'
import { isServerError } from './faults.ts'

const KEYS = /forst_[0-9A-Za-z]{8,}/g
const TOKENS = /\b[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/g
const MAIL_ADDRESSES = /[^\s"'<>()=]+@[^\s"'<>()=]+/g

/**
 * What the log may contain of an error. PostgreSQL's messages quote values, so only the code is logged;
 * tokens and mail addresses are removed from all other messages.
 */
export function reasonForLog(error: unknown): string {
  if (error instanceof DatabaseFault || isServerError(error))
    return [error.name, error.code, error.constraint].filter(Boolean).join(' ')
  const message = error instanceof Error ? error.message : 'unknown'
  return message.replace(KEYS, '[…]').replace(TOKENS, '[…]').replace(MAIL_ADDRESSES, '[…]').slice(0, 300)
}
