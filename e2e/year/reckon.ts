// Runs `test/year/reckoning.py`: the same year calculated in another language, from the facts alone.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reckoned } from './compare.ts'
import type { YearFacts } from './facts.ts'

const SCRIPT = join(import.meta.dirname, '../../test/year/reckoning.py')

export function reckon(facts: YearFacts, archive: Uint8Array): Reckoned {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-jahr-'))
  try {
    const [factsFile, archiveFile] = [join(folder, 'facts.json'), join(folder, 'archive.zip')]
    writeFileSync(factsFile, JSON.stringify(facts))
    writeFileSync(archiveFile, archive)
    // A missing python3 is a failure, no reason to pass this over: scripts/test-tools.ts installs it.
    const answer = execFileSync('python3', [SCRIPT, factsFile, archiveFile], {
      encoding: 'utf8',
      maxBuffer: 256 * 2 ** 20,
    })
    return JSON.parse(answer) as Reckoned
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
