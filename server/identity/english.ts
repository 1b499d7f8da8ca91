// The sign-in pages in English. The German text is the key, as in the application; pages are written in German
// and translated as a whole, text by text.
import texts from './english.json' with { type: 'json' }

/** `{x}` stands for anything that is inserted, such as an address. */
export const ENGLISH: Readonly<Record<string, string>> = texts

const PLACE = /\{(\w+)\}/g
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Texts with something inserted, longest first, so that the most particular one is taken. */
const PATTERNS = Object.entries(ENGLISH)
  .filter(([german]) => german.includes('{'))
  .sort(([a], [b]) => b.length - a.length)
  .map(([german, english]) => ({
    pattern: new RegExp(
      `^${german
        .split(PLACE)
        .map((part, at) => (at % 2 === 0 ? escaped(part) : '(.+)'))
        .join('')}$`,
      'su',
    ),
    names: [...german.matchAll(PLACE)].map(([, name]) => name),
    english,
  }))

/** The English text; null if there is none, as for names and addresses. */
export function englishOf(german: string): string | null {
  const text = german.replaceAll(/\s+/g, ' ').trim()
  const whole = Object.hasOwn(ENGLISH, text) ? ENGLISH[text] : undefined
  if (whole !== undefined) return whole
  for (const { pattern, names, english } of PATTERNS) {
    const found = pattern.exec(text)
    if (found !== null)
      return english.replaceAll(PLACE, (_, name: string) => {
        const inserted = found[names.indexOf(name) + 1] ?? ''
        return englishOf(inserted) ?? inserted
      })
  }
  return null
}

/** The texts of a page between its tags and in its alternative texts; everything else stays. */
export const inEnglish = (page: string): string =>
  page.replaceAll(/(>|\balt=")([^<>"]+)(?=[<"])/g, (whole, before: string, text: string) => {
    const english = englishOf(text)
    if (english === null) return whole
    const [, lead = '', trail = ''] = /^(\s*)[\s\S]*?(\s*)$/.exec(text) ?? []
    return `${before}${lead}${english}${trail}`
  })
