// Bodies of the type application/x-www-form-urlencoded.
import { badBody, nulCharacter } from './faults.ts'
import { checkCap, type Limits } from './limits.ts'

export interface FormPair {
  readonly name: string
  readonly value: string
}

export function formPairs(text: string, limits: Limits): readonly FormPair[] {
  const pieces = text.split('&').filter((piece) => piece !== '')
  checkCap(limits, 'queryPairs', pieces.length)
  return pieces.map((piece) => {
    const equals = piece.indexOf('=')
    const name = decode(equals === -1 ? piece : piece.slice(0, equals))
    const value = equals === -1 ? '' : decode(piece.slice(equals + 1))
    if (name.includes('\0') || value.includes('\0')) throw nulCharacter()
    return { name, value }
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badBody('Invalid form', 'a percent sign is not followed by valid UTF-8')
  }
}
