// Turns request and catalogue into a plan: reads here, writes in plan-write.ts, calls in plan-call.ts.
import type { Catalogue, Relation } from './catalogue.ts'
import { chooseMedia } from './choose-media.ts'
import { unknownRelation } from './faults.ts'
import type { Count } from './parse-prefer.ts'
import { type Embed, embedsOf, type Plan, type ReadPlan } from './plan.ts'
import { planCall } from './plan-call.ts'
import {
  type PlanContext,
  type PlannedRows,
  planNarrowing,
  planOutputs,
  rowsOfRelation,
} from './plan-rows.ts'
import { planWrite } from './plan-write.ts'
import type { ApiRequest, ReadRequest } from './request.ts'

export interface PlanRules extends PlanContext {
  /** Execution plans may be asked for. */
  readonly plans?: boolean
}

export function planRequest(catalogue: Catalogue, request: ApiRequest, context: PlanRules): Plan {
  const produced = { geojson: catalogue.geojson, plans: context.plans === true }
  if (request.kind === 'call') return planCall(catalogue, request, context, produced)
  const relation = catalogue.relation(request.schema, request.target)
  if (relation === undefined) throw unknownRelation(request.schema, request.target)
  const media = chooseMedia(request, produced)
  if (request.kind === 'read') return planRead(relation, { ...request, media }, context)
  return planWrite(relation, { ...request, media }, context)
}

function planRead(relation: Relation, request: ReadRequest, context: PlanRules): ReadPlan {
  const rows = rowsOfRelation(relation)
  const shown = planOutputs(rows, request.query.select, request.query.embedded, context)
  const { count, estimates } = countOf(request, relation, shown, context)
  return {
    kind: 'read',
    relation,
    head: request.head,
    media: request.media,
    count,
    countUpTo:
      count === 'estimated' ? (estimates ? context.limits.maxRows : context.limits.countedRows) + 1 : null,
    estimates,
    outputs: shown.outputs,
    hidden: shown.hidden,
    ...planNarrowing(rows, request.query.top, context, shown.embeds),
  }
}

/**
 * What PostgreSQL expects is made from all rows, also those that row security hides from the caller: where there
 * may be such, an estimated count goes up to a number of rows and no further, and a planned one is exact, unless
 * the operator shows execution plans anyway.
 */
function countOf(
  { preferences: { count } }: ReadRequest,
  relation: Relation,
  shown: PlannedRows,
  { plans }: PlanRules,
): { count: Count | false; estimates: boolean } {
  if (count === false || count === 'exact') return { count, estimates: false }
  const mayHide = plans !== true && (relation.secured || embedsOf(shown).some(isSecured))
  return { count: mayHide && count === 'planned' ? 'exact' : count, estimates: !mayHide }
}

const isSecured = (embed: Embed): boolean =>
  embed.path.call !== null ||
  embed.path.target.secured ||
  embed.path.via?.relation.secured === true ||
  embedsOf(embed).some(isSecured)
