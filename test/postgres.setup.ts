// One private PostgreSQL for all test files of a run.
import type { TestProject } from 'vitest/node'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { startPrivatePostgres } from './private-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Superuser URL of the private server's database postgres; null if no PostgreSQL with PostGIS is
     * installed.
     */
    postgresUrl: string | null
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const binaries = findPostgresBinaries()
  if (binaries === undefined) {
    project.provide('postgresUrl', null)
    return undefined
  }
  const server = await startPrivatePostgres(binaries, {
    fsync: 'off',
    // Row security makes the tests' statements look expensive enough for machine code, which costs more.
    jit: 'off',
    max_connections: '200',
    timezone: 'UTC',
  })
  project.provide('postgresUrl', server.url)
  return server.stop
}
