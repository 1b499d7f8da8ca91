// What is in the text of a note: the name that is being typed after an @, and the people named.

interface Named {
  readonly user_id: number
  readonly name: string
}

/** The start of an @ and what is typed behind it, up to the caret; null if nobody is being named there. */
export function mentionAt(
  text: string,
  caret: number,
): { readonly start: number; readonly search: string } | null {
  const found = /(?:^|[\s(])@([^\s@][^@\n]{0,39})?$/.exec(text.slice(0, caret))
  if (found === null) return null
  const search = found[1] ?? ''
  return { start: caret - search.length - 1, search }
}

/** The text with the name in place of what was typed, and where the caret is then. */
export function withMention(
  text: string,
  { start, caret, name }: { readonly start: number; readonly caret: number; readonly name: string },
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, start)}@${name} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}

/** Whether this name and not a longer one is here. */
const standsAt = (text: string, at: number, name: string): boolean =>
  text.startsWith(`@${name}`, at) &&
  !/^(?:[\p{L}\p{N}]|-[\p{L}\p{N}])/u.test(text.slice(at + 1 + name.length))

function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(`@${name}`); at >= 0; at = text.indexOf(`@${name}`, at + 1))
    if (standsAt(text, at, name)) return true
  return false
}

/** Each once, and only those whose name is still in the text. */
export function namedIn<P extends Named>(text: string, people: readonly P[]): readonly P[] {
  const once = new Map(people.map((person) => [person.user_id, person]))
  return [...once.values()].filter(({ name }) => isNamed(text, name))
}

export interface TextPart {
  readonly text: string
  readonly isName: boolean
}
/** The text in parts, so that names can be shown as such. The longest name at a place counts. */
export function partsOf(text: string, people: readonly Named[]): readonly TextPart[] {
  const names = people.map(({ name }) => name).toSorted((a, b) => b.length - a.length)
  const parts: TextPart[] = []
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const name = text[at] === '@' ? names.find((one) => standsAt(text, at, one)) : undefined
    if (name === undefined) {
      plain += text[at]
      at += 1
      continue
    }
    if (plain !== '') parts.push({ text: plain, isName: false })
    plain = ''
    parts.push({ text: `@${name}`, isName: true })
    at += 1 + name.length
  }
  return plain === '' ? parts : [...parts, { text: plain, isName: false }]
}
