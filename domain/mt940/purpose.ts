// Field :86: of the German banks: a code of the kind of booking, then fields ?00 to ?63 in which purpose,
// references, name and account of the other side are split into pieces of 27 characters.
import { oneLine } from '../camt/xml.ts'

interface Mt940Details {
  /** Geschäftsvorfallcode; empty if the field is free text. */
  readonly code: string
  readonly text: string
  readonly name: string
  readonly konto: string
  readonly zweck: string
  readonly eref: string
}

const STRUCTURED = /^(?:(\d{3})([?<>@~&|^!%$#*])|(\?))(?=\d\d)/
const WIDTH = 27
const LABEL = /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|IBAN|BIC|RREF|SQTP)(?:\+|:\s)/
const LABELS = new RegExp(`(?<![A-Z])${LABEL.source}`, 'g')
const NOT_PROVIDED: ReadonlySet<string> = new Set(['', 'NOTPROVIDED', 'NICHTANGEGEBEN', 'NONREF'])

/** A full piece continues in the next one; the bank has cut blanks off the end of a shorter one. */
const joined = (pieces: readonly string[]): string =>
  pieces.reduce(
    (text, piece, at) =>
      text +
      (at > 0 && pieces[at - 1]!.length < WIDTH && text !== '' && !text.endsWith(' ') ? ' ' : '') +
      piece,
    '',
  )

/**
 * Texts by their labels (EREF+ … SVWZ+ …); what comes before the first one has none, and neither has what
 * follows an account or a bank, which are one word.
 */
function labelled(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(LABELS)]
  const parts = new Map([['', oneLine(text.slice(0, found[0]?.index ?? text.length))]])
  found.forEach((hit, at) => {
    const label = hit[1]!
    const value = oneLine(text.slice(hit.index + hit[0].length, found[at + 1]?.index ?? text.length))
    const end = label === 'IBAN' || label === 'BIC' ? value.search(/ |$/) : value.length
    if (!parts.has(label)) parts.set(label, value.slice(0, end))
    parts.set('', oneLine(`${parts.get('')!} ${value.slice(end)}`))
  })
  return parts
}

export function detailsOf(lines: readonly string[]): Mt940Details {
  const whole = lines.join('')
  const head = STRUCTURED.exec(whole)
  if (head === null) {
    const parts = labelled(lines.join(' '))
    const own = parts.get('SVWZ') ?? (parts.size > 1 ? parts.get('')! : lines.map(oneLine).join('\n'))
    return {
      code: '',
      text: '',
      name: '',
      konto: parts.get('IBAN') ?? '',
      zweck: own.trim(),
      eref: eref(parts),
    }
  }
  const separator = head[2] ?? head[3]!
  const fields = new Map<number, string>()
  for (const piece of whole.slice(head[0].length).split(separator)) {
    const at = /^\d\d/.test(piece) ? Number(piece.slice(0, 2)) : null
    // The separator within a text.
    if (at === null) {
      const last = [...fields.keys()].at(-1)
      if (last !== undefined) fields.set(last, `${fields.get(last)!}${separator}${piece}`)
    } else fields.set(at, (fields.get(at) ?? '') + piece.slice(2))
  }
  const within = (from: number, to: number): string[] =>
    [...fields].filter(([at]) => at >= from && at <= to).map(([, piece]) => piece)
  const parts = labelled(joined([...within(20, 29), ...within(60, 63)]))
  const name = oneLine(joined(within(32, 33)))
  const ultimate = parts.get('ABWA') ?? parts.get('ABWE') ?? ''
  return {
    code: head[1] ?? '',
    text: oneLine(fields.get(0) ?? ''),
    name: name === '' || ultimate === '' || ultimate === name ? name || ultimate : `${name} (${ultimate})`,
    konto: oneLine(fields.get(31) ?? '') || (parts.get('IBAN') ?? ''),
    zweck: [parts.get('')!, parts.get('SVWZ') ?? ''].filter((text) => text !== '').join('\n'),
    eref: eref(parts),
  }
}

const eref = (parts: ReadonlyMap<string, string>): string => {
  const text = parts.get('EREF') ?? ''
  return NOT_PROVIDED.has(text.toUpperCase().replaceAll(/[^A-Z]/g, '')) && !/\d/.test(text) ? '' : text
}
