// The house rules of docs/architecture.md, tested on the source tree itself.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declaredIn, wordsOf } from './test/declared-names.ts'
import { FIXED_NAMES } from './test/fixed-names.ts'
import { importsOf as importsIn, type Import } from './test/source-imports.ts'
import { readWordLists } from './test/word-lists.ts'

const ROOT = import.meta.dirname
const HALVES = ['domain', 'contract', 'server', 'web'] as const
const MAY_IMPORT: Record<(typeof HALVES)[number], readonly string[]> = {
  domain: [],
  contract: ['domain'],
  server: ['domain', 'contract'],
  web: ['domain', 'contract'],
}
const isTest = (file: string): boolean => /\.(?:test|fixture)\.tsx?$/.test(file)

/** Source files of a folder as paths from the root, without tests, which may import anything. */
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter(
      (file) =>
        /\.(?:ts|tsx)$/.test(file) &&
        !/\/(?:node_modules|dist)\//.test(file) &&
        !isTest(file) &&
        !file.endsWith('.d.ts'),
    )
    .sort()

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const importsOf = (file: string): Import[] => importsIn({ path: file, text: read(file) })
const shown = ({ from, to }: Import): string => `${from} -> ${to}`
const roomOf = (path: string): string => path.split('/')[0] ?? ''

test('the reader of imports sees every form', () => {
  const all = HALVES.flatMap((half) => sourcesOf(half).flatMap(importsOf))
  expect(all.length).toBeGreaterThan(50)
  expect(
    all.filter(({ own }) => own).every(({ to }) => /\.(?:ts|tsx|json|css|svg)(?:\?\w+)?$/.test(to)),
    'own imports name their file',
  ).toBe(true)
})

for (const half of HALVES) {
  test(`${half} imports only ${[...MAY_IMPORT[half], 'itself'].join(', ')}`, () => {
    const wrong = sourcesOf(half)
      .flatMap(importsOf)
      .filter(({ own, to }) => own && roomOf(to) !== half && !MAY_IMPORT[half].includes(roomOf(to)))
    expect(wrong.map(shown)).toEqual([])
  })
}

/** What stands around the product: nothing of the product imports it (MAY_IMPORT), and among itself it goes one way as well. */
const AROUND: Record<string, readonly string[]> = {
  'db/seeds': ['domain', 'contract'],
  scripts: ['domain', 'contract', 'server', 'db', 'test'],
  test: ['domain', 'server', 'scripts'],
  e2e: ['domain', 'contract', 'server', 'web', 'db', 'scripts', 'test'],
  bench: ['domain', 'contract', 'server', 'web', 'db', 'scripts', 'test', 'e2e'],
}
for (const [folder, allowed] of Object.entries(AROUND))
  test(`${folder} imports only ${allowed.join(', ')}, itself`, () => {
    const files = sourcesOf(folder)
    expect(files.length).toBeGreaterThan(4)
    const wrong = files
      .flatMap(importsOf)
      .filter(({ own, to }) => own && roomOf(to) !== roomOf(folder) && !allowed.includes(roomOf(to)))
    expect(wrong.map(shown)).toEqual([])
  })

test('domain knows no library, no browser and no Node', () =>
  expect(
    sourcesOf('domain')
      .flatMap(importsOf)
      .filter(({ own }) => !own)
      .map(shown),
  ).toEqual([]))

/** What any room of the server may use besides itself and the files directly in server/. */
const SHARED_IN_SERVER = new Set(['server/database/database.ts'])
/** Files of plans and photos (storage, upload, download), and the processes that read uploaded files. */
const SHARED_ROOMS = new Set(['files', 'reader'])
const SERVER_EXCEPTIONS: readonly (readonly [room: string, uses: string])[] = [
  // Operations acts as the owner of the database: it opens owner connections and knows the embedded engine's
  // folder.
  ['operations', 'database'],
  // One room reads and writes the files of other programs (GeoPackage, GeoJSON, shapefile, CSV), whatever
  // they contain.
  ['vermessung', 'geodata'],
  ['bestand', 'geodata'],
  ['habitat', 'geodata'],
]
/** These assemble rooms, so no room may import them; the last one starts only the data API. */
const COMPOSITION = new Set(['server/app.ts', 'server/start.ts', 'server/main.ts', 'server/data-api/main.ts'])

