// Maps a failed answer to form fields. A separate module, because it is only needed once a form has been
// rejected.
import type { FieldFault } from '#contract/errors.ts'
import { t } from '../ui/text.ts'
import { type FaultBody, textOf } from './fault-body.ts'
import { said } from './said.ts'

/** The faulty fields: named by the server, or extracted from PostgreSQL's messages. */
export function fieldFaultsOf(
  body: FaultBody,
  special: string | undefined,
  origin: string | undefined,
): FieldFault[] {
  const message = special ?? t(FIELD_TEXTS[origin ?? ''] ?? 'Dieser Wert ist nicht zulässig.')
  if (Array.isArray(body.fields))
    return body.fields
      .filter((f): f is FieldFault => typeof f?.field === 'string' && typeof f?.message === 'string')
      .map((fault) => ({ ...fault, message: said(fault.message) }))
  const told = `${textOf(body.message) ?? ''} ${textOf(body.details) ?? ''}`
  const column =
    textOf(body.column) ??
    /column "([^"]+)"/.exec(told)?.[1] ??
    /^Key \(([^),]+)\)=/.exec(textOf(body.details) ?? '')?.[1]
  const check = /violates check constraint "[^_"]+_(.+)_check"/.exec(told)?.[1]
  const field = column ?? check
  return field ? [{ field, message }] : []
}

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  '23502': 'Diese Angabe fehlt.',
  '23505': 'Diesen Wert gibt es schon.',
  '23503': 'Der zugehörige Datensatz fehlt oder wird noch gebraucht.',
  '22001': 'Diese Angabe ist zu lang.',
  '22003': 'Diese Zahl ist zu groß.',
  '22007': 'Das ist kein gültiges Datum.',
  '22008': 'Das ist kein gültiges Datum.',
  '22P02': 'Dieser Wert hat nicht die richtige Form.',
  '23514': 'Dieser Wert ist nicht zulässig.',
}
