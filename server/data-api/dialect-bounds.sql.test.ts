// What one read may cost, on both engines: patterns, searches, and the heaviest requests that the caps let
// through.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_ENGINES, type DialectHome } from '../../test/dialect-engines.ts'
import { authenticate } from './data-api.fixture.ts'
import { DEFAULT_LIMITS } from './limits.ts'

const READ_MS = 1_500
/** The embedded engine is ended and opened again, beside other suites. */
const PATIENCE_MS = 15_000

const encoded = (text: string) => encodeURIComponent(text)
const repeat = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i))

/** Texts of 5,000 characters, and patterns that need all time there is or all that a pattern may hold. */
const LONG_TEXTS = `
  create table trail.long_text (id int primary key, t text);
  insert into trail.long_text select i, repeat('a', 5000) || 'c' from generate_series(1, 200) i;
  grant select on trail.long_text to trail_web`

const PATTERNS: readonly (readonly [what: string, pattern: string])[] = [
  ['looking ahead again and again', '(?=a*(?=a*b))'.repeat(19)],
  ['groups repeated in groups', '^(a+)+$'],
  ['references back', '(a*)(a*)(a*)\\1\\2\\3b$'],
  ['counts in counts', '((a{1,200}){1,200}){1,200}b'],
  ['as many choices as fit', `(${'a|'.repeat(120)}b)+$`],
  ['as many optional letters as fit', `${'a?'.repeat(124)}b`],
  ['as many classes as fit', '[[:alpha:]]*'.repeat(20)],
  ['brackets as deep as fit', `${'('.repeat(124)}a${')'.repeat(124)}`],
]

const SEARCHES: readonly (readonly [what: string, filter: string])[] = [
  ['a thousand words', `fts.${repeat(1000, (i) => `a${i}`).join('|')}`],
  ['brackets four hundred deep', `fts.${'('.repeat(400)}a${')'.repeat(400)}`],
  ['brackets three thousand deep', `fts.${'('.repeat(3000)}a${')'.repeat(3000)}`],
  ['a phrase of two thousand words', `phfts.${'a '.repeat(2000)}`],
  ['two thousand negations', `fts.${'!'.repeat(2000)}a`],
  ['a thousand wildcards', `like.${'%a'.repeat(1000)}b`],
  ['a thousand arrays', `eq(any).{${repeat(900, () => 'a').join()}}`],
]

for (const { engine, open, skip } of DIALECT_ENGINES) {
  describe.skipIf(skip())(`what a read may cost on ${engine}`, () => {
    let home: DialectHome
    beforeAll(async () => {
      // Each case is a different person: one who made the engine end has to pause.
      home = await open({
        limits: { readMs: READ_MS },
        authenticate: (authorization) => ({ ...authenticate(authorization), person: authorization ?? '' }),
      })
      await home.run(LONG_TEXTS)
    })
    afterAll(() => home?.close())

    const asked = async (path: string, as: string) => {
      const since = performance.now()
      const answer = await home.shop.call(path, { as })
      const { code } = (answer.json ?? {}) as { code?: string }
      return { status: answer.status, code, ms: performance.now() - since }
    }

    test.each(PATTERNS)('a pattern: %s', async (what, pattern) => {
      expect(pattern.length).toBeLessThanOrEqual(DEFAULT_LIMITS.patternLength)
      const { status, code, ms } = await asked(`/long_text?select=id&t=match.${encoded(pattern)}`, what)
      // Found or not, or refused as too complex, or ended by the time limit of a read.
      if (status !== 200) expect(['2201B', '54001', '57014']).toContain(code)
      expect(ms).toBeLessThan(PATIENCE_MS)
      expect((await asked('/hut?select=id&limit=1', 'somebody else')).status).toBe(200)
    })

    test.each(SEARCHES)('a filter: %s', async (what, filter) => {
      const [operator = '', ...value] = filter.split('.')
      const path = `/long_text?select=id&limit=3&t=${operator}.${encoded(value.join('.'))}`
      const { status, code, ms } = await asked(path, what)
      if (status !== 200) expect(['42601', '54001', '57014', 'HTTP414']).toContain(code)
      expect(ms).toBeLessThan(PATIENCE_MS)
    })

    test('the deepest and widest embeds, ordered and filtered at each level', async () => {
      const { embeds, filters, orderItems, selectItems } = DEFAULT_LIMITS
      const narrowed = repeat(filters, (i) => `id=not.eq.${-i}`).join('&')
      const paths: readonly string[] = [
        '/region?select=id,hut!inner(id,region!inner(id,hut!inner(id,warden!inner(hut!inner(id)))))',
        `/region?select=id,${repeat(embeds, (i) => `e${i}:hut!inner(*)`)}&${narrowed}`,
        `/hut?select=id,${repeat(embeds, (i) => `e${i}:neighbours!inner(label)`)}&${narrowed}`,
        `/hut?select=...region(a:id,...parent_id(b:id,...region(c:id,...hut(d:id,...warden(e:name)))))&${narrowed}`,
        `/hut?select=${repeat(selectItems, (i) => `a${i}:label`)}&order=${repeat(orderItems, () => 'tag_count')}`,
        `/hut?select=id,region()&order=${repeat(orderItems, () => 'region(name)')}&${narrowed}`,
        `/hut?select=${repeat(20, (i) => `a${i}:extra->host->>name`)}&order=extra->>stars`,
      ]
      for (const path of paths) {
        const since = performance.now()
        const answer = await home.shop.call(path, { headers: { Prefer: 'count=exact' } })
        expect([path.slice(0, 60), answer.status, answer.status < 300 ? '' : answer.text]).toEqual([
          path.slice(0, 60),
          200,
          '',
        ])
        expect(performance.now() - since).toBeLessThan(PATIENCE_MS)
      }
    })
  })
}