test('rooms of the server do not import each other, nor what puts them together', () => {
  const wrong = sourcesOf('server')
    .filter((file) => file.split('/').length > 2 && !COMPOSITION.has(file))
    .flatMap(importsOf)
    .filter(({ from, to, own }) => {
      if (!own || roomOf(to) !== 'server') return false
      const [room, used] = [from.split('/')[1], to.split('/')[1]]
      if (to.split('/').length === 2) return COMPOSITION.has(to)
      return (
        room !== used &&
        !SHARED_ROOMS.has(used ?? '') &&
        !SHARED_IN_SERVER.has(to) &&
        !SERVER_EXCEPTIONS.some(([a, b]) => a === room && b === used)
      )
    })
  expect(wrong.map(shown)).toEqual([])
})

test('a feature of the screens never imports another feature, and nothing below imports the app', () => {
  const wrong = sourcesOf('web/src')
    .flatMap(importsOf)
    .filter(({ from, to, own }) => {
      if (!own || !to.startsWith('web/src/')) return false
      const [area, feature] = [from.split('/')[2], from.split('/')[3]]
      const [toArea, toFeature] = [to.split('/')[2], to.split('/')[3]]
      if (area === 'features') return (toArea === 'features' && feature !== toFeature) || toArea === 'app'
      if (area === 'ui' || area === 'data') return !['ui', 'data'].includes(toArea ?? '')
      // Shared building blocks of features: lists, forms and histories of records, maps.
      if (area === 'list' || area === 'record' || area === 'karte')
        return ![area, 'ui', 'data'].includes(toArea ?? '')
      // The people of a customer: the provider and the customer's own admins see them in the same list.
      if (area === 'members') return toArea === 'features' || toArea === 'app'
      return false
    })
  expect(wrong.map(shown)).toEqual([])
})

