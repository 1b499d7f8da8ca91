import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { VOLL } from './test/extent.ts'
import { poPlugin } from './web/texts/po-plugin.ts'

/** The figures below were found on two cores; with more cores, more run at a time. */
const CORES = Math.max(2, availableParallelism())

/**
 * Take minutes each and repeat at length what shorter tests check. Only in the full run (`npm run
 * test:voll`).
 */
const WHOLE_RUN = ['db/test/crash.sql.test.ts', 'db/test/mutation.sql.test.ts', 'e2e/operate.test.ts']

const everywhere = {
  // As on the server; otherwise a request left open by one file would end the run of another.
  setupFiles: [join(import.meta.dirname, 'server/fetch.ts')],
  exclude: ['**/node_modules/**', '**/web/dist/**', '**/.cache/**', 'data/**', ...(VOLL ? [] : WHOLE_RUN)],
  // Long, because they only catch hangs and measure nothing; build machines are slow and shared.
  testTimeout: 60_000,
  hookTimeout: 240_000,
  // Long for the same reason; the default is one second.
  expect: { poll: { timeout: 20_000 } },
}

/**
 * Vitest starts large files first. These are small but run longest, and started last they would run alone.
 */
const LONG = [
  'server/reader/hostile.test.ts',
  'server/http-faults.test.ts',
  'server/files/s3-silent.test.ts',
  'server/operations/plain-owner.test.ts',
  'server/database/embedded.test.ts',
  'server/database/embedded-full-disk.test.ts',
  'db/test/crash.sql.test.ts',
  'db/test/mutation.sql.test.ts',
  'db/test/matrix.sql.test.ts',
  'server/operations/backup-schedule.sql.test.ts',
  'server/data-api/every-relation.sql.test.ts',
  'db/test/closure.sql.test.ts',
  'server/operations/dump.sql.test.ts',
  'server/karten/files.sql.test.ts',
  'db/test/attack.sql.test.ts',
  'server/data-api/data-api.sql.test.ts',
  'server/identity/sign-in.sql.test.ts',
  'server/bestand/bestand.sql.test.ts',
  'server/identity/sessions.sql.test.ts',
  'server/vermessung/vermessung.sql.test.ts',
  'db/test/buchhaltung.sql.test.ts',
  'server/habitat/photos.sql.test.ts',
  'server/habitat/file.sql.test.ts',
  'db/test/import.sql.test.ts',
  'e2e/operate.test.ts',
  'e2e/ending.test.ts',
  'e2e/every-page.test.ts',
  'e2e/start.test.ts',
  'e2e/start-faults.test.ts',
  'e2e/dispatch.test.ts',
  'e2e/karten.test.ts',
  'e2e/worker.test.ts',
  'e2e/georef.test.ts',
  'e2e/forstbetrieb.test.ts',
  'e2e/rechnung.test.ts',
  'e2e/page-faults.test.ts',
  'e2e/members.test.ts',
  'e2e/notice.test.ts',
  'e2e/settings-panel.test.ts',
  'e2e/shell-frame.test.ts',
  'e2e/fieldwork.test.ts',
  'e2e/journeys.test.ts',
  'e2e/dashboard.test.ts',
  'e2e/hostile.test.ts',
  'e2e/session.test.ts',
  'e2e/nutzer.test.ts',
  'e2e/habitat.test.ts',
  'e2e/waldbestand.test.ts',
  'e2e/zahlungen.test.ts',
  'e2e/fieldwork-capture.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at < 0 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

// Five suites, started by scripts/test.ts: unit needs nothing; sql needs a real PostgreSQL with PostGIS
// (test/postgres.setup.ts starts one); built tests the web build; e2e also needs Chromium; bench runs every
// bench in its short form.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [poPlugin()],
        test: {
          ...everywhere,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['**/*.test.ts', '**/*.test.tsx'],
          // A separate process for each of a hundred files would cost more than all their tests.
          isolate: false,
          // Many tests against hostile clients mostly wait: for silence, slow lines, time limits.
          maxWorkers: CORES + 1,
          exclude: [
            ...everywhere.exclude,
            '**/*.sql.test.ts',
            '**/*.built.test.ts',
            '**/*.bench.test.ts',
            'e2e/**',
            'keycloak/**',
            'test/einvoice/**',
          ],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'sql',
          sequence: { groupOrder: 1 },
          include: ['**/*.sql.test.ts'],
          exclude: [...everywhere.exclude, 'e2e/**'],
          globalSetup: ['test/template.setup.ts', 'test/postgres.setup.ts', 'db/test/schema.setup.ts'],
          isolate: false,
          maxWorkers: CORES,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'built',
          sequence: { groupOrder: 2 },
          include: ['**/*.built.test.ts'],
          globalSetup: ['test/build.setup.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'bench',
          sequence: { groupOrder: 4 },
          // Vitest alone would run them one after the other on two cores; more at a time disturb each other.
          maxWorkers: 2,
          include: ['**/*.bench.test.ts'],
          globalSetup: ['test/build.setup.ts', 'test/postgres.setup.ts', 'e2e/sample.setup.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'e2e',
          sequence: { groupOrder: 3 },
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['test/build.setup.ts', 'test/postgres.setup.ts', 'e2e/sample.setup.ts'],
          testTimeout: 120_000,
          // Real browsers on a shared machine; what passes only the second time is listed at the end of the
          // run (scripts/test.ts).
          retry: 1,
          // One browser and one load of the modules for all journeys of a worker.
          isolate: false,
          // Three at a time keep two cores busy beside the SQL tests; with a fourth each only took longer.
          maxWorkers: CORES + 1,
        },
      },
    ],
  },
})
