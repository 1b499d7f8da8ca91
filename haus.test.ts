// The house rules of docs/architecture.md, tested on the source tree itself.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declaredIn, declaredInSql, wordsOf } from './test/declared-names.ts'
import { FIXED_NAMES, PROPER_NAMES } from './test/fixed-names.ts'
import { circlesIn, importsOf as importsIn, type Import } from './test/source-imports.ts'
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

/** Parsed once: many rules ask. */
const known = new Map<string, Import[]>()
function importsOf(file: string): Import[] {
  const found = known.get(file) ?? importsIn({ path: file, text: read(file) })
  known.set(file, found)
  return found
}
const shown = ({ from, to }: Import): string => `${from} -> ${to}`
const roomOf = (path: string): string => path.split('/')[0] ?? ''

test('the reader of imports sees every form', () => {
  const all = HALVES.flatMap((half) => sourcesOf(half).flatMap(importsOf))
  expect(all.length).toBeGreaterThan(50)
  expect(
    all.filter(({ own }) => own).every(({ to }) => /\.(?:ts|tsx|json|css|svg|po)(?:\?\w+)?$/.test(to)),
    'own imports name their file',
  ).toBe(true)
})

test('no files import each other in a circle, not even types', () => {
  const files = HALVES.flatMap(sourcesOf).map((path) => ({ path, text: read(path) }))
  expect(circlesIn(files)).toEqual([])
})

for (const half of HALVES) {
  test(`${half} imports only ${[...MAY_IMPORT[half], 'itself'].join(', ')}`, () => {
    const wrong = sourcesOf(half)
      .flatMap(importsOf)
      .filter(({ own, to }) => own && roomOf(to) !== half && !MAY_IMPORT[half].includes(roomOf(to)))
    expect(wrong.map(shown)).toEqual([])
  })
}

/**
 * What stands around the product: nothing of the product imports it (MAY_IMPORT), and among itself it goes
 * one way as well.
 */
const AROUND: Record<string, readonly string[]> = {
  'db/seeds': ['domain'],
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

/** Rules as the database applies them, for tests to compare with. */
const isOracle = (file: string): boolean => file.endsWith('.oracle.ts')
/** Names that the specification gives, the sample document, the catalogue of columns, cases, what makes texts. */
const READ_BY_TESTS =
  /^domain\/(?:constants|display|input-checks|beleg-sample|privacy)\.ts$|\.cases\.ts$|^web\/texts\//
/** How tests see whether a process that they do not hold is gone. */
const PROBES = ['readersRunning']
describe('rules that only tests call', () => {
  const product = HALVES.flatMap(sourcesOf).filter((file) => !isOracle(file))
  test('are oracles, which the product does not use', () =>
    expect(
      product
        .flatMap(importsOf)
        .filter(({ to }) => isOracle(to))
        .map(shown),
    ).toEqual([]))
  test('are in no other file of the product', () => {
    const filesWith = new Map<string, number>()
    for (const file of [...product, ...sourcesOf('scripts')])
      for (const word of new Set(read(file).match(/\w+/gu)))
        filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
    const exported = product
      .filter((file) => !READ_BY_TESTS.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gmu)].map(
          ([, name]) => ({ file, name: name! }),
        ),
      )
      .filter(({ name }) => !PROBES.includes(name))
    expect(exported.length).toBeGreaterThan(3000)
    const usedIn = (name: string, file: string): boolean =>
      read(file).split(new RegExp(`\\b${name}\\b`, 'u')).length > 2
    const unused = exported.filter(({ file, name }) => filesWith.get(name) === 1 && !usedIn(name, file))
    expect(unused.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  })
})

test('domain knows no library, no browser and no Node', () =>
  expect(
    sourcesOf('domain')
      .flatMap(importsOf)
      .filter(({ own }) => !own)
      .map(shown),
  ).toEqual([]))

