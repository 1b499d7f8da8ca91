// Anchors in a folder of a test's own.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnchorPlaces } from './anchor-check.ts'
import { readAnchorKey } from './anchors.ts'
import { stampService } from './stamp-service.ts'

export interface TestAnchors extends AnchorPlaces {
  readonly folder: string
  remove(): void
}

export function createTestAnchors(
  service: Parameters<typeof stampService>[0] = {
    TIMESTAMP_URL: undefined,
    TIMESTAMP_CERTIFICATES: undefined,
  },
): TestAnchors {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-anker-'))
  const dumps = join(folder, 'sicherungen')
  mkdirSync(dumps)
  return {
    folder,
    file: join(folder, 'anker', 'buecher.jsonl'),
    key: readAnchorKey(join(folder, 'secrets', 'anker'), true),
    dumps,
    stamps: stampService(service),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
