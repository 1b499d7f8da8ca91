import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { VOLL } from './test/extent.ts'

/**
 * Minutes each: they show again, at length, what shorter ones hold. Only in the whole run (`npm run
 * test:voll`).
 */
const WHOLE_RUN = [
  'db/test/crash.sql.test.ts',
  'db/test/mutation.sql.test.ts',
  'e2e/operate.test.ts',
  'e2e/pooler.test.ts',
  'server/database/embedded-full-disk.test.ts',
  'server/database/embedded-power.test.ts',
]

const everywhere = {
  // As the server has it; what one file leaves open would else end another one's run.
  setupFiles: [join(import.meta.dirname, 'server/fetch.ts')],
  exclude: ['**/node_modules/**', '**/web/dist/**', '**/.cache/**', 'data/**', ...(VOLL ? [] : WHOLE_RUN)],
  // Long: they end what hangs and do not measure; machines of a build are slow and shared.
  testTimeout: 60_000,
  hookTimeout: 240_000,
  // What is waited for may take its time as well; left alone it is one second.
  expect: { poll: { timeout: 20_000 } },
}

/**
 * Large files are begun first; these are small and run longest. Begun last they would be waited for alone.
 */
const LONG = [
  'server/reader/hostile.test.ts',
  'server/http-faults.test.ts',
  'server/files/s3-silent.test.ts',
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
// (test/postgres.setup.ts starts one); built looks at the web build; e2e needs Chromium as well; bench runs
// every bench in its short form.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['**/*.test.ts', '**/*.test.tsx'],
          // A process of its own for each of a hundred files would work longer than all their tests.
          isolate: false,
          // Much of what holds against strangers is waited for: silence, slow lines, limits of time.
          maxWorkers: 3,
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
          maxWorkers: 2,
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
          // Real browsers on a shared machine; what passes only the second time is named at the end of the
          // run (scripts/test.ts).
          retry: 1,
          // One browser and one reading of the modules for all journeys of a worker.
          isolate: false,
          // Journeys wait more than they work: four at a time fill two cores.
          maxWorkers: 4,
        },
      },
    ],
  },
})
