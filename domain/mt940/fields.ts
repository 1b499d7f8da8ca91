// The fields of an MT940 file (SWIFT, in the form of the German banks) by their tags, each with its line.
import { CamtFault } from '../camt/statement.ts'

export interface Mt940Field {
  readonly tag: string
  /** Lines of the field, without their ends. */
  readonly lines: readonly string[]
  /** Counts from 1. */
  readonly zeile: number
}

/** Tags of MT940 and of its kin, MT942. Anything else behind a colon is text of the field before. */
const TAG = /^:(13D?|20|21|25|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]):(.*)$/
const ENVELOPE = /^\{1:[^}]*\}(?:\{[235]:[^}]*\}+)*(?:\{4:)?/

/** One list for each message of the file. Throws CamtFault. */
export function mt940Messages(text: string): Mt940Field[][] {
  const messages: Mt940Field[][] = []
  let lines: string[] | null = null
  text.split(/\r\n|\n|\r|@@/).forEach((raw, index) => {
    const line = raw.replace(ENVELOPE, '').replace(/^\{4:/, '')
    const found = TAG.exec(line)
    if (found !== null) {
      const [, tag = '', rest = ''] = found
      if (tag === '20' || messages.length === 0) messages.push([])
      messages.at(-1)!.push({ tag, lines: (lines = [rest]), zeile: index + 1 })
    } else if (/^-?\}?\s*$/.test(line)) lines = null
    else if (lines !== null) lines.push(line)
    else throw new CamtFault('mt940', String(index + 1))
  })
  return messages
}
