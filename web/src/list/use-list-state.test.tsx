// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type View, ViewContext } from '../ui/view.tsx'
import { EVERY_KIND } from './every-kind.fixture.ts'
import { type ListControl, useListState } from './use-list-state.ts'

let root: Root
/** The addresses behind and at the present one, as the browser keeps them. */
let entries: Record<string, string>[]
let control: ListControl
beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  entries = [{}]
  root = createRoot(document.createElement('div'))
  await show()
})
afterEach(() => act(() => root.unmount()))

function Listed() {
  const made = useListState(EVERY_KIND)
  useEffect(() => {
    control = made
  })
  return null
}
const show = () => {
  const view = {
    path: '/dinge',
    search: entries.at(-1)!,
    setSearch: (change, how) => {
      const next = Object.entries({ ...entries.at(-1), ...change }).filter(([, value]) => value !== undefined)
      entries.splice(how?.replace ? -1 : entries.length, 1, Object.fromEntries(next) as never)
    },
  } as Pick<View, 'path' | 'search' | 'setSearch'> as View
  return act(async () =>
    root.render(
      <ViewContext value={view}>
        <Listed />
      </ViewContext>,
    ),
  )
}
const filter = async (value: string) => {
  await act(async () => control.setFilter('one', value))
  await show()
}
const back = async () => {
  entries.pop()
  await show()
}
const seen = () => entries.map((one) => one['one'] ?? '')

test('changes of one filter in a row are one step back', async () => {
  await filter('a')
  await filter('x,y')
  expect(seen()).toEqual(['', 'x,y'])
})
test('after going back the same filter is a step of its own: the unfiltered list stays in reach', async () => {
  await filter('a')
  await back()
  await filter('x,y')
  expect(seen()).toEqual(['', 'x,y'])
})
