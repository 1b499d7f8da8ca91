// A thousand unwelcome texts, always the same: scripts, direction marks, formulas, emoji, look-alikes, broken
// and endless words.
import { makeRandom } from '../db/seeds/random.ts'

/** Each would set HIT if it ran. */
export const MARKS = [
  '<script>globalThis.HIT=1</script>',
  '<img src=x onerror=globalThis.HIT=1>',
  '"><script>globalThis.HIT=1</script>',
  "'-globalThis.HIT=1-'",
  'javascript:globalThis.HIT=1',
  '</title><script>globalThis.HIT=1</script>',
  '{{constructor.constructor("globalThis.HIT=1")()}}',
  '${globalThis.HIT=1}',
  '<details open ontoggle=globalThis.HIT=1>',
  '<base href="//forst.example/">',
]

/** Each would set HIT, fetch something or leave an element behind if it ran. */
const SCRIPTS = [
  ...MARKS,
  '<svg/onload=globalThis.HIT=1>',
  '<iframe srcdoc="<script>parent.HIT=1</script>">',
  '<math><mi xlink:href="javascript:globalThis.HIT=1">',
  '<link rel=stylesheet href=//forst.example/x.css>',
  '<a href="&#106;avascript:globalThis.HIT=1">x</a>',
  '%3Cscript%3EglobalThis.HIT=1%3C/script%3E',
  '\\u003cscript>globalThis.HIT=1\\u003c/script>',
  "'; drop table app.kunde; --",
  '../../../../etc/passwd',
  '{name} {n} {who} {when}',
  '__proto__',
  'constructor',
  'undefined',
  'null',
  'NaN',
]
const FORMULAS = [
  "=cmd|' /C calc'!A0",
  '=1+1',
  '+49 341 1',
  '-2+3',
  '@SUM(A1)',
  '＝1+1',
  '=HYPERLINK("http://forst.example";"x")',
]
const DIRECTIONS = [
  '\u202Egnp.exe',
  '\u2067rechts\u2069',
  'a\u200Fb\u200Fc',
  'שלום עולם',
  'مرحبا بالعالم',
  '\u202A\u202B\u202D\u202E',
]
const WORDS = [
  '👩🏽‍🌾🌲🌳🪵',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'Ẑ͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  'ÄÖÜäöüßẞ',
  'ﬁﬂŒœÆæ',
  '𝕱𝖔𝖗𝖘𝖙',
  'Ⅻ①½㎡',
  'ａｂｃ',
  'W'.repeat(190),
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsurkunde',
  'a b c d e f g',
  '。。。',
  '\u200B\u200Bx\u200B',
  'x\u00A0y\u2003z',
  '&amp;&lt;&quot;',
  'O\'Brien "Bob" `x`',
  'a;b,c\tzählt'.replace('\t', ' '),
  '\uFEFFBOM',
  'A\u0308 und Ä',
  '1e309',
  '0x1F',
  '00123',
  '2026-11-21',
  'true',
]

/**
 * Single-line texts of at most 200 characters without control characters, which the fields refuse; other
 * tests cover those.
 */
export function hostileStrings(count: number): string[] {
  const random = makeRandom(4711)
  const all = [...SCRIPTS, ...FORMULAS, ...DIRECTIONS, ...WORDS].map((text) => text.trim())
  const found = new Set<string>(all)
  while (found.size < count) {
    const text = random
      .sample(all, random.int(2, 3))
      .join(random.pick(['', ' ', '"', "'", '>', ';', '\u202E']))
    const line = Array.from(text).slice(0, 200).join('').trim()
    if (line.length <= 200 && line !== '') found.add(line)
  }
  return [...found].slice(0, count)
}
