// What the form of the first set-up asks for.
export interface SetUpInput {
  readonly vorname: string
  readonly nachname: string
  readonly email: string
  readonly password: string
  readonly repeated: string
}

const LONGEST_NAME = 100

/** What is wrong with the first admin's name and address, as a sentence; null if nothing is. */
export function personFault({
  vorname,
  nachname,
  email,
}: Pick<SetUpInput, 'vorname' | 'nachname' | 'email'>): string | null {
  const isName = (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text)
  if (vorname.trim().length > LONGEST_NAME || nachname.trim().length > LONGEST_NAME)
    return `Vor- und Nachname dürfen je höchstens ${LONGEST_NAME} Zeichen haben.`
  if (!isName(vorname)) return 'Bitte geben Sie Ihren Vornamen an.'
  if (!isName(nachname)) return 'Bitte geben Sie Ihren Nachnamen an.'
  if (!isEmail(email))
    return 'Bitte geben Sie eine vollständige E-Mail-Adresse an, zum Beispiel name@firma.de.'
  return null
}

/** The same rule as checks.is_email. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 &&
  /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/.test(text) &&
  !/\p{Cc}/u.test(text)
