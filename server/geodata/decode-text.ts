// Bytes of a foreign file as text, in any of the encodings a person may choose, and a guess at which one it is.
import iconv from 'iconv-lite'
import { CHARACTER_SETS, type TextEncoding } from '#domain/text-encoding.ts'

/** A letter that was cut in half at the end is dropped; whatever else cannot be read becomes U+FFFD. */
export function decodeText(bytes: Buffer, encoding: TextEncoding): string {
  if (!isBeyondAscii(bytes)) return bytes.toString('latin1')
  const text = iconv.decode(bytes, encoding, { stripBOM: false })
  return encoding === 'utf-8' ? text.replace(/\uFFFD+$/, '') : text
}

/**
 * Excel's "Unicode text" and what PowerShell redirects: by its mark, else because half of the bytes of its ASCII
 * letters are zero, and always the same half.
 * @param head the beginning of a file
 */
export function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const part = head.subarray(0, 1_000)
  const zeros = (half: 0 | 1): number => part.filter((byte, at) => byte === 0 && at % 2 === half).length
  const [first, second] = [zeros(0), zeros(1)]
  if (second > part.length / 4 && first === 0) return 'utf-16le'
  return first > part.length / 4 && second === 0 ? 'utf-16be' : null
}

/** By way of a string, because a loop over the bytes takes twenty times as long. */
export const isBeyondAscii = (bytes: Buffer): boolean => /[\u0080-\u00FF]/.test(bytes.toString('latin1'))

/** ä ö ü Ä Ö Ü ß in the code pages of DOS and of Windows. Nearly all German text beyond ASCII is these. */
const DOS = new Set([0x84, 0x94, 0x81, 0x8e, 0x99, 0x9a, 0xe1])
const WINDOWS = new Set([0xe4, 0xf6, 0xfc, 0xc4, 0xd6, 0xdc, 0xdf])

/**
 * Guesses from bytes beyond ASCII. Text of a code page is practically never valid UTF-8, so that is asked first.
 * @param texts parts of the file that hold text
 */
export function guessEncoding(texts: Iterable<Buffer>): TextEncoding {
  let isUtf8 = true
  let dos = 0
  let windows = 0
  for (const text of texts) {
    if (!isBeyondAscii(text)) continue
    for (const byte of text) {
      if (DOS.has(byte)) dos += 1
      if (WINDOWS.has(byte)) windows += 1
    }
    if (isUtf8)
      try {
        // A field of a fixed width may end within a letter.
        new TextDecoder('utf-8', { fatal: true }).decode(text, { stream: true })
      } catch {
        isUtf8 = false
      }
  }
  if (isUtf8) return 'utf-8'
  return dos > windows ? 'cp850' : 'windows-1252'
}

const [SHOWN_TEXTS, SHOWN_LETTERS] = [3, 40]

/** The same few texts in each encoding, so that people see which one is right. */
export function inEachEncoding(texts: readonly Buffer[]): Record<string, string[]> {
  const different = [...new Map(texts.map((text) => [text.toString('latin1').trim(), text])).values()]
  return Object.fromEntries(
    CHARACTER_SETS.map((encoding) => [
      encoding,
      different
        .slice(0, SHOWN_TEXTS)
        .map((text) => decodeText(text, encoding).trim().slice(0, SHOWN_LETTERS)),
    ]),
  )
}

/**
 * The first cells of a text table that have letters beyond ASCII, each text once. What separates cells and lines
 * is the same byte in all of the encodings.
 */
export function foreignCells(bytes: Buffer, delimiter: string): Buffer[] {
  const text = bytes.toString('latin1')
  const found = new Set<string>()
  const ends = new Set([delimiter, '"', '\r', '\n'])
  const foreign = /[\u0080-\u00FF]/g
  while (found.size < SHOWN_TEXTS && foreign.test(text)) {
    const at = foreign.lastIndex - 1
    let [start, end] = [at, at]
    while (start > 0 && at - start < SHOWN_LETTERS && !ends.has(text[start - 1]!)) start -= 1
    while (end < text.length && end - at < SHOWN_LETTERS && !ends.has(text[end]!)) end += 1
    found.add(text.slice(start, end).trim())
    foreign.lastIndex = end
  }
  return [...found].map((cell) => Buffer.from(cell, 'latin1'))
}
