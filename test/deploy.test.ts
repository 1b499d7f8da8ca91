// The files of deploy/ for those who watch a server: Prometheus accepts them, each alert fires where it should and
// only there, each says in docs/operations.md what to do, and the dashboard is one that Grafana can load.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  alertNames,
  dashboardQueries,
  metricNames,
  readDashboard,
  RULES,
  RULES_FOLDER,
} from './deploy-files.ts'
import { MOST_END_S } from '../server/settings.ts'
import { findPrometheus } from './prometheus.ts'
import { START_ENV, START_FLAGS } from './start-command.ts'

const folder = findPrometheus()
const promtool = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(join(folder ?? '', 'promtool'), words, {
    cwd: RULES_FOLDER,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

describe.skipIf(folder === undefined)('promtool', () => {
  test('accepts the rules and the settings that name them', () => {
    expect(promtool('check', 'rules', '--lint=all', '--lint-fatal', RULES)).toMatchObject({ status: 0 })
    expect(promtool('check', 'config', 'prometheus.yml')).toMatchObject({ status: 0 })
  })
  test('each alert fires on its figures and on no others', () => {
    const { status, output } = promtool('test', 'rules', 'forstkontor.rules.test.yml')
    expect(output).toContain('SUCCESS')
    expect(status).toBe(0)
    // Seven seconds when nothing else runs.
  }, 240_000)
})

test('each alert has figures on which it fires and figures on which it stays silent', () => {
  const cases = readFileSync(join(RULES_FOLDER, 'forstkontor.rules.test.yml'), 'utf8')
  const names = [...cases.matchAll(/- name: '(.+)'/g)].map(([, name]) => name)
  expect(alertNames().length).toBeGreaterThan(20)
  const wanted = alertNames().flatMap((name) => [`${name} fires`, `${name} stays silent`])
  expect(new Set(names)).toEqual(new Set(wanted))
  expect(names).toHaveLength(wanted.length)
})

test('each alert says in docs/operations.md what it means and what to do, and no other does', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(Forstkontor\w+)` \| (.+?) \| (.+?) \|$/gm)]
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(alertNames()))
  expect(rows).toHaveLength(alertNames().length)
  for (const [, name, meaning, remedy] of rows) {
    expect(meaning!.length, name).toBeGreaterThan(30)
    expect(remedy!.length, name).toBeGreaterThan(30)
  }
})

test('the dashboard is one: ids and places are its own, every panel asks for something', () => {
  const { uid, schemaVersion, panels } = readDashboard()
  expect([uid, schemaVersion]).toEqual(['forstkontor', 39])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(places.length)
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  for (const { type, title, targets } of panels)
    if (type !== 'row') expect(targets?.length, title).toBeGreaterThan(0)
})

describe.skipIf(folder === undefined)('queries of the dashboard', () => {
  test('are PromQL', () => {
    // promtool of Debian 12 formats no expression by itself: each is the expression of a rule.
    const rules = dashboardQueries().map((expr, nr) => ({
      record: `q:${nr}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    const file = join(mkdtempSync(join(tmpdir(), 'forstkontor-dashboard-')), 'rules.json')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { status, output } = promtool('check', 'rules', file)
    rmSync(dirname(file), { recursive: true })
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`)
    expect(status).toBe(0)
  })
})

test('a name that is no metric would be noticed', () => {
  expect(
    metricNames(['sum by (instance, le) (rate(forstkontor_x_bucket{route="/rest/*"}[5m])) > up']),
  ).toEqual(['forstkontor_x_bucket', 'up'])
})

test('the rules for a bucket remove only what is abandoned or deleted, and keep that as long as dumps', () => {
  const text = readFileSync(join(import.meta.dirname, '../deploy/s3/lifecycle.json'), 'utf8')
  const { Rules } = JSON.parse(text) as { Rules: Record<string, unknown>[] }
  const acts = Rules.flatMap((rule) => Object.keys(rule)).filter((key) => !/^(?:ID|Status|Filter)$/.test(key))
  expect(acts.toSorted()).toEqual(['AbortIncompleteMultipartUpload', 'NoncurrentVersionExpiration'])
  expect(text).toContain('"NoncurrentDays": 35')
})

const SERVICE = join(import.meta.dirname, '../deploy/systemd/forstkontor.service')
const inspected = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' })
const isInstalled = / 2(?:5\d|[6-9]\d)/.test(inspected('--version').stdout ?? '')

describe('the service of systemd', () => {
  test.skipIf(!isInstalled)('is exposed to 2.0 at most', () => {
    const { stdout } = inspected('security', '--offline=true', '--no-pager', SERVICE)
    const [, exposure] = /Overall exposure level for forstkontor\.service: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeGreaterThan(0)
    expect(Number(exposure)).toBeLessThanOrEqual(2)
  })
  test('starts the server as `npm start` does, and gives it the time to end', () => {
    const text = readFileSync(SERVICE, 'utf8')
    const started = /^ExecStart=(.+)$/m.exec(text)?.[1]
    expect(started).toBe(
      `/opt/forstkontor/node_modules/node/bin/node ${START_FLAGS.join(' ')} server/main.ts`,
    )
    for (const [name, value] of Object.entries(START_ENV))
      expect(text).toContain(name === 'NODE_COMPILE_CACHE' ? `${name}=/var/cache/` : `${name}=${value}`)
    // Whatever DRAIN_S and GRACE_S are set to.
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(2 * MOST_END_S + 1)
  })
})
