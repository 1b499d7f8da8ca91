// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { currentPreferences } from '../../ui/preferences.ts'
import { setMuted } from './muted.ts'

test('taking back one choice leaves those made since', () => {
  setMuted('rechnung', true)
  const back = () => setMuted('rechnung', false)
  setMuted('notiz', true)
  back()
  expect(currentPreferences().mutedNotices).toEqual(['notiz'])
})
