// A body: read and checked for depth and shape here. JSON is passed to PostgreSQL unchanged, so that no digit
// of a number is lost; CSV and forms become JSON of texts, which the columns' types then read.
import { badBody, nulCharacter } from './faults.ts'
import { checkCap, type Limits } from './limits.ts'
import type { BodyType } from './parse-media.ts'
import { csvObjects } from './parse-csv.ts'
import { formPairs } from './parse-form.ts'

export interface Payload {
  /** The whole body as JSON; one parameter of the statement. */
  readonly text: string
  readonly shape: 'object' | 'array'
  readonly rows: number
  /** Keys of the object, or those of every object; null if the objects differ in their keys. */
  readonly keys: readonly string[] | null
}

/** What a function is called with. */
export interface CallPayload extends Payload {
  /** The body as one value, for a function with one unnamed parameter; null for a form. */
  readonly whole: { readonly type: BodyType; readonly value: string | Uint8Array } | null
  /** False: the body names no arguments. */
  readonly named: boolean
  /** Fields of a form, which are arguments as text. */
  readonly pairs: readonly { readonly name: string; readonly value: string }[] | null
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The rows of a write. */
export function parsePayload(bytes: Uint8Array, limits: Limits, type: BodyType = 'json'): Payload {
  const text = decodeText(bytes)
  if (type === 'csv') return csvPayload(text, limits)
  if (type === 'form') return formPayload(text, limits)
  const value = parseJson(text, limits)
  if (Array.isArray(value)) {
    checkCap(limits, 'writtenRows', value.length)
    return { text, shape: 'array', rows: value.length, keys: sharedKeys(value) }
  }
  if (!isObject(value))
    throw badBody('Empty or invalid json', 'the body must be an object or an array of objects')
  return { text, shape: 'object', rows: 1, keys: Object.keys(value) }
}

/** The arguments of a call; a call without a body is one without arguments. */
export function parseCallPayload(bytes: Uint8Array, limits: Limits, type: BodyType): CallPayload {
  const nothing = { text: '{}', shape: 'object' as const, rows: 1, keys: [] }
  if (type === 'bytes') return { ...nothing, whole: { type, value: bytes }, named: false, pairs: null }
  const text = decodeText(bytes)
  if (type === 'text' || type === 'xml') {
    if (text.includes('\0')) throw nulCharacter()
    return { ...nothing, whole: { type, value: text }, named: false, pairs: null }
  }
  if (type === 'form') {
    const pairs = formPairs(text, limits)
    return { ...nothing, keys: [...new Set(pairs.map(({ name }) => name))], whole: null, named: true, pairs }
  }
  if (text === '') return { ...nothing, whole: { type, value: '{}' }, named: true, pairs: null }
  const value = parseJson(text, limits)
  const named = isObject(value)
  const keys = named ? Object.keys(value) : []
  return { ...nothing, text, keys, whole: { type, value: text }, named, pairs: null }
}

function csvPayload(text: string, limits: Limits): Payload {
  const { names, objects } = csvObjects(text, limits)
  return { text: JSON.stringify(objects), shape: 'array', rows: objects.length, keys: names }
}

function formPayload(text: string, limits: Limits): Payload {
  // A map, because a field may be called __proto__.
  const fields = new Map(formPairs(text, limits).map(({ name, value }) => [name, value]))
  const json = [...fields].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return { text: `{${json.join(',')}}`, shape: 'object', rows: 1, keys: [...fields.keys()] }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw badBody('Empty or invalid json', 'the body is not valid UTF-8')
  }
}

function parseJson(text: string, limits: Limits): unknown {
  checkDepth(text, limits.jsonDepth)
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
