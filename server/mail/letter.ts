// What a mail says, apart from what it looks like.
import type { Letterhead } from './letterhead.ts'

export type Language = 'de' | 'en'

export interface Button {
  readonly label: string
  readonly link: string
}

/** `text` may have several lines. Addresses of pages in it become links only where the office `wrote` it. */
export type Block =
  | { readonly kind: 'text'; readonly text: string; readonly wrote?: 'office' }
  | ({ readonly kind: 'button' } & Button)
  | { readonly kind: 'items'; readonly items: readonly { readonly text: string; readonly link: string }[] }

export interface Letter {
  readonly language: Language
  readonly subject: string
  /** Stands above the text; the subject unless given. */
  readonly heading?: string
  readonly blocks: readonly Block[]
  /** Why it was sent and where that is changed, in small print. */
  readonly reason?: { readonly text: string; readonly link: string }
}

export interface Sender {
  /** In the coloured bar at the top. */
  readonly name: string
  /** Null: it has not been entered yet. */
  readonly letterhead: Letterhead | null
  readonly support?: { readonly phone: string; readonly hours: string } | null | undefined
}

export interface WrittenLetter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const paragraph = (text: string): Block => ({ kind: 'text', text })
/** What a person of the office wrote for this mail. */
export const written = (text: string): Block => ({ kind: 'text', text, wrote: 'office' })
export const button = (label: string, link: string): Block => ({ kind: 'button', label, link })

/** A letter whose texts can be inserted as they are. */
export interface CleanLetter extends Letter {
  readonly heading: string
  readonly sender: string
  /** Parts of several lines each. */
  readonly foot: readonly (readonly string[])[]
}
