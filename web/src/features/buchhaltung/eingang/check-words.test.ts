// By which rules an invoice was checked, as its page says it.
import { expect, test } from 'vitest'
import { officialOf, rulesApplied } from '#domain/eingang/official.ts'
import { checkedText, differenceText } from './check-words.ts'

const said = (...result: Parameters<typeof rulesApplied>) =>
  checkedText('cii', officialOf(rulesApplied(...result)), 'Forstkontor 1')

test('with the official rules, without them, and when they did not come about', () => {
  expect(said({ version: 'XRechnung 3.0.2, 2026-01-31', findings: [] })).toBe(
    'Geprüft nach den amtlichen Regeln (Version XRechnung 3.0.2, 2026-01-31) und nach unseren eigenen (Forstkontor 1).',
  )
  expect(said(null)).toMatch(
    /^Geprüft nach unseren eigenen Regeln \(Forstkontor 1\); die amtlichen .* nicht eingerichtet\.$/,
  )
  expect(said({ reason: 'start' })).toMatch(/ist gescheitert: Java ließ sich nicht starten\.$/)
  expect(checkedText('pdf', null, 'Forstkontor 1')).toMatch(/nur für E-Rechnungen/)
})
test('what differs is said in both cases', () => {
  expect(differenceText(true)).toMatch(/0,99 €/)
  expect(differenceText(false)).toMatch(/bleiben hier ungeprüft/)
})