/** What any room of the server may use besides itself and the files directly in server/. */
const SHARED_IN_SERVER = new Set(['server/database/database.ts', 'server/database/log-reason.ts'])
/**
 * Files of plans and photos (storage, upload, download), the processes that read uploaded files, and what
 * mails look like.
 */
const SHARED_ROOMS = new Set(['files', 'reader', 'mail'])
const SERVER_EXCEPTIONS: readonly (readonly [room: string, uses: string])[] = [
  // Operations acts as the owner of the database: it opens owner connections and knows the embedded engine's
  // folder.
  ['operations', 'database'],
  // One room reads and writes the files of other programs (GeoPackage, GeoJSON, shapefile, CSV), whatever
  // they contain.
  ['vermessung', 'geodata'],
  ['bestand', 'geodata'],
  ['habitat', 'geodata'],
  ['imports', 'geodata'],
  ['ogc', 'geodata'],
  // A second dialect for the same reads: planned, limited and run by the data API.
  ['odata', 'data-api'],
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

test('who is calling is found in one place; only the data API and the sign-in have a scheme of their own', () => {
  const byHand = sourcesOf('server').filter((file) => /\bauthenticate\(/.test(read(file)))
  expect(byHand.filter((file) => !/^server\/(?:data-api|identity|program-keys)\//.test(file))).toEqual([
    'server/route-caller.ts',
  ])
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
      // The people of a customer: the provider and the customer's own admins see them in the same list. Imports:
      // the survey and the stands have the same steps. Places: four pages begin with the same overview.
      if (area === 'members' || area === 'imports' || area === 'places')
        return toArea === 'features' || toArea === 'app'
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
        (file) =>
          !['server/config.ts', 'server/database/connection-environment.ts', 'web/vite.config.ts'].includes(
            file,
          ),
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

test('every command brings what it needs: a bare clone has no pinned Node, nothing installed or built', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const READY = /^(?:npm run --silent (?:build|ensure)|node scripts\/ensure\.mjs --packages-only)\b/
  /** One file without dependencies, for any Node: handed over with an archive. */
  const ALONE = /^node scripts\/[\w-]+\.mjs$/
  /** Work on the source itself, by developers who have built it already. */
  const BY_DEVELOPERS = new Set([
    'check',
    'format',
    'lint',
    'measure',
    'picture',
    'readme',
    'texts',
    'freeze',
    'build',
    'ensure',
  ])
  const bare = Object.entries(scripts)
    .filter(([name]) => !BY_DEVELOPERS.has(name) && !name.startsWith('pre'))
    .filter(([, command]) => !ALONE.test(command))
    .filter(([name, command]) => !READY.test(command) && !READY.test(scripts[`pre${name}`] ?? ''))
  expect(bare.map(([name]) => name)).toEqual([])
})

describe('rules of the database', () => {
  const nouns = readdirSync(join(ROOT, 'db/nouns'))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name, sql: read(`db/nouns/${name}`).replaceAll(/--[^\n]*/g, '') }))
  /** Of one function: from its creation to the next one's. */
  const functions = nouns.flatMap(({ name, sql }) =>
    sql
      .split(/^create (?:or replace )?function (?=\w+\.)/m)
      .slice(1)
      .map((text) => ({ file: name, name: /^[\w.]+/.exec(text)?.[0] ?? '', text })),
  )

  test("a function's rights stand directly below it", () => {
    expect(functions.length).toBeGreaterThan(400)
    const away = functions.flatMap(({ file, name, text }) => {
      const body = /\bas (\$\w*\$)/.exec(text)
      const end = body === null ? text.indexOf(';') : text.indexOf(`${body[1]};`, body.index + 4)
      const below = text.slice(end === -1 ? text.search(/^end \$\$;/m) : end)
      const own = below.replace(/^[^;]*;/, '')
      const others = [...own.matchAll(/(?:define\('|grant execute on function )([\w.]+)/g)]
        .map(([, other = '']) => other)
        // Of functions that a migration made.
        .filter((other) => other !== name && functions.some((one) => one.name === other))
      return others.map((other) => `${file}: ${other} below ${name}`)
    })
    expect(away).toEqual([])
    const inLoops = nouns.filter(({ sql }) => /define\(entry\)|grant execute on function %s/.test(sql))
    expect(inLoops.map(({ name }) => name)).toEqual([])
  })
  test('what is not there or not the caller’s is refused in one place', () => {
    const refusals = functions.filter(({ text }) => /using message = 'not found or not allowed'/.test(text))
    expect(refusals.map(({ name }) => name).sort()).toEqual([
      'rights.check_found',
      'rights.check_not_oneself',
      'rights.refuse_unless',
    ])
  })
})

const code = [...HALVES, 'bench', 'db', 'docs', 'e2e', 'keycloak', 'scripts', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => !/\/(?:node_modules|dist|out|golden|fixtures)\//.test(file))

const widerThan = (longest: number, files: readonly string[]): string[] =>
  files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, nr) => (line.length > longest ? [`${file}:${nr + 1}`] : [])),
  )

test('no line of code has over 120 characters, no line of SQL over 110', () => {
  const files = [...code, ...readdirSync(ROOT)].filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(1500)
  expect(widerThan(120, files)).toEqual([])
  const rules = code.filter((file) => file.startsWith('db/nouns/') && file.endsWith('.sql'))
  expect(rules.length).toBeGreaterThan(40)
  expect(widerThan(110, rules)).toEqual([])
})

/** Where prose could have been broken: outside of code blocks, tables and headings, and not within code or a link. */
function tooWideIn(text: string): number[] {
  let inCode = false
  return text.split('\n').flatMap((line, nr) => {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode
    if (inCode || line.length <= 110 || /^\s*(?:[|#<>`]|\[[^\]]+\]:)/.test(line)) return []
    const plain = line.trimStart().replaceAll(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, '_')
    return /\S\s+\S.*\s/.test(plain) ? [nr + 1] : []
  })
}
test('prose is wrapped at 110 characters', () => {
  const docs = [...code, ...readdirSync(ROOT)].filter((file) => file.endsWith('.md') && !/LIZENZ/.test(file))
  expect(docs.length).toBeGreaterThan(60)
  expect(docs.flatMap((file) => tooWideIn(read(file)).map((nr) => `${file}:${nr}`))).toEqual([])
  const sentence = 'A line that nobody has wrapped. '.repeat(5).trim()
  expect(tooWideIn(['# A', sentence, '```', sentence, '```', `| ${sentence} |`].join('\n'))).toEqual([2])
})

/** Tables: as long as what they list. */
const TABLES: Readonly<Record<string, string>> = {
  'contract/buchhaltung.ts': 'rows and answers of the bookkeeping',
  'domain/habitat/structures.ts': 'structures of habitat trees',
  'scripts/verify-archive.mjs': 'one file that an auditor can be given',
  'server/audit/tables.ts': 'tables for an auditor',
  'server/settings.ts': 'settings of an operator',
  'web/src/app/routes.ts': 'pages',
  'web/src/data/rule-texts.ts': 'sentences of the rules',
}
test('only tables have over 400 lines', () => {
  const product = code.filter(
    (file) =>
      /\.(?:[jt]sx?|mjs|css)$/.test(file) &&
      !/\.(?:test|fixture|d)\.tsx?$|^(?:db\/test|docs|e2e|keycloak|test)\//.test(file),
  )
  expect(product.length).toBeGreaterThan(1000)
  const long = product.filter((file) => read(file).trimEnd().split('\n').length > 400)
  expect(long.toSorted()).toEqual(Object.keys(TABLES))
})

describe('names', () => {
  const { english, trade, short } = readWordLists()
  const typescript = code.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  const declared = new Map(typescript.map((file) => [file, declaredIn(file, read(file))]))

  /** Names of properties that the API, SQL, document templates and case tables fix. */
  const fixed = new Set<string>()
  for (const [file, names] of declared)
    if (file.startsWith('contract/'))
      for (const { name, kind } of names) if (kind === 'property') fixed.add(name)
  const addAll = (pattern: RegExp, files: (file: string) => boolean) => {
    for (const file of code.filter(files))
      for (const [, ...groups] of read(file).matchAll(pattern)) for (const name of groups) fixed.add(name)
  }
  addAll(/"(\w+)"\s*:/g, (file) => file.endsWith('.cases.json'))
  addAll(/(\w+)/g, (file) => file.endsWith('.typ'))
  const TYPES =
    'bigint|int\\w*|smallint|text|numeric|date|boolean|time\\w*|jsonb|uuid|bytea|geometry|double|real|' +
    'app\\.|public\\.|interval|char|varchar'
  const inMigrations = (file: string): boolean => file.startsWith('db/migrations/')
  addAll(new RegExp(`^\\s+"?(\\w+)"? +(?:${TYPES})`, 'gm'), inMigrations)
  addAll(/create table (?:\w+\.)?(\w+)|add column "?(\w+)/g, inMigrations)

  const fixedByHand = Object.values(FIXED_NAMES).flat()
  const kept = new Set([...fixed, ...fixedByHand])
  const proper = new Set(Object.values(PROPER_NAMES).flat())

  /**
   * Words missing from both lists; short ones are skipped, because they are coordinates, units and the like.
   */
  const strangeIn = (name: string): string[] =>
    wordsOf(name).filter((word) => word.length > 2 && !english.has(word) && !trade.has(word))

  test('are English, but for words of the trade: docs/glossary.md has both', () => {
    const strange = [...declared].flatMap(([file, names]) =>
      names
        .filter(({ name, kind }) => !proper.has(name) && (kind === 'free' || !kept.has(name)))
        .flatMap(({ name, line }) => strangeIn(name).map((word) => `${file}:${line} ${name}: ${word}`)),
    )
    expect(declared.size).toBeGreaterThan(1000)
    expect(strange).toEqual([])
  })
  test('that are fixed by hand are in use and fixed by nothing else', () => {
    const all = [...declared.values()].flat()
    const used = new Set(all.filter(({ kind }) => kind !== 'free').map(({ name }) => name))
    expect(fixedByHand.filter((name) => !used.has(name) || fixed.has(name))).toEqual([])
    const everywhere = new Set(all.map(({ name }) => name))
    expect([...proper].filter((name) => !everywhere.has(name))).toEqual([])
  })
  test('of SQL as well: schemas, functions, parameters and variables, but for what the API publishes', () => {
    const functions = code
      .filter((file) => /^db\/nouns\/.*\.sql$/.test(file))
      .flatMap((file) => declaredInSql(read(file)).map((one) => ({ file, ...one })))
    expect(functions.length).toBeGreaterThan(400)
    const strange = functions.flatMap(({ file, name, parameters, variables }) => {
      const isPublished = name.startsWith('app.')
      const own = [...(isPublished ? [] : [name, ...parameters]), ...variables]
      return own
        .filter((one) => !kept.has(one))
        .flatMap((one) => strangeIn(one).map((word) => `${file} ${name} ${one}: ${word}`))
    })
    expect(strange).toEqual([])
  })
  test('of files and folders as well', () => {
    /** Recorded or served under their names, or named by a tool. */
    const KEPT = [
      /^(?:db\/migrations|server\/identity\/assets|web\/public)\//,
      /\/tsconfig\.json$|^keycloak\/forstkontor-realm\.json$|\/font\//,
    ]
    const strange = code
      .filter((file) => /\.\w+$/.test(file) && !KEPT.some((kept) => kept.test(file)))
      .flatMap((file) =>
        strangeIn(file.replaceAll(/\.(?:m?[jt]sx?|md|sql|txt|json|typ|css|png|measure|sh)\b/g, '')).map(
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