describe('in no file of ours', () => {
  const everywhere = [...HALVES.flatMap(sourcesOf), ...['scripts', 'test', 'e2e', 'bench'].flatMap(sourcesOf)]
  const product = HALVES.flatMap(sourcesOf)
  const without = (files: readonly string[], forbidden: RegExp): string[] =>
    files.filter((file) => forbidden.test(read(file).replace(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm, '')))

  test('process.env is read outside server/config.ts', () =>
    expect(
      without(product, /process\.env|import\.meta\.env\.(?!DEV|PROD)/).filter(
        (file) => !['server/config.ts', 'web/vite.config.ts'].includes(file),
      ),
    ).toEqual([]))
  test('a type is any', () => expect(without(everywhere, /(?::|<|\bas)\s*any\b/)).toEqual([]))
  test('a shell is started', () =>
    expect(without(product, /shell:\s*true|\bexecSync\(|(?<![.\w])exec\(/)).toEqual([]))
  test('raw HTML is written', () =>
    expect(without(product, /dangerouslySetInnerHTML|\.innerHTML\s*=|document\.write/)).toEqual([]))
  test('an index.ts passes things on', () =>
    expect(everywhere.filter((file) => /\/index\.tsx?$/.test(file))).toEqual([]))
  test('there is a room without a name: utils, helpers, common', () =>
    expect(everywhere.filter((file) => /\/(?:utils?|helpers?|common|misc)(?:\/|\.tsx?$)/.test(file))).toEqual(
      [],
    ))
  test('zod is imported whole', () =>
    expect(
      product
        .flatMap(importsOf)
        .filter(({ to }) => to === 'zod')
        .map(shown),
    ).toEqual([]))
})

test('files are named by the house: kebab-case, components PascalCase', () => {
  const wrong = HALVES.flatMap(sourcesOf).filter((file) => {
    const name = relative(dirname(file), file)
    return !(
      name.endsWith('.tsx')
        ? /^[A-Z][A-Za-z0-9]*(?:\.[a-z]+)?\.tsx$|^[a-z][a-z0-9-]*\.tsx$/
        : /^[a-z0-9][a-z0-9.-]*\.ts$/
    ).test(name)
  })
  expect(wrong).toEqual([])
})

test("each file's first line says what it is in charge of", () => {
  const silent = HALVES.flatMap(sourcesOf).filter(
    (file) => !/^\/\/|^\/\*\*|^#!/.test(read(file)) && read(file).split('\n').length > 60,
  )
  expect(silent).toEqual([])
})

test('days are asked for in one field alone, which is German in every browser', () => {
  const others = sourcesOf('web').filter((file) => /type(?:=|: )["']date["']/.test(read(file)))
  expect(others).toEqual(['web/src/ui/DateField.tsx'])
  const byHand = sourcesOf('web').filter((file) => /placeholder=[{"'].*TT\.MM\./.test(read(file)))
  expect(byHand).toEqual(['web/src/ui/DateField.tsx'])
})

test('every command brings what it needs: on a bare clone there is neither the pinned Node nor anything installed or built', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const READY = /^npm run --silent (?:build|ensure)\b/
  /** Work on the source itself, by developers who have built it already. */
  const BY_DEVELOPERS = new Set(['check', 'format', 'lint', 'measure', 'readme', 'freeze', 'build', 'ensure'])
  const bare = Object.entries(scripts)
    .filter(([name]) => !BY_DEVELOPERS.has(name) && !name.startsWith('pre'))
    .filter(([name, command]) => !READY.test(command) && !READY.test(scripts[`pre${name}`] ?? ''))
  expect(bare.map(([name]) => name)).toEqual([])
})

describe('names', () => {
  const { english, trade, short } = readWordLists()

  const code = readdirSync(ROOT, { recursive: false, encoding: 'utf8' })
    .filter((name) =>
      [...HALVES, 'bench', 'db', 'docs', 'e2e', 'keycloak', 'scripts', 'test'].includes(
        name as (typeof HALVES)[number],
      ),
    )
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => !/\/(?:node_modules|dist|out|golden|fixtures)\//.test(file))
  const typescript = code.filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.endsWith('texts-en.ts'),
  )
  const declared = new Map(typescript.map((file) => [file, declaredIn(file, read(file))]))

  /** Names fixed by the API, SQL, document templates and case tables. */
  const fixed = new Set(Object.values(FIXED_NAMES).flat())
  for (const [file, names] of declared)
    if (file.startsWith('contract/'))
      for (const { name, isProperty } of names) if (isProperty) fixed.add(name)
  const addAll = (pattern: RegExp, files: (file: string) => boolean) => {
    for (const file of code.filter(files))
      for (const [, ...groups] of read(file).matchAll(pattern)) for (const name of groups) fixed.add(name)
  }
  addAll(/"(\w+)"\s*:/g, (file) => file.endsWith('.cases.json'))
  addAll(/(\w+)/g, (file) => file.endsWith('.typ'))
  const COLUMN =
    /^\s+"?(\w+)"? +(?:bigint|int\w*|smallint|text|numeric|date|boolean|time\w*|jsonb|uuid|bytea|geometry|double|real|app\.|public\.|interval|char|varchar)|create table (?:\w+\.)?(\w+)|add column "?(\w+)/gm
  addAll(COLUMN, (file) => file.startsWith('db/migrations/'))

  /**
   * Words missing from both lists; short ones are skipped, because they are coordinates, units and the like.
   */
  const strangeIn = (name: string): string[] =>
    wordsOf(name).filter((word) => word.length > 2 && !english.has(word) && !trade.has(word))

  test('are English, but for words of the trade: docs/glossary.md has both', () => {
    const strange = [...declared].flatMap(([file, names]) =>
      names
        .filter(({ name }) => !fixed.has(name))
        .flatMap(({ name, line }) => strangeIn(name).map((word) => `${file}:${line} ${name}: ${word}`)),
    )
    expect(declared.size).toBeGreaterThan(1000)
    expect(strange).toEqual([])
  })
  test('of files and folders as well', () => {
    /** Recorded or served under their names, or named by a tool. */
    const KEPT =
      /^db\/(?:migrations|nouns)\/|^server\/identity\/assets\/|^web\/public\/|\/tsconfig\.json$|^keycloak\/forstkontor-realm\.json$|\/font\//
    const strange = code
      .filter((file) => /\.\w+$/.test(file) && !KEPT.test(file))
      .flatMap((file) =>
        strangeIn(file.replaceAll(/\.(?:[jt]sx?|mjs|md|sql|json|typ|css|png|measure|sh)\b/g, '')).map(
          (word) => `${file}: ${word}`,
        ),
      )
    expect(strange).toEqual([])
  })
  test('every word of the glossary is in use', () => {
    const used = new Set([...[...declared.values()].flat().map(({ name }) => name), ...code].flatMap(wordsOf))
    const unused = read('docs/glossary.md')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|')[1]!.trim().split(', '))
      .filter((forms) => trade.has(forms[0]!) && !forms.some((form) => used.has(form)))
    expect(unused).toEqual([])
    expect([...short].filter((word) => !used.has(word))).toEqual([])
  })
})
