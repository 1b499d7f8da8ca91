// The APIs keep what their OpenAPI documents say: a linter reads the documents, and schemathesis makes requests from
// them. No answer is a 5xx other than 503 with Retry-After, and none is outside the document.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataApi } from '#server/data-api/data-api.ts'
import { dataApiPlugin } from '#server/data-api/fastify-plugin.ts'
import { silentLog } from '#server/log.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { OGC_BASE } from '#server/refuse.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildSurvey, openOgc } from '../../db/test/ogc-server.ts'
import { authenticateByName } from '../../db/test/refusing-server.ts'
import { VOLL } from '../extent.ts'
import { findApiTester } from '../api-tester.ts'

const PROGRAM = findApiTester()
/** The same requests every time. */
const SEED = 20_261_128
/** Of Python 3.11 (cpython#106905), in which this program then breaks off: its parser is not safe with threads. */
const OWN_FAULT = /AST constructor recursion depth mismatch/
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

interface Extent {
  readonly examples: number
  readonly phases: string
}
const DATA: Extent = VOLL ? { examples: 20, phases: 'fuzzing,coverage' } : { examples: 1, phases: 'fuzzing' }
const OGC: Extent = VOLL ? { examples: 200, phases: 'fuzzing,coverage' } : { examples: 20, phases: 'fuzzing' }

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`the documents of the APIs on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let origin: string
    let folder: string

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'openapi-'))
      engine = await openEngine(engineName)
      await buildSurvey(engine)
      app = await openOgc(engine, 'http://127.0.0.1')
      const dataApi = createDataApi({
        database: engine.api,
        schemas: ['app'],
        base: '/rest',
        role: 'nutzer',
        preRequest: CHECK_REQUEST,
        authenticate: authenticateByName,
        log: silentLog,
      })
      await dataApi.ready()
      await app.register((scope) => dataApiPlugin(scope, { dataApi }))
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const documentOf = async (path: string): Promise<string> => {
      const answer = await fetch(`${origin}${path}`, { headers: { authorization: 'Bearer token-admin' } })
      expect(answer.status).toBe(200)
      return answer.text()
    }
    async function lint(path: string): Promise<string[]> {
      const config = await createConfig({ extends: ['recommended'], rules: RULES })
      const problems = await lintFromString({ source: await documentOf(path), config })
      return problems.map(
        ({ severity, ruleId, message, location: [at] }) => `${severity} ${ruleId} ${at?.pointer}: ${message}`,
      )
    }
    test.each(['/rest/', `${OGC_BASE}/api`])('%s: the linter finds nothing', async (path) => {
      expect(await lint(path)).toEqual([])
    })

    async function tryAll(path: string, base: string, { examples, phases }: Extent): Promise<string> {
      const file = join(folder, 'document.json')
      writeFileSync(file, await documentOf(path))
      const report = join(folder, 'report.json')
      const args = ['run', file, '--url', `${origin}${base}`, '--seed', String(SEED), '--no-color']
      const how = ['--phases', phases, '-n', String(examples), '--workers', '2', '--checks', CHECKS.join(',')]
      const more = [
        '-H',
        'Authorization: Bearer token-admin',
        '--report',
        'json',
        '--report-json-path',
        report,
      ]
      const quiet = [
        '--suppress-health-check',
        'all',
        '--warnings',
        'off',
        '--no-shrink',
        '--continue-on-failure',
      ]
      const run = (): Promise<string> =>
        new Promise((resolve) =>
          execFile(
            PROGRAM!,
            [...args, ...how, ...more, ...quiet],
            { maxBuffer: 2 ** 28, cwd: folder, env: { ...process.env, no_proxy: '*' } },
            (error, stdout, stderr) => resolve(error === null ? '' : `${stdout}\n${stderr}`),
          ),
        )
      const said = await run()
      return OWN_FAULT.test(said) && !/= FAILURES =/.test(said) ? run() : said
    }
    test.skipIf(PROGRAM === undefined)(
      'the data API answers nothing outside its document',
      async () => expect(await tryAll('/rest/', '/rest', DATA)).toBe(''),
      VOLL ? 3_600_000 : 600_000,
    )
    test.skipIf(PROGRAM === undefined)(
      'the maps answer nothing outside their document',
      async () => expect(await tryAll(`${OGC_BASE}/api`, OGC_BASE, OGC)).toBe(''),
      VOLL ? 3_600_000 : 600_000,
    )
  })

/** What Redocly's recommendation asks for beyond the specification, and who does not need it. */
const RULES = {
  // The software is not published.
  'info-license': 'off',
  'info-license-strict': 'off',
  'operation-operationId': 'off',
  'operation-4xx-response': 'off',
  'tag-description': 'off',
} as const
