// Whether two names mean the same payer.

const FOLDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o' }
const NO_NAME: ReadonlySet<string> = new Set(
  (
    'gmbh mbh ag kg ohg gbr ug haftungsbeschraenkt ev eg co und der die das von vom zu zum zur herr ' +
    'frau dr prof dipl ing firma fa'
  ).split(' '),
)
/** Words of a name as banks write them: without umlauts, legal forms and titles. */
export function nameWords(name: string): ReadonlySet<string> {
  const plain = name
    .toLowerCase()
    .replaceAll(/[äöüßæø]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
  return new Set(plain.split(/[^\p{L}\d]+/u).filter((word) => word.length > 2 && !NO_NAME.has(word)))
}
/** All words of the shorter name are in the longer one: at least two of them, or a long one. */
export function isSameName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one]
  if (few.size === 0 || ![...few].every((word) => many.has(word))) return false
  return few.size > 1 || [...few][0]!.length > 6 || many.size === 1
}
