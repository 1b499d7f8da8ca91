// Turns a plan into one statement. Delivered whole, its answer is always one row: n (rows), body (text),
// total (with count), k0… (key for Location).
import type { Database, Statement } from '#server/database/database.ts'
import type { Outcome } from './outcome.ts'
import { callText } from './build-call.ts'
import { writeText } from './build-write.ts'
import type { Plan, ReadPlan } from './plan.ts'
import { COUNT, type Delivery, joinShown, shownText } from './shown-text.ts'
import { allText, Parameters, rowsText, totalText } from './rows-text.ts'

/** Named so that it is prepared; the engine keys prepared statements by their text. */
const NAME = 'data-api'

export function deliveryOf(plan: Plan, engine: Database['engine']): Delivery {
  if (engine !== 'embedded' || plan.media.shape === 'object' || plan.media.plan !== undefined) return 'whole'
  if (plan.kind === 'read') return plan.head ? 'whole' : 'by row'
  if (plan.kind === 'call') return plan.routine.returns === 'rows' && plan.routine.set ? 'by row' : 'whole'
  return plan.returning === 'representation' ? 'by row' : 'whole'
}

export function buildStatement(plan: Plan, delivery: Delivery = 'whole'): Statement {
  const parameters = new Parameters()
  const text = textOf(plan, parameters, delivery)
  return { name: NAME, text, values: parameters.values }
}

/** The result as the one row that `whole` returns. */
export function outcomeOf(plan: Plan, rows: readonly Outcome[], delivery: Delivery): Outcome {
  if (delivery === 'whole') return rows[0] ?? {}
  const texts = rows.flatMap(({ body }) => (body == null ? [] : [body]))
  const outputs = 'outputs' in plan ? plan.outputs : []
  // What is read beside the rows is complete in the last one.
  const { body: _, ...beside } = rows.at(-1) ?? {}
  return { ...beside, n: texts.length, body: joinShown(plan.media, outputs, texts) }
}

function textOf(plan: Plan, parameters: Parameters, delivery: Delivery): string {
  switch (plan.kind) {
    case 'read':
      return readText(plan, parameters, delivery)
    case 'call':
      return callText(plan, parameters, delivery)
    default:
      return writeText(plan, parameters, delivery)
  }
}

function readText(plan: ReadPlan, parameters: Parameters, delivery: Delivery): string {
  const rows = rowsText(plan.relation.quoted, plan, parameters)
  const counted = plan.count === 'exact' || plan.count === 'estimated'
  const total = counted ? totalText(plan.relation.quoted, plan, parameters, plan.countUpTo) : null
  if (plan.head) return `select ${COUNT}${total === null ? '' : `, ${total} as total`} from (${rows}) as _q`
  return shownText(rows, { ...plan, delivery, total }, parameters)
}

/** How many rows PostgreSQL expects: its plan of everything that the page is cut from. */
export function buildEstimate(plan: ReadPlan): Statement {
  const parameters = new Parameters()
  const text = `explain (format json) ${allText(plan.relation.quoted, plan, parameters)}`
  return { text, values: parameters.values }
}

export function estimateOf(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const shown = rows[0]?.['QUERY PLAN']
  const [top] = (typeof shown === 'string' ? JSON.parse(shown) : shown) as { Plan: { 'Plan Rows': number } }[]
  return top?.Plan['Plan Rows'] ?? 0
}
