// What the files of deploy/ for Prometheus and Grafana name.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const DEPLOY = join(import.meta.dirname, '../deploy')
export const RULES_FOLDER = join(DEPLOY, 'prometheus')
export const RULES = 'forstkontor.rules.yml'

const rules = (): string => readFileSync(join(RULES_FOLDER, RULES), 'utf8')

export const alertNames = (): string[] => [...rules().matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

/** Expressions of the rules, whether on one line or folded. */
export const ruleQueries = (): string[] =>
  [...rules().matchAll(/^ {8}expr: (?:>-\n((?: {10}.+\n)+)|(.+)\n)/gm)].map(
    ([, folded, plain]) => folded ?? plain!,
  )

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}
export interface Dashboard {
  readonly uid: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
}

export const readDashboard = (): Dashboard =>
  JSON.parse(readFileSync(join(DEPLOY, 'grafana/forstkontor.json'), 'utf8')) as Dashboard

export const dashboardQueries = (): string[] =>
  readDashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** Names of metrics in expressions: what remains without labels, ranges, functions and words of PromQL. */
export const metricNames = (queries: readonly string[]): string[] => {
  const found = queries.flatMap((query) => {
    const bare = query
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
      .replaceAll(/\b(?:by|without|on)\s*\([^)]*\)/g, ' ')
    return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g)].map(([name]) => name)
  })
  return [...new Set(found)].filter((name) => !/^(?:and|or|unless|by|group_left|e\d+)$/.test(name)).toSorted()
}
