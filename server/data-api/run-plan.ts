// Runs a plan in one transaction and builds its answer. Whatever refuses by the number of rows runs before the
// commit.
import type { Context, Database, Result, Statement, Transaction } from '#server/database/database.ts'
import { buildAnswer, checkRows, needsCheckBeforeCommit } from './build-answer.ts'
import type { Answer, Outcome } from './outcome.ts'
import { buildEstimate, buildStatement, deliveryOf, estimateOf, outcomeOf } from './build-statement.ts'
import { inOrder, type Narrowed, narrowPlan } from './narrow-plan.ts'
import type { Plan, ReadPlan } from './plan.ts'
import type { ApiRequest } from './request.ts'
import { type WriteKey, writeOnce } from './write-once.ts'

export interface Run {
  readonly database: Database
  readonly context: Context
  readonly plan: Plan
  readonly request: ApiRequest
  readonly place: { readonly base: string; readonly schemas: readonly string[] }
  /** Key under which the answer of a write is kept. */
  readonly writeKey: WriteKey | null
  /** Everything is undone once the answer has been built. */
  readonly undone: boolean
  /** Asked before a read, in its transaction; see narrow-plan.ts. */
  readonly narrow: Statement | null
}

/** Ends a transaction without its changes; no failure. */
class UndoneError extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super('undone as asked')
    this.answer = answer
  }
}

export async function runPlan(run: Run): Promise<Answer> {
  const { database, context, plan, writeKey } = run
  if (plan.media.plan !== undefined) return await explained(run)
  if (plan.kind === 'read') {
    const { narrow } = run
    if (narrow !== null || plan.estimates)
      return await database.transaction(context, async (tx) => {
        const narrowed = narrow === null ? plan : await narrowedIn(tx, plan, narrow)
        if (plan.estimates) return await estimated(run, narrowed, tx)
        const { statement, answer } = prepared(run, narrowed)
        return answer(await tx.query<Outcome>(statement))
      })
  }
  if (writeKey === null && !run.undone && !needsCheckBeforeCommit(plan)) {
    const { statement, answer } = prepared(run, plan)
    return answer(await database.once(context, statement))
  }
  const inside = async (tx: Transaction) => {
    const { statement, answer } = prepared(run, plan)
    return answer(await tx.query<Outcome>(statement))
  }
  return await ending(run, (tx) =>
    writeKey === null
      ? inside(tx)
      : writeOnce(tx, writeKey, plan.kind === 'call' ? plan.routine.name : null, () => inside(tx)),
  )
}

async function narrowedIn(tx: Transaction, plan: ReadPlan, narrow: Statement): Promise<ReadPlan> {
  const { rows } = await tx.query<Narrowed>(narrow)
  const order = inOrder(plan, rows)
  if (order !== null) await tx.query(order)
  return narrowPlan(plan, rows)
}

function prepared(run: Run, plan: Plan) {
  const delivery = deliveryOf(plan, run.database.engine)
  return {
    statement: buildStatement(plan, delivery),
    answer({ rows }: Result<Outcome>, more: Outcome = {}): Answer {
      const outcome = { ...outcomeOf(plan, rows, delivery), ...more }
      checkRows(plan, outcome)
      return buildAnswer(plan, run.request, outcome, run.place)
    },
  }
}

/** Commits what `work` did, or undoes it after checking what would only be checked at the end. */
async function ending(run: Run, work: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
  if (!run.undone) return await run.database.transaction(run.context, work)
  try {
    return await run.database.transaction(run.context, async (tx) => {
      const answer = await work(tx)
      await tx.query({ text: 'set constraints all immediate' })
      throw new UndoneError(answer)
    })
  } catch (error) {
    if (error instanceof UndoneError) return error.answer
    throw error
  }
}

/** Not prepared, because it is asked for rarely. */
const explainOf = (statement: Statement, options: string): Statement => ({
  text: `explain (${options}) ${statement.text}`,
  ...(statement.values === undefined ? {} : { values: statement.values }),
})

/** How the statement would be executed. One that is executed for it (analyze) changes nothing. */
async function explained(run: Run): Promise<Answer> {
  const { plan, context, request } = run
  const asked = plan.media.plan
  const options = [...(asked?.options ?? []), `format ${asked?.format ?? 'text'}`].join(', ')
  const statement = explainOf(buildStatement(plan), options)
  const show = async (tx: Transaction): Promise<Answer> => {
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(statement)
    const body = rows.map((row) => row['QUERY PLAN']).join('\n')
    const headers: Record<string, string> = { 'Content-Type': plan.media.contentType }
    if (run.place.schemas.length > 1) headers['Content-Profile'] = request.schema
    return { status: 200, headers, body }
  }
  return await ending({ ...run, context, undone: context.readOnly !== true }, show)
}

/** The exact count as far as it goes; beyond, what PostgreSQL expects. */
async function estimated(run: Run, plan: ReadPlan, tx: Transaction): Promise<Answer> {
  const { statement, answer } = prepared(run, plan)
  const result = await tx.query<Outcome>(statement)
  const counted = Number(result.rows[0]?.total ?? 0)
  if (plan.countUpTo !== null && counted < plan.countUpTo) return answer(result, { total: counted })
  const { rows } = await tx.query(buildEstimate(plan))
  return answer(result, { total: Math.max(estimateOf(rows), counted) })
}
