// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { setPreference } from '../ui/preferences.ts'
import { useUnsavedChanges } from '../ui/unsaved.ts'
import { followLanguage, shownLanguage } from './language.ts'

function Page({ isDirty }: { isDirty: boolean }) {
  useUnsavedChanges(isDirty)
  return null
}

test('a language chosen elsewhere waits until nothing is unsaved, for it recreates the pages', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Page isDirty />))
  setPreference('language', 'en')
  await followLanguage()
  expect(shownLanguage()).toBe('de')
  await act(async () => root.render(<Page isDirty={false} />))
  await expect.poll(shownLanguage).toBe('en')
  await act(async () => root.unmount())
})
