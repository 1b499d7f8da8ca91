import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { earlyClosings } from './dialog-closing.ts'

const ROOT = join(import.meta.dirname, '..')
const found = (body: string) =>
  earlyClosings(
    'a.tsx',
    `function A() { const [asked, setAsked] = useState(null); ${body}
      return <ConfirmDialog open={asked !== null} onConfirm={act} onCancel={() => setAsked(null)} /> }`,
  ).map((line) => line.replace(/^.*: /, ''))

describe('a dialog that closes early is found', () => {
  test.each([
    [
      'before it is stored',
      'const act = async () => { setAsked(null); await save() }',
      'closes before the work',
    ],
    ['before it is sent', 'const act = () => { setAsked(null); save.mutate(1) }', 'closes before the work'],
    ['before what is forgotten', 'const act = () => { onClose(); void save() }', 'closes before the work'],
    [
      'whatever came of it',
      'const act = () => save.mutate(1, { onSettled: () => setAsked(null) })',
      'closes although it failed',
    ],
    ['by name', 'const act = () => save.mutate(1, { onSettled: onClose })', 'closes although it failed'],
    [
      'when it was refused',
      'const act = () => save.mutate(1, { onError: (e) => { tell(e); onClose() } })',
      'closes although it failed',
    ],
    [
      'in a function that is told of it',
      'const failed = () => { setAsked(null) }; const act = () => save.mutate(1, { onError: failed })',
      'closes although it failed',
    ],
    ['by who asked', 'const act = (onSettled) => save.mutate(1, { onSettled })', 'closes although it failed'],
    [
      'in the end',
      'const act = async () => { try { await save() } finally { setAsked(null) } }',
      'closes although it failed',
    ],
    [
      'when it threw',
      'const act = async () => { try { await save() } catch { setAsked(null) } }',
      'closes although it failed',
    ],
    [
      'beside what it begins',
      'const b = <ConfirmDialog open onConfirm={() => { put(1); setAsked(null) }} />',
      'closes while the work goes on',
    ],
  ])('%s', (_, body, why) => expect(found(body)).toEqual([why]))

  test('but not one that closes once it is done', () => {
    expect(found('const act = async () => { await save(); setAsked(null); toast.success("a") }')).toEqual([])
    expect(found('const act = () => save.mutate(1, { onSuccess: () => setAsked(null) })')).toEqual([])
    expect(found('const act = () => save().then(() => { setAsked(null); go("/") })')).toEqual([])
    const busy = 'const [busy, setBusy] = useState(false);'
    expect(found(`${busy} const act = async () => { try { await a() } finally { setBusy(false) } }`)).toEqual(
      [],
    )
  })
})

/** Where closing early is meant, each with its reason. */
const MEANT: readonly string[] = [
  // The person is signed in again; that what is shown is fetched once more is no part of it.
  'web/src/app/shell/ExpiryDialog.tsx: closes before the work',
]

test('no dialog closes before what it was asked to do has succeeded', () => {
  const sources = readdirSync(join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|fixture)\.tsx?$/.test(name))
    .map((name) => `web/src/${name}`)
  const early = sources.flatMap((path) => earlyClosings(path, readFileSync(join(ROOT, path), 'utf8')))
  expect(early.map((one) => one.replace(/:\d+/, '')).toSorted()).toEqual(MEANT)
})
