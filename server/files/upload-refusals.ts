// How the refusals of an upload are said: to the browser in our own words, to the tus library as a status and a
// text.
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { generalCode, Refusal } from '#server/errors.ts'
import type { QuotaFault, UploadQuota } from './upload-quota.ts'

/** Has a rule name beside the code, by which the browser finds its sentence. */
export class UploadFault extends Refusal {
  readonly hint: string
  constructor(code: ErrorCode, hint: string, message: string) {
    super(code, message)
    this.hint = hint
  }
}

/** What the tus library takes: its text is a failed answer of the general API. */
export interface ToldRefusal {
  readonly status_code: number
  readonly body: string
}

/** @param status of the protocol, where it has one of its own */
export function toldAs(refusal: Refusal, status?: number): ToldRefusal {
  const body = {
    code: status === undefined ? generalCode(refusal) : status * 100,
    message: refusal.message,
    data: null,
    error: refusal.code,
    ...(refusal instanceof UploadFault && { hint: refusal.hint }),
  }
  return { status_code: status ?? refusal.status, body: JSON.stringify(body) }
}

/** The refusal of a larger file. */
export interface TooLarge {
  readonly hint: string
  readonly message: string
}

/** What the library refuses by itself, in our words. */
export function refusalOfStatus(status: number, tooLarge: TooLarge): Refusal {
  if (status === 413) return new UploadFault('too_large', tooLarge.hint, tooLarge.message)
  if (status === 404 || status === 410)
    return new Refusal(
      'not_found',
      'Dieser Upload ist nicht mehr vorhanden. Bitte laden Sie die Datei noch einmal hoch.',
    )
  if (status === 409)
    return new Refusal('conflict', 'Der Upload steht an einer anderen Stelle. Bitte setzen Sie ihn fort.')
  return new Refusal(
    CODES.get(status) ?? 'bad_value',
    'Der Upload konnte nicht fortgesetzt werden. Bitte versuchen Sie es noch einmal.',
  )
}

export function refusalOfQuota(fault: QuotaFault, { uploads, bytes }: UploadQuota): Refusal {
  if (fault === 'disk') return new Refusal('storage_full')
  return new UploadFault(
    'too_many_requests',
    'upload_offen',
    fault === 'uploads'
      ? `Sie haben schon ${uploads} Uploads begonnen und nicht beendet. ` +
          'Bitte beenden Sie diese zuerst, oder brechen Sie sie ab.'
      : 'Ihre begonnenen Uploads sind zusammen größer als ' +
          `${Math.round(bytes / 2 ** 20).toLocaleString('de-DE')} MB. ` +
          'Bitte beenden Sie diese zuerst, oder brechen Sie sie ab.',
  )
}

const CODES = new Map<number, ErrorCode>(
  Object.entries(ERRORS).map(([code, status]) => [status, code as ErrorCode]),
)
