// A real Prometheus reads a running server by our rules, and what rules and dashboard name is really there.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { startWatched, valueOf, type WatchedServer } from '../../db/test/watched-server.ts'
import {
  alertNames,
  dashboardQueries,
  metricNames,
  ruleQueries,
  RULES,
  RULES_FOLDER,
} from '../../test/deploy-files.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { freePort } from '../../test/private-postgres.ts'
import { findPrometheus } from '../../test/prometheus.ts'
import { createLog } from '../log.ts'

const KEY = 'schluessel-der-messwerte-4711'

describe.skipIf(postgresUrl() === null)('what watches a running server', () => {
  let server: WatchedServer
  beforeAll(async () => {
    const log = createLog(
      () => undefined,
      () => new Date(),
    )
    server = await startWatched(inject('schemaUrl'), { METRICS_KEY: KEY, LOG_REQUESTS: 'on' }, log)
  })
  afterAll(() => server?.stop())

  test('every metric that a rule or the dashboard names is exported, with the labels it asks for', async () => {
    const queries = [...ruleQueries(), ...dashboardQueries()]
    const named = metricNames(queries).filter((name) => name !== 'up')
    expect(ruleQueries()).toHaveLength(alertNames().length)
    expect(named.length).toBeGreaterThan(30)
    expect((await fetch(`${server.origin}/rest/kunde`)).status).toBe(401)
    const scrape = () => server.scrape({ authorization: `Bearer ${KEY}` })
    await expect.poll(async () => valueOf(await scrape(), 'forstkontor_requests_total')).toBeGreaterThan(0)
    const families = await scrape()
    const exported = new Set(
      families.flatMap(({ name, type }) =>
        type === 'histogram'
          ? [`${name}_bucket`, `${name}_sum`, `${name}_count`]
          : [type === 'counter' ? `${name}_total` : name],
      ),
    )
    expect(named.filter((name) => !exported.has(name))).toEqual([])
    const labels = new Set(families.flatMap(({ series }) => series.flatMap((one) => Object.keys(one.labels))))
    const asked = queries
      .flatMap((query) => [...query.matchAll(/\{([^}]*)\}/g)])
      .flatMap(([, inner = '']) => [...inner.matchAll(/(\w+)\s*[=!]/g)].map(([, name]) => name!))
    // The first two are Prometheus's own; the last one is of the embedded engine: e2e/log-lines.test.ts.
    const others = ['job', 'instance', 'how']
    expect([...new Set(asked)].filter((name) => !labels.has(name) && !others.includes(name))).toEqual([])
  })

  describe.skipIf(findPrometheus() === undefined)('Prometheus', () => {
    let folder: string
    let child: ChildProcess
    let origin: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'forstkontor-prometheus-'))
      const port = await freePort()
      origin = `http://127.0.0.1:${port}`
      writeFileSync(
        join(folder, 'prometheus.yml'),
        JSON.stringify({
          global: { scrape_interval: '1s', evaluation_interval: '1s' },
          rule_files: [join(RULES_FOLDER, RULES)],
          scrape_configs: [
            {
              job_name: 'forstkontor',
              authorization: { credentials: KEY },
              static_configs: [{ targets: [new URL(server.metrics).host] }],
            },
          ],
        }),
      )
      child = spawn(
        join(findPrometheus()!, 'prometheus'),
        [
          `--config.file=${folder}/prometheus.yml`,
          `--storage.tsdb.path=${folder}/data`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        { stdio: 'ignore' },
      )
    })
    afterAll(async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    })

    const ask = async <T>(path: string): Promise<T | undefined> =>
      fetch(origin + path).then(
        async (answer) => ((await answer.json()) as { data: T }).data,
        () => undefined,
      )
    const value = async (query: string): Promise<string | undefined> => {
      const found = await ask<{ result: { value: [number, string] }[] }>(
        `/api/v1/query?query=${encodeURIComponent(query)}`,
      )
      return found?.result[0]?.value[1]
    }
    interface Rule {
      readonly name: string
      readonly health: string
      readonly state: string
    }
    const rules = async (): Promise<Rule[]> =>
      (await ask<{ groups: { rules: Rule[] }[] }>('/api/v1/rules'))?.groups.flatMap((group) => group.rules) ??
      []

    test('reads it, and all rules can be evaluated', async () => {
      await expect.poll(() => value('up{job="forstkontor"}'), { timeout: 30_000 }).toBe('1')
      expect(await value('forstkontor_reachable')).toBe('1')
      expect(await value('forstkontor_queue_places{queue="database"}')).toBe('8')
      await expect
        .poll(async () => (await rules()).map(({ health }) => health), { timeout: 30_000 })
        .toEqual(alertNames().map(() => 'ok'))
      expect((await rules()).filter(({ state }) => state === 'firing')).toEqual([])
    })

    test('a check that found damage fires its alert', async () => {
      const owner = await createOwnerConnection(server.databaseUrl)
      await owner.script(`insert into betrieb.pruefung (zeit, dauer_ms, ergebnis, meldung)
        values (now(), 1, 'fehler', 'page 4 of table kunde')`)
      await owner.close()
      const firing = async () =>
        (await rules()).filter(({ state }) => state === 'firing').map(({ name }) => name)
      await expect.poll(firing, { timeout: 50_000 }).toEqual(['ForstkontorDatabaseDamaged'])
    })
  })
})
