// Names for the codes of a habitat tree on German documents.
import type { Choices } from '../fields.ts'
import { FIX, LOSS, MARK, METHOD, STATE, STATUS } from './choices.ts'

const wordOf =
  (choices: Choices) =>
  (code: string): string =>
    choices[code]?.label ?? code
export const stateWord = wordOf(STATE)
export const statusWort = wordOf(STATUS)
export const markWord = wordOf(MARK)
export const fixWord = wordOf(FIX)
export const methodWord = wordOf(METHOD)
export const lossWord = wordOf(LOSS)
