// Revenue accounts of the tax advisor as people type them: a line each, "19 % = 8400" or "S 19.00 = 8400", with a
// tax key where the account does not contain the tax: "19 % = 8000 BU 3". Pure.
import type { DatevAccount, DatevSettings } from '#domain/datev/job.ts'

type Accounts = DatevSettings['revenueAccounts']

const accountText = (account: string | DatevAccount): string =>
  typeof account === 'string' ? account : account.konto + (account.bu === '' ? '' : ` BU ${account.bu}`)
/** As they are shown: "S 19.00 = 8400". */
export const accountList = (accounts: Accounts): string =>
  Object.entries(accounts)
    .map(([group, account]) => `${group} = ${accountText(account)}`)
    .toSorted()
    .join('\n')
const LINE = /^(S|E|AE|O) (\d{1,2}\.\d{2}) = (\d{4,8})(?: BU (\d{1,4}))?$/
/** As people type it: a rate alone means taxed, a category alone means no rate. */
const TYPED =
  /^(AE|S|E|O)? ?(?:(\d{1,2})(?:[.,](\d{1,2}))? ?%?)? ?[=:] ?(\d{4,8})(?: ?(?:BU|\/) ?(\d{1,4}))?$/i
function accountLine(line: string): string {
  const [found, kind, whole, cents = '', account, key] = TYPED.exec(line) ?? []
  if (
    found === undefined ||
    (kind === undefined && Number(whole ?? 0) === 0) ||
    (whole === undefined && kind?.toUpperCase() === 'S')
  )
    return line
  const group = `${(kind ?? 'S').toUpperCase()} ${Number(whole ?? 0)}.${cents.padEnd(2, '0')}`
  return `${group} = ${account}${key === undefined ? '' : ` BU ${key}`}`
}

/** As they are stored; what cannot be read stays as it is. */
export const accountLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')
    .map(accountLine)

export const isAccountLine = (line: string): boolean => LINE.test(line)
/** Whole numbers without a leading zero. */
export const isAccount = (text: string, digits: number): boolean =>
  /^[1-9]\d*$/.test(text) && text.length === digits
/** The first line whose account has not that many digits. */
export const wrongLength = (text: string, digits: number): string | undefined =>
  accountLines(text).find((line) => !isAccount(LINE.exec(line)?.[3] ?? '', digits))

/** Accounts by category and rate, as the table has them. */
export const accountsOf = (text: string): Record<string, string | DatevAccount> =>
  Object.fromEntries(
    accountLines(text).flatMap((line) => {
      const [found, category, rate, account = '', bu] = LINE.exec(line) ?? []
      return found === undefined
        ? []
        : [[`${category} ${rate}`, bu === undefined ? account : { konto: account, bu }]]
    }),
  )

/** Accounts of expenses with their own key: "3123 = 94", or "3400 = ohne" where the account knows its tax. */
const KEY_LINE = /^([1-9]\d{3,7}) = (ohne|\d{1,4})$/
export const keyList = (keys: Readonly<Record<string, string>>): string =>
  Object.entries(keys)
    .map(([account, key]) => `${account} = ${key === '' ? 'ohne' : key}`)
    .toSorted()
    .join('\n')
export const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/\s*[=:]\s*(?:BU ?)?/i, ' = ')
        .toLowerCase(),
    )
    .filter((line) => line !== '')
export const isKeyLine = (line: string): boolean => KEY_LINE.test(line)
export const keysOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    keyLines(text).flatMap((line) => {
      const [found, account = '', key = ''] = KEY_LINE.exec(line) ?? []
      return found === undefined ? [] : [[account, key === 'ohne' ? '' : key]]
    }),
  )
