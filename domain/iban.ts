// International account numbers, ISO 13616: the length depends on the country, the check digits are those of
// ISO 7064 mod 97-10. SQL has the same rule; both are tested with iban.cases.json.

const LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20
  EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30
  KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23
  PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26
  UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/**
 * zeichen: not two letters, two digits, then letters and digits (German ones: only digits) · land: not in the
 * register · laenge: wrong for the country · pruefziffer: mistyped.
 */
export type IbanFault = 'zeichen' | 'land' | 'laenge' | 'pruefziffer'

/** Storage format: without blanks and hyphens, in capital letters. */
export const normalizeIban = (text: string): string => text.replaceAll(/[\s\u00A0-]/g, '').toUpperCase()
/** Printed format: in groups of four. */
export const formatIban = (text: string): string => normalizeIban(text).replaceAll(/(.{4})(?=.)/g, '$1 ')

/** For documents that others may see: country and check digits, and the last four signs. */
export const maskIban = (text: string): string => {
  const iban = normalizeIban(text)
  return `${iban.slice(0, 4)} … ${iban.slice(-4)}`
}

/**
 * Remainder of a text whose letters count as A = 10 … Z = 35, digit by digit, because the value is too large
 * for a Number.
 */
export function mod97(text: string): number {
  let remainder = 0
  for (const sign of text) {
    const value = Number.parseInt(sign, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

/** 00, 01 and 99 leave the same remainders as 97, 98 and 02 and are never assigned. */
export const isCheckPair = (digits: string): boolean =>
  /^\d\d$/.test(digits) && Number(digits) >= 2 && Number(digits) <= 98

export function ibanFault(text: string): IbanFault | null {
  const iban = normalizeIban(text)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) || (iban.startsWith('DE') && !/^DE\d+$/.test(iban)))
    return 'zeichen'
  const length = LENGTHS[iban.slice(0, 2)]
  if (length === undefined) return 'land'
  if (iban.length !== length) return 'laenge'
  return isCheckPair(iban.slice(2, 4)) && mod97(iban.slice(4) + iban.slice(0, 4)) === 1 ? null : 'pruefziffer'
}

/** ISO 9362: bank, country, place and optional branch. */
export const isBic = (text: string): boolean => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text)
