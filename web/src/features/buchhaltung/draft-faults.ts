// Where the faults of a document's check belong in the form of its draft. Pure.
import type { BelegFault } from '#domain/beleg-fault.ts'

/** Prefix that is cut from a fault shown in its own line, where naming the line is redundant. */
const LINE_NAME = /^\S+ [\d.]+: /

/** Faults of single lines, by number of the line: field and text, one per row of text. */
export function lineTexts(faults: readonly BelegFault[]): ReadonlyMap<number, string> {
  const byLine = new Map<number, string[]>()
  for (const { feld, text, severity } of faults) {
    const [area, at, field] = feld.split('.')
    if (area !== 'positionen' || at === undefined || field === undefined || severity !== 'fehler') continue
    const line = Number(at)
    byLine.set(line, [...(byLine.get(line) ?? []), `${field}\t${text.replace(LINE_NAME, '')}`])
  }
  return new Map([...byLine].map(([line, texts]) => [line, texts.join('\n')]))
}

export type FaultPlace =
  | { readonly line: number; readonly field: string }
  | { readonly line: null; readonly field: string }

/** `otherNames`: document fields that have another name in the form. */
export function placeOfFault(fieldName: string, otherNames: Readonly<Record<string, string>>): FaultPlace {
  const [area, at, field = 'bez'] = fieldName.split('.')
  return area === 'positionen' || area === 'summen'
    ? { line: Number(at ?? 0) || 0, field }
    : { line: null, field: otherNames[fieldName] ?? fieldName }
}

/** The page where a fault is corrected that concerns no field of the form; null: it does, or nothing can be done. */
export function hrefOfFault(
  field: string,
  {
    defs,
    otherNames,
    client_id,
  }: {
    readonly defs: object
    readonly otherNames: Readonly<Record<string, string>>
    readonly client_id: number
  },
): string | null {
  if ((otherNames[field] ?? field) in defs) return null
  if (field.startsWith('empfaenger')) return `/member-management/client/${client_id}`
  return field.startsWith('lieferant') ? '/buchhaltung/einstellungen' : null
}
