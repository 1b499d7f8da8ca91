// A JSON body: checked for depth and shape here, but passed to PostgreSQL unchanged, so that no digit of a
// number is lost.
import { badBody } from './faults.ts'
import { checkCap, type Limits } from './limits.ts'

export interface Payload {
  /** The whole body; one parameter of the statement. */
  readonly text: string
  readonly shape: 'object' | 'array'
  readonly rows: number
  /** Keys of the object, or those of every object; null if the objects differ in their keys. */
  readonly keys: readonly string[] | null
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function parsePayload(bytes: Uint8Array, limits: Limits): Payload {
  const text = decodeText(bytes)
  checkDepth(text, limits.jsonDepth)
  const value = parseJson(text)
  if (Array.isArray(value)) {
    checkCap(limits, 'writtenRows', value.length)
    return { text, shape: 'array', rows: value.length, keys: sharedKeys(value) }
  }
  if (!isObject(value))
    throw badBody('Empty or invalid json', 'the body must be an object or an array of objects')
  return { text, shape: 'object', rows: 1, keys: Object.keys(value) }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw badBody('Empty or invalid json', 'the body is not valid UTF-8')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The engine's message quotes the body, which may be personal data and helps nobody.
    throw badBody('Empty or invalid json')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sharedKeys(values: readonly unknown[]): readonly string[] | null {
  let first: readonly string[] | null = null
  let same = true
  for (const value of values) {
    if (!isObject(value))
      throw badBody('Empty or invalid json', 'every element of the array must be an object')
    const keys = Object.keys(value)
    if (first === null) first = keys
    else if (keys.length !== first.length || !first.every((key) => Object.hasOwn(value, key))) same = false
  }
  return same ? (first ?? []) : null
}

const QUOTE = 34
const BACKSLASH = 92

/** Runs before anything recursive sees the text: some engines fail silently on deep JSON. */
export function checkDepth(text: string, limit: number): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === BACKSLASH) at++
      else if (char === QUOTE) inString = false
    } else if (char === QUOTE) inString = true
    else if (char === 123 || char === 91) {
      if (++depth > limit)
        throw badBody('Empty or invalid json', `the body is nested deeper than ${limit} levels`)
    } else if (char === 125 || char === 93) depth--
  }
}
