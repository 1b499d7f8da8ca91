// Refuses statements too deep or too large for the embedded engine before they reach it: they could overflow
// its stack.
import { DatabaseFault, type Statement } from './database.ts'

/** The HTTP side refuses far earlier (32 levels, 1 MiB); this is only the last safeguard. */
const MAX_DEPTH = 500
const MAX_BYTES = 32 * 2 ** 20

/** Throws 54000 or 54001, as PostgreSQL itself does when a limit is exceeded. */
export function checkComplexity(statement: Statement): void {
  let size = statement.text.length
  if (nesting(statement.text) > MAX_DEPTH) throw tooComplex()
  for (const value of statement.values ?? []) {
    if (typeof value === 'string') {
      size += value.length
      if (nesting(value) > MAX_DEPTH) throw tooComplex()
    } else if (value instanceof Uint8Array) size += value.length
    else if (typeof value === 'object' && value !== null) {
      const text = toText(value)
      size += text.length
      if (nesting(text) > MAX_DEPTH) throw tooComplex()
    }
  }
  if (size > MAX_BYTES)
    throw new DatabaseFault(`a statement of ${size} characters is larger than the limit`, { code: '54000' })
}

/**
 * Deepest nesting of brackets. Brackets inside strings count too, which only makes the check stricter. Short
 * texts cannot be deep.
 */
function nesting(text: string): number {
  if (text.length < MAX_DEPTH) return 0
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b || code === 0x28) {
      depth++
      if (depth > deepest) deepest = depth
    } else if ((code === 0x5d || code === 0x7d || code === 0x29) && depth > 0) depth--
  }
  return deepest
}

function toText(value: object): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    throw tooComplex()
  }
}

const tooComplex = () => new DatabaseFault('nested too deeply', { code: '54001' })
