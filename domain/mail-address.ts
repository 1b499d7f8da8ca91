// Which e-mail addresses are equal. SQL has the same rule (accounts.fold_address); both are tested with
// mail-address.cases.json.

/**
 * Only folds A to Z and normalises nothing: toLowerCase() and NFC also turn U+212A (KELVIN SIGN) into a k, so
 * somebody else's address would be taken for ours.
 */
export const foldAddress = (address: string): string =>
  address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
