// Makes text from names and forms safe for a mail: nothing in it begins a header, hides, or turns the
// direction of what follows.

/** Marks that change the direction of writing: "fdp.exe" can be made to read "exe.pdf". */
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const LINE_END = /\r\n?|[\u0085\u2028\u2029\v\f]/g
const SUBJECT_MAX = 200

/** Lines stay lines; other control characters go. */
export const plainText = (text: string): string =>
  text
    .replaceAll(DIRECTION, '')
    .replaceAll(LINE_END, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '')

/** For subjects, headings, names and labels. In a header "=?" would begin letters in a code. */
export const oneLine = (text: string): string =>
  [
    ...text
      .replaceAll(DIRECTION, '')
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll('=?', '= ?'),
  ]
    .slice(0, SUBJECT_MAX)
    .join('')
    .trim()
