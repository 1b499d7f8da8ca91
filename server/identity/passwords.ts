// Passwords: what is accepted, and how they are stored and compared.
import { hash, verify } from '@node-rs/argon2'
import { foldAddress } from '#domain/mail-address.ts'
import { LaterRefusal } from '#server/errors.ts'
import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.ts'

/**
 * OWASP's minimum for argon2id, which is the library's default algorithm. Raising it here upgrades every
 * account at its next sign-in.
 */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const SHORTEST = 12
const LONGEST = 256
/** How many different characters must remain once common words, names and keyboard runs are removed. */
const OWN_CHARACTERS = 5
const WAITING_AT_MOST = 50
const AT_ONCE = 2
/** Of these places, so that nobody keeps all others from signing in. */
const SHARE = 6
const BUSY_S = 5

/** Thrown when so many sign-ins are waiting, or so many of one person, that another one would only make it worse. */
export class TooBusyRefusal extends LaterRefusal {
  constructor() {
    super('unavailable', BUSY_S)
  }
}

const waiting: (() => void)[] = []
let running = 0
const shares = new Map<string, number>()

/** `whose`: who has one share of the places; null for the server itself and for holders of one-time links. */
async function inTurn<T>(whose: string | null, work: () => Promise<T>): Promise<T> {
  if (whose === null) return inQueue(work)
  const taken = shares.get(whose) ?? 0
  if (taken >= SHARE) throw new TooBusyRefusal()
  shares.set(whose, taken + 1)
  try {
    return await inQueue(work)
  } finally {
    const left = (shares.get(whose) ?? 1) - 1
    if (left > 0) shares.set(whose, left)
    else shares.delete(whose)
  }
}

async function inQueue<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_AT_MOST) throw new TooBusyRefusal()
    await new Promise<void>((go) => waiting.push(go))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** Strangers who type an address share its places, and take none from browsers in which its owner signed in before. */
export const shareOf = (email: string, device: string | null): string =>
  `${foldAddress(email.trim())} ${device ?? ''}`

/** The same letter can be written in two ways in Unicode; both are the same password. */
const canonical = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string, whose: string | null = null): Promise<string> =>
  inTurn(whose, () => hash(canonical(password), STRENGTH))

// Compared against for unknown people, so that response times do not reveal who has an account.
let dummy: Promise<string> | null = null
const NOBODYS = 'this password belongs to nobody'

/** Called before the first unknown person signs in, whose answer would otherwise take twice as long. */
export async function prepareDummy(): Promise<void> {
  dummy ??= hashPassword(NOBODYS)
  await dummy
}

/** `whose`: the same for known and unknown people. */
export async function checkPassword(
  stored: string | null,
  password: string,
  whose: string | null = null,
): Promise<boolean> {
  if (password.length > LONGEST * 4) return false
  dummy ??= hashPassword(NOBODYS)
  const against = stored ?? (await dummy)
  const same = await inTurn(whose, () => verify(against, canonical(password)))
  return same && stored !== null
}

/** Whether a hash was made with less than today's strength. */
export function isOutdated(stored: string): boolean {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored)
  return found === null || Number(found[1]) < STRENGTH.memoryCost || Number(found[2]) < STRENGTH.timeCost
}

/**
 * What is wrong with a new password, in German, or null. `blocked`: words too close to the person or the
 * company.
 */
export function passwordFault(password: string, blocked: readonly string[] = []): string | null {
  const length = Array.from(canonical(password)).length
  if (length < SHORTEST)
    return (
      `Das Passwort ist zu kurz: Es braucht mindestens ${SHORTEST} Zeichen. ` +
      'Mehrere Wörter hintereinander lassen sich gut merken.'
    )
  if (length > LONGEST) return `Das Passwort ist zu lang: Es darf höchstens ${LONGEST} Zeichen haben.`
  if (/\p{Cc}/u.test(password))
    return 'Das Passwort enthält ein Steuerzeichen. Bitte geben Sie es von Hand ein.'
  if (isGuessable(password, blocked))
    return (
      'Das Passwort ist zu leicht zu erraten: Es besteht fast nur aus häufigen Wörtern, ' +
      'Namen oder Tastenfolgen. Bitte nehmen Sie ein anderes, zum Beispiel vier Wörter, ' +
      'die nichts miteinander zu tun haben.'
    )
  return null
}

const RUNS = [
  'qwertzuiopü',
  'qwertyuiop',
  'asdfghjklöä',
  'yxcvbnm',
  'zxcvbnm',
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb',
  '1q2w3e4r5t6z7u8i9o0p',
]
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function isGuessable(password: string, blocked: readonly string[]): boolean {
  const plain = canonical(password).toLowerCase()
  const read = Array.from(plain, (letter) => LEET[letter] ?? letter).join('')
  if (COMMON_PASSWORDS.has(plain) || COMMON_PASSWORDS.has(read)) return true
  const words = [...COMMON_WORDS, ...blocked.flatMap(partsOf)].sort((a, b) => b.length - a.length)
  return [plain, read].some((text) => ownCharacters(text, words) < OWN_CHARACTERS)
}

/** Parts of a name or an address that are long enough to be recognised. */
const partsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= 4)

/** Counts different characters outside common words, runs and repetitions. */
function ownCharacters(text: string, words: readonly string[]): number {
  let rest = text
  for (const word of words) rest = rest.replaceAll(word, ' ')
  for (const run of RUNS) rest = withoutRuns(withoutRuns(rest, run), backwards(run))
  rest = rest.replace(/(?:19|20)\d\d/g, ' ').replace(/(.{1,6}?)\1+/gsu, '$1')
  return new Set(rest.match(/[\p{L}\p{N}]/gu)).size
}

const backwards = (text: string) => Array.from(text).reverse().join('')

/** Removes every run of four or more neighbouring keys. */
function withoutRuns(text: string, run: string): string {
  let rest = text
  for (let length = run.length; length >= 4; length--) {
    for (let start = 0; start + length <= run.length; start++)
      rest = rest.replaceAll(run.slice(start, start + length), ' ')
  }
  return rest
}
