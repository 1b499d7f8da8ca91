// Which e-mail addresses are the same. The same rule stands in SQL (rechte.fold_address); both are tried on mail-address.cases.json.

/**
 * Only A to Z are folded, and nothing is normalised: toLowerCase() and NFC also turn U+212A (KELVIN SIGN) into a k,
 * so that somebody else's address would be taken for ours.
 */
export const foldAddress = (address: string): string =>
  address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
