// Builds HTML: everything inserted is escaped, except what `html` itself produced.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | readonly Html[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** XML allows two signs nowhere; one in a name would make a whole document unreadable. */
const escaped = (text: string) => text.replace(/[&<>"'\ufffe\uffff]/g, (letter) => ENTITIES[letter] ?? '')

function textOf(part: Part): string {
  if (part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  return escaped(String(part))
}

export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(pieces.reduce((text, piece, nr) => text + textOf(parts[nr - 1] ?? null) + piece))
}
