// What faults say to programs, in both languages: the sentences of the screens. words.json is written by
// web/texts/import-words.test.ts, which compares it with theirs.
import words from './words.json' with { type: 'json' }

export type Language = 'de' | 'en'
type Said = Readonly<Record<Language, string>>
const WORDS: Readonly<Record<string, Readonly<Record<string, Said>>>> = words

/** English if the caller prefers it to German (Accept-Language); otherwise German. */
export function languageOf(header: string | undefined): Language {
  let [best, quality] = ['de' as Language, 0]
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [, name, q = '1'] = /^\s*(de|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(part) ?? []
    if (name !== undefined && Number(q) > quality)
      [best, quality] = [name.toLowerCase() as Language, Number(q)]
  }
  return best
}

/** The sentence of a code; that of "a value is not right" if it is new. */
export function sayIn(
  language: Language,
  kind: string,
  code: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const said = WORDS[kind]?.[code] ?? WORDS['datei']![code] ?? WORDS['baum']!['habitat_wert']!
  return said[language].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** English for a refusal with a code, as far as there is one. */
export function translated(
  language: Language,
  german: string,
  { kind, code, values }: { kind: string; code: string; values: Readonly<Record<string, string | number>> },
): string {
  if (language === 'de') return german
  const said = WORDS[kind]?.[code] ?? WORDS['datei']![code] ?? WORDS['antwort']![code]
  return said === undefined
    ? german
    : sayIn(language, WORDS[kind]?.[code] ? kind : WORDS['datei']![code] ? 'datei' : 'antwort', code, values)
}
