// OPTIONS: the methods of a target, from the catalogue alone.
import type { Answer } from './outcome.ts'
import type { Catalogue } from './catalogue.ts'
import { unknownFunction, unknownRelation } from './faults.ts'
import { methodsOf, methodsOfRoutines } from './methods.ts'
import { isRoot, parsePath, type RawRequest } from './parse-request.ts'

export function answerOptions(raw: RawRequest, schema: string, catalogue: Catalogue): Answer {
  return { status: 200, headers: { Allow: allowed(raw, schema, catalogue).join(',') }, body: '' }
}

function allowed({ path }: RawRequest, schema: string, catalogue: Catalogue): readonly string[] {
  if (isRoot(path)) return ['OPTIONS', 'GET', 'HEAD']
  const { target, call } = parsePath(path)
  if (call) {
    const routines = catalogue.routines(schema, target)
    if (routines.length === 0) throw unknownFunction(schema, target, [])
    return methodsOfRoutines(routines)
  }
  const relation = catalogue.relation(schema, target)
  if (relation === undefined) throw unknownRelation(schema, target)
  return methodsOf(relation)
}
