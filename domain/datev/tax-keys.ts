// Tax keys (BU-Schlüssel) of the settings that would book the wrong tax. Only the keys of turnover tax and input
// tax that have stood in DATEV's list for decades are known here; every other key is the adviser's business.
import type { DatevAccount, DatevFault, DatevSettings } from './job.ts'

/** Which category and rate a key of turnover tax belongs to. */
const KEYS: Readonly<Record<string, string>> = { '2': 'S 7.00', '3': 'S 19.00' }
/** Input tax: never on revenue. */
const INPUT_TAX = new Set(['8', '9'])

const keyOf = (account: string | DatevAccount): string =>
  typeof account === 'string' ? '' : account.bu.replace(/^0+/, '')

function isWrong(group: string, key: string): boolean {
  if (INPUT_TAX.has(key)) return true
  return key in KEYS && KEYS[key] !== group
}

export const keyFaults = ({
  revenueAccounts,
  skontoAccounts = {},
  advanceAccounts = {},
}: DatevSettings): DatevFault[] =>
  [revenueAccounts, skontoAccounts, advanceAccounts]
    .flatMap(Object.entries<string | DatevAccount>)
    .flatMap(([group, account]) => {
      const key = keyOf(account)
      return isWrong(group, key)
        ? [
            {
              nummer: '',
              code: 'schluessel',
              severity: 'fehler',
              text:
                `Der Steuerschlüssel ${key} passt nicht zu ${group}. ` +
                'Bitte in den Einstellungen berichtigen oder weglassen.',
            } as const,
          ]
        : []
    })
