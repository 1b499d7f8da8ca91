// Turns PostgreSQL's result into status, headers and body. The body text is passed on unchanged.
import type { Plan } from './plan.ts'
import { ApiFault, notOneRow, notSatisfiable, otherKeyInPut, tooManyAffected } from './faults.ts'
import { appliedPreferences } from './parse-prefer.ts'
import type { ApiRequest } from './request.ts'
import type { Answer, Outcome } from './outcome.ts'
import { withResponseSettings } from './response-settings.ts'

/**
 * Refuses by the number of rows. Runs before the commit where the plan writes, so that the refusal undoes it.
 */
export function checkRows(plan: Plan, outcome: Outcome): void {
  const n = Number(outcome.n ?? 0)
  if (plan.kind !== 'read' && plan.kind !== 'insert' && plan.maxAffected !== null && n > plan.maxAffected)
    throw tooManyAffected(n)
  if (isPut(plan) && n !== 1) throw otherKeyInPut()
  if (showsOneObject(plan) && n !== 1) throw notOneRow(n)
}

/** True if checkRows can refuse a change that has already been made. */
export const needsCheckBeforeCommit = (plan: Plan): boolean => {
  if (plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)) return false
  return isPut(plan) || showsOneObject(plan) || (plan.kind !== 'insert' && plan.maxAffected !== null)
}

const isPut = (plan: Plan): boolean => plan.kind === 'insert' && plan.put !== null

/** An insert with a key by which duplicates are recognised. */
const isResolved = (plan: Plan): boolean =>
  plan.kind === 'insert' && plan.put === null && plan.conflict !== null

function showsOneObject(plan: Plan): boolean {
  if (plan.media.shape !== 'object') return false
  if (plan.kind === 'read') return true
  return plan.kind === 'call'
    ? plan.routine.set && plan.routine.returns !== 'void'
    : plan.returning === 'representation'
}

interface Place {
  readonly base: string
  readonly schemas: readonly string[]
}

export const buildAnswer = (plan: Plan, request: ApiRequest, outcome: Outcome, place: Place): Answer =>
  withResponseSettings(plainAnswer(plan, request, outcome, place), outcome)

function plainAnswer(plan: Plan, request: ApiRequest, outcome: Outcome, place: Place): Answer {
  const headers: Record<string, string> = {}
  const asked = request.preferences
  const preferences = asked.count === plan.count ? asked : { ...asked, count: plan.count }
  const applied = appliedPreferences(preferences, request.kind, isResolved(plan))
  if (applied !== null) headers['Preference-Applied'] = applied
  if (place.schemas.length > 1) headers['Content-Profile'] = request.schema
  const n = Number(outcome.n ?? 0)
  const total = outcome.total == null ? null : Number(outcome.total)
  const exact = plan.count === 'exact'
  const body = outcome.body ?? null
  if (plan.kind === 'read') {
    const { canonical } = request.query
    headers['Content-Location'] =
      `${place.base}/${encodeURIComponent(request.target)}${canonical === '' ? '' : `?${canonical}`}`
    return ranged(plan, { n, total, exact }, headers, body)
  }
  if (plan.kind === 'call') {
    if (plan.routine.returns === 'void') return { status: 204, headers, body: null }
    return ranged(plan, { n, total: plan.count === false ? null : (total ?? n), exact }, headers, body)
  }
  return written(plan, request, outcome, n, headers, place.base)
}

interface Rows {
  readonly n: number
  /** All rows, of which the answer is a page; null if nobody asked. */
  readonly total: number | null
  /** False: the total is an estimate. */
  readonly exact: boolean
}

function ranged(
  plan: Plan & { kind: 'read' | 'call' },
  { n, total, exact }: Rows,
  headers: Record<string, string>,
  body: string | null,
): Answer {
  if (total !== null && exact && plan.offset > total) {
    const fault = notSatisfiable(
      `An offset of ${plan.offset} was requested, but there are only ${total} rows.`,
    )
    throw new ApiFault({ ...fault, message: fault.message, headers: { 'Content-Range': `*/${total}` } })
  }
  headers['Content-Range'] = contentRange(plan.offset, n, total)
  headers['Content-Type'] = plan.media.contentType
  const status = total !== null && n < total ? 206 : 200
  return { status, headers, body, ...(plan.media.bytes === true ? { hex: true } : {}) }
}

const contentRange = (first: number, n: number, total: number | null) =>
  `${n > 0 && total !== 0 ? `${first}-${first + n - 1}` : '*'}/${total ?? '*'}`

function written(
  plan: Plan & { kind: 'insert' | 'update' | 'delete' },
  request: ApiRequest,
  outcome: Outcome,
  n: number,
  headers: Record<string, string>,
  base: string,
): Answer {
  const total = plan.count === false ? null : n
  if (!isPut(plan))
    headers['Content-Range'] = plan.kind === 'update' ? contentRange(0, n, total) : `*/${total ?? '*'}`
  if (plan.kind === 'insert' && plan.put === null && plan.returning === 'headers-only' && n === 1) {
    const location = locationOf(plan, outcome)
    if (location !== '') headers['Location'] = `${base}/${encodeURIComponent(request.target)}?${location}`
  }
  const shown = plan.returning === 'representation'
  if (shown) headers['Content-Type'] = plan.media.contentType
  return {
    status: plan.kind === 'insert' ? statusOfInsert(plan, n - (outcome.replaced ?? 0)) : shown ? 200 : 204,
    headers,
    body: shown ? (outcome.body ?? null) : null,
  }
}

/** @param added rows that did not exist before */
function statusOfInsert(plan: Plan & { kind: 'insert' }, added: number): number {
  if (plan.put !== null && plan.returning !== 'representation') return 204
  return plan.conflict?.merge === true && added === 0 ? 200 : 201
}

const locationOf = (plan: Plan & { kind: 'insert' }, outcome: Outcome): string =>
  plan.relation.primaryKey
    .map(({ name }, i) => {
      const value = outcome[`k${i}`] ?? null
      return `${encodeURIComponent(name)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`
    })
    .join('&')
