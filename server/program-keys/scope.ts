// What a program asks for in OAuth's scope: `lesen`, `schreiben`, and groups of tables. Without a group: all
// that the key opens.
import { KEY_GROUPS, type KeyGroup } from '#domain/zugang.ts'

export interface Scope {
  readonly schreiben: boolean
  /** Null: not narrowed. */
  readonly gruppen: readonly KeyGroup[] | null
}

const isGroup = (word: string): word is KeyGroup => (KEY_GROUPS as readonly string[]).includes(word)

export const SCOPE_WORDS: readonly string[] = ['lesen', 'schreiben', ...KEY_GROUPS]

/** Null: it has a word that means nothing here. */
export function parseScope(text: string): Scope | null {
  const words = text.split(' ').filter((word) => word !== '')
  if (words.length > SCOPE_WORDS.length || words.some((word) => !SCOPE_WORDS.includes(word))) return null
  const keyGroups = KEY_GROUPS.filter((group) => words.includes(group))
  return { schreiben: words.includes('schreiben'), gruppen: keyGroups.length === 0 ? null : keyGroups }
}

export const scopeText = ({ schreiben, gruppen }: Scope): string =>
  ['lesen', ...(schreiben ? ['schreiben'] : []), ...(gruppen ?? [])].join(' ')

/** `groups`: separated by spaces; null: not narrowed. */
export const scopeOfKey = (readsOnly: boolean, groups: string | null): Scope => ({
  schreiben: !readsOnly,
  gruppen: groups === null ? null : groups.split(' ').filter(isGroup),
})

/** Whether somebody who has `held` may be given `asked`. */
export const isWithin = (asked: Scope, held: Scope): boolean =>
  (held.schreiben || !asked.schreiben) &&
  (asked.gruppen ?? []).every((group) => held.gruppen === null || held.gruppen.includes(group))
