// The creditor identifier (Gläubiger-ID, EPC262-08): country, check digits, three letters or digits for the
// business that do not count for the check, and the national number; in Germany 18 characters in all. The same
// check in SQL: checks.creditor_id_fault; both are tested with creditor-id.cases.json.

import { isCheckPair, mod97 } from '../iban.ts'

export type CreditorIdFault = 'form' | 'laenge' | 'pruefziffer'

export const normalizeCreditorId = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase()

export function creditorIdFault(text: string): CreditorIdFault | null {
  const id = normalizeCreditorId(text)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(id)) return 'form'
  if (id.startsWith('DE') && !/^DE\d{2}[A-Z0-9]{3}\d{11}$/.test(id)) return 'laenge'
  return isCheckPair(id.slice(2, 4)) && mod97(id.slice(7) + id.slice(0, 4)) === 1 ? null : 'pruefziffer'
}
