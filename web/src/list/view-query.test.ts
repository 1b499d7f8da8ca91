import { expect, test } from 'vitest'
import { EVERY_KIND } from './every-kind.fixture.ts'
import { plainState } from './list.ts'
import { isShown, queryOf, stateOf } from './view-query.ts'

const PLAIN = plainState(EVERY_KIND)

test('a view begins at the first page', () =>
  expect(queryOf(EVERY_KIND, { ...PLAIN, suche: 'wald hof', seite: 7 })).toBe('suche=wald+hof'))

test('what was saved comes back', () => {
  const state = {
    ...PLAIN,
    suche: 'öl & gas',
    filter: { many: 'a,b', one: 'x%2Cy' },
    sort: 'datum',
    isDescending: true,
  }
  expect(stateOf(EVERY_KIND, queryOf(EVERY_KIND, state))).toEqual(state)
})

test('filters and sorts that exist no more are left out', () => {
  expect(stateOf(EVERY_KIND, 'damals=x&sort=frueher&flag=ja')).toEqual({ ...PLAIN, filter: { flag: 'ja' } })
})

test('a view is shown on any of its pages, in whatever order it was written', () => {
  const state = stateOf(EVERY_KIND, 'flag=ja&suche=wald')
  expect(isShown(EVERY_KIND, 'suche=wald&flag=ja', { ...state, seite: 3 })).toBe(true)
  expect(isShown(EVERY_KIND, 'suche=wald', state)).toBe(false)
  expect(isShown(EVERY_KIND, '', PLAIN)).toBe(true)
})
