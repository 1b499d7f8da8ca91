// Where SEPA reaches (EPC409-09), by the first two letters of an IBAN. The same in SQL: books.is_sepa_account and
// books.is_debit_account; both are tested with area.cases.json.
import { isEuCountry } from '../countries.ts'

/** Beside the EU: states of the European Economic Area. */
const BESIDE_EU: ReadonlySet<string> = new Set(['IS', 'LI', 'NO'])
/** States and territories outside of it that take part, with their own IBANs. */
const OTHERS: ReadonlySet<string> = new Set('AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '))

const countryOf = (iban: string): string => iban.slice(0, 2)
/** Monaco belongs to the EU for turnover tax alone. */
const isInArea = (country: string): boolean =>
  (isEuCountry(country) && country !== 'MC') || BESIDE_EU.has(country)

/** Whether a credit transfer of SEPA reaches the account. */
export const isSepaAccount = (iban: string): boolean =>
  isInArea(countryOf(iban)) || OTHERS.has(countryOf(iban))
/**
 * Whether a direct debit collects from the account by its IBAN alone. Outside of the EEA the rules demand the BIC and
 * the debtor's address in the order as well, which a mandate here does not have.
 */
export const isDebitAccount = (iban: string): boolean => isInArea(countryOf(iban))
