// How people get in the first time: demo accounts in the trial, otherwise a set-up link for the first admin.
// No password is hard-coded.
import { randomInt } from 'node:crypto'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { AccountService } from './identity/account-service.ts'

export type WayIn =
  | { readonly kind: 'demo'; readonly password: string }
  | { readonly kind: 'demo again' }
  | { readonly kind: 'set up'; readonly link: string; readonly expires: Date }
  /** Nobody can sign in, and no link is shown: the command makes one. */
  | { readonly kind: 'set up by command' }
  | { readonly kind: 'accounts' }
  | { readonly kind: 'other provider'; readonly issuer: string }

export async function prepareWayIn(
  config: Config,
  database: Database,
  accounts: AccountService | null,
): Promise<WayIn> {
  if (accounts === null) return { kind: 'other provider', issuer: config.OIDC_ISSUER }
  if (await accounts.hasAccounts()) return { kind: config.trial ? 'demo again' : 'accounts' }
  if (config.trial && (await hasDemoPeople(database)))
    return { kind: 'demo', password: await setDemoPassword(accounts) }
  // Not shown among lines of JSON; made all the same, it would end the one of the command.
  if (config.LOG_FORMAT === 'json') return { kind: 'set up by command' }
  return { kind: 'set up', ...(await accounts.createSetupLink(config.BOOTSTRAP_ADMIN_EMAIL ?? null)) }
}

/** Gives all demo accounts one new password and returns it; only its hash is stored. */
export async function setDemoPassword(accounts: Pick<AccountService, 'setPasswords'>): Promise<string> {
  const password = makePassword()
  await accounts.setPasswords(
    DEMO_ACCOUNTS.map(({ email }) => email),
    password,
  )
  return password
}

/** The demo people come with the sample data; an embedded database in production has none. */
async function hasDemoPeople(database: Database): Promise<boolean> {
  const [first] = DEMO_ACCOUNTS
  const { rowCount } = await database.once(
    { role: 'forst_idp' },
    { text: 'select from accounts.account_state($1)', values: [first?.email] },
  )
  return rowCount > 0
}

/** Without characters that are easily confused when read from a screen. */
const LETTERS = 'abcdefghkmnpqrstuvwxyz23456789'

/** 16 characters out of 30: 78 bits. */
export function makePassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
