// Turns PostgreSQL's result into status, headers and body. The body text is passed on unchanged.
import type { Plan } from './plan.ts'
import { ApiFault, notOneRow, notSatisfiable, tooManyAffected } from './faults.ts'
import { appliedPreferences } from './parse-prefer.ts'
import type { ApiRequest } from './request.ts'

/** The one row that every statement returns. */
export interface Outcome {
  readonly n?: number | string
  readonly body?: string | null
  readonly total?: number | string
  readonly [key: `k${number}`]: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | null
}

/**
 * Refuses by the number of rows. Runs before the commit where the plan writes, so that the refusal undoes it.
 */
export function checkRows(plan: Plan, outcome: Outcome): void {
  const n = Number(outcome.n ?? 0)
  if (plan.kind !== 'read' && plan.kind !== 'insert' && plan.maxAffected !== null && n > plan.maxAffected)
    throw tooManyAffected(n)
  if (showsOneObject(plan) && n !== 1) throw notOneRow(n)
}

/** True if checkRows can refuse a change that has already been made. */
export const needsCheckBeforeCommit = (plan: Plan): boolean => {
  if (plan.kind === 'read' || (plan.kind === 'call' && !plan.routine.volatile)) return false
  return showsOneObject(plan) || (plan.kind !== 'insert' && plan.maxAffected !== null)
}

function showsOneObject(plan: Plan): boolean {
  if (plan.media.shape !== 'object') return false
  if (plan.kind === 'read') return true
  return plan.kind === 'call'
    ? plan.routine.set && plan.routine.returns !== 'void'
    : plan.returning === 'representation'
}

export function buildAnswer(
  plan: Plan,
  request: ApiRequest,
  outcome: Outcome,
  place: { base: string; schemas: readonly string[] },
): Answer {
  const headers: Record<string, string> = {}
  const applied = appliedPreferences(request.preferences, request.kind)
  if (applied !== null) headers['Preference-Applied'] = applied
  if (place.schemas.length > 1) headers['Content-Profile'] = request.schema
  const n = Number(outcome.n ?? 0)
  const total = plan.count && outcome.total !== undefined ? Number(outcome.total) : null
  const body = outcome.body ?? null
  if (plan.kind === 'read') {
    const { canonical } = request.query
    headers['Content-Location'] =
      `${place.base}/${encodeURIComponent(request.target)}${canonical === '' ? '' : `?${canonical}`}`
    return ranged(plan, n, total, headers, body)
  }
  if (plan.kind === 'call') {
    if (plan.routine.returns === 'void') return { status: 204, headers, body: null }
    return ranged(plan, n, plan.count ? (total ?? n) : null, headers, body)
  }
  return written(plan, request, outcome, n, headers, place.base)
}

function ranged(
  plan: Plan & { kind: 'read' | 'call' },
  n: number,
  total: number | null,
  headers: Record<string, string>,
  body: string | null,
): Answer {
  if (total !== null && plan.offset > total) {
    const fault = notSatisfiable(
      `An offset of ${plan.offset} was requested, but there are only ${total} rows.`,
    )
    throw new ApiFault({ ...fault, message: fault.message, headers: { 'Content-Range': `*/${total}` } })
  }
  headers['Content-Range'] = contentRange(plan.offset, n, total)
  headers['Content-Type'] = plan.media.contentType
  return { status: total !== null && n < total ? 206 : 200, headers, body }
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
  const total = plan.count ? n : null
  headers['Content-Range'] = plan.kind === 'update' ? contentRange(0, n, total) : `*/${total ?? '*'}`
  if (
    plan.kind === 'insert' &&
    plan.returning === 'headers-only' &&
    n === 1 &&
    plan.relation.primaryKey.length > 0
  ) {
    const keys = plan.relation.primaryKey.map(
      ({ name }, i) => `${encodeURIComponent(name)}=eq.${encodeURIComponent(outcome[`k${i}`] ?? '')}`,
    )
    headers['Location'] = `${base}/${encodeURIComponent(request.target)}?${keys.join('&')}`
  }
  const created = plan.kind === 'insert'
  if (plan.returning !== 'representation') return { status: created ? 201 : 204, headers, body: null }
  headers['Content-Type'] = plan.media.contentType
  return { status: created ? 201 : 200, headers, body: outcome.body ?? null }
}
