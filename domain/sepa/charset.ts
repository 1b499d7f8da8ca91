// The characters that every bank of the SEPA area accepts (EPC217-08): Latin letters without accents, digits and
// a few signs. Other characters are written with them, as German banks recommend.

const WRITTEN: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  Œ: 'OE',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '&': '+',
  '€': 'EUR',
  '–': '-',
  '—': '-',
  _: '-',
  '’': "'",
  '‘': "'",
  ';': ',',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
}
const ALLOWED = /[A-Za-z0-9/\-?:().,'+ ]/

/** One line of at most so many characters; what cannot be written becomes a blank. */
export function sepaText(text: string, longest: number): string {
  const letters = Array.from(text.normalize('NFC'), (letter) => {
    const written = WRITTEN[letter] ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, '')
    return Array.from(written, (sign) => (ALLOWED.test(sign) ? sign : ' ')).join('')
  })
  return letters.join('').replaceAll(/ +/g, ' ').trim().slice(0, longest).trim()
}

/** A reference of ours: no blanks, no slash at either end and not two in a row. */
export const isSepaReference = (text: string): boolean =>
  /^[A-Za-z0-9\-?:().,'+/]{1,35}$/.test(text) && !/^\/|\/$|\/\//.test(text)
