// A bookkeeper's year: played through the real application, calculated again in Python from what happened,
// and every figure compared to the cent. A quarter in `npm test`; whole years in `npm run test:year` and the
// full run.
import { afterAll, describe, expect, inject, test } from 'vitest'
import { VOLL } from '../test/extent.ts'
import { hasBrowser } from './browser.ts'
import { compareYear } from './year/compare.ts'
import { openOffice } from './year/office.ts'
import { type PlayedYear, playYear } from './year/player.ts'
import { reckon } from './year/reckon.ts'

const SERVER = inject('postgresUrl')
const YEARS = VOLL
  ? [1, 2, 3].map((seed) => ({
      seed,
      from: '2026-01-01',
      to: '2026-12-31',
      invoices: 8,
      screenMonth: '2026-05',
    }))
  : [{ seed: 1, from: '2026-01-01', to: '2026-03-31', invoices: 4, screenMonth: '2026-02' }]
/** Enough to see what is wrong; a wrong rule makes hundreds. */
const SHOWN = 60

describe.skipIf(SERVER === null || !hasBrowser())('a bookkeeper’s year', () => {
  const counts: string[] = []
  afterAll(() => console.log(counts.join('\n')))

  test.each(YEARS)(
    'seed $seed, $from to $to: every figure as reckoned',
    { timeout: 30 * 60_000, retry: 0 },
    async (options) => {
      const office = await openOffice(SERVER!, options.from)
      try {
        const year = await playYear(office, options)
        expect(year.onScreen.complaints, 'the console').toEqual([])
        expect(year.onScreen.acts).toBeGreaterThan(10)
        const archive = await office.download(`/prod-api/pruefung/${options.from}_${options.to}.zip`)
        const reckoned = reckon(year.facts, archive)
        const { figures, differences } = await compareYear(office, year, reckoned)
        counts.push(
          `seed ${options.seed}: ${figures} figures, ${year.onScreen.acts} acts on the pages, ${kindsOf(year)}`,
        )
        expect(differences.slice(0, SHOWN)).toEqual([])
      } finally {
        await office.close()
      }
    },
  )
})

const kindsOf = ({ facts }: PlayedYear): string =>
  [...Map.groupBy(facts.events, (fact) => ('kind' in fact ? `${fact.type} ${fact.kind}` : fact.type))]
    .map(([kind, { length }]) => `${length} × ${kind}`)
    .join(', ')
