// The official rules' findings beside ours, and their German sentences.
import { describe, expect, test } from 'vitest'
import type { InvoiceFault } from './fault.ts'
import { type OfficialResult, officialOf, rulesApplied, versionName, withOfficial } from './official.ts'
import { ruleText } from './official-words.ts'

const OWN: InvoiceFault = {
  rule: 'BR-CO-15',
  term: 'BT-112',
  place: '',
  weight: 'hint',
  text: '1,00 statt 2,00',
}
const found = (rule: string, text: string, level = 'error', location = '') => ({
  rule,
  level,
  location,
  text,
})
const done = (...findings: ReturnType<typeof found>[]): OfficialResult => ({
  version: 'XRechnung 3.0.2',
  findings,
})

describe('by which rules', () => {
  test.each<[OfficialResult | null, string, ReturnType<typeof officialOf>]>([
    [null, 'Forstkontor 1', null],
    [done(), 'Forstkontor 1; amtlich: XRechnung 3.0.2', { version: 'XRechnung 3.0.2' }],
    [{ reason: 'zeit' }, 'Forstkontor 1; amtlich nicht: zeit', { reason: 'zeit' }],
  ])('%j is kept as %s and read back', (result, kept, read) => {
    expect(rulesApplied(result)).toBe(kept)
    expect(officialOf(kept)).toEqual(read)
  })
  test('a version of any length fits its column, in one line', () => {
    const kept = rulesApplied({ version: `a\n${'b'.repeat(99)}`, findings: [] })
    expect(kept).toMatch(/^Forstkontor 1; amtlich: a b+$/)
    expect(kept.length).toBeLessThanOrEqual(60)
  })
  test('a configuration has a name and a day', () =>
    expect([
      versionName('Validator Configuration XRechnung 3.0.2', '2026-01-31'),
      versionName('Eigene', ''),
    ]).toEqual(['XRechnung 3.0.2, 2026-01-31', 'Eigene']))
})

describe('both lists', () => {
  test('a rule that both name is given once, in our words, with the greater weight', () =>
    expect(withOfficial([OWN], done(found('BR-CO-15', '[BR-CO-15]-Sum')))).toEqual([
      { ...OWN, weight: 'fault', by: 'beide', wording: '[BR-CO-15]-Sum' },
    ]))
  test('what only one of them says is named with it; information is none', () => {
    const line = "/*:Invoice[namespace-uri()='x'][1]/*:InvoiceLine[namespace-uri()='y'][3]"
    const all = withOfficial(
      [OWN],
      done(found('BR-22', 'x (BG-25) y (BT-129)', 'warning', line), found('BR-DE-21', 'z', 'information')),
    )
    expect(all).toEqual([
      OWN,
      {
        rule: 'BR-22',
        term: 'BT-129',
        place: '3',
        weight: 'hint',
        text: expect.stringMatching(/^Eine Pflichtangabe fehlt: .*BT-129/) as string,
        by: 'amtlich',
        wording: 'x (BG-25) y (BT-129)',
      },
    ])
  })
  test.each([
    ['steps that never end', `${'InvoiceLine['.repeat(20_000)}${'namespace'.repeat(20_000)}]x`],
    ['brackets that never close', 'InvoiceLine['.repeat(100_000)],
    ['numbers without an end', `InvoiceLine[${'1'.repeat(400_000)}`],
  ])('a location of somebody else takes no time: %s', (_, location) => {
    const from = performance.now()
    const [fault] = withOfficial([], done(found('BR-22', 'x', 'error', location)))
    expect(performance.now() - from).toBeLessThan(500)
    expect(fault).toMatchObject({ place: '' })
  })
  test('words of somebody else are cut between letters, and turn no line', () => {
    const [fault] = withOfficial(
      [],
      done(found(`BR-${'9'.repeat(100)}`, `\u202E${'😀'.repeat(700)}`), found('BR-1', 'x\uD83D')),
    )
    expect(fault?.rule.length).toBeLessThanOrEqual(61)
    expect(Array.from(fault?.wording ?? '').length).toBe(601)
    for (const one of withOfficial([], done(found('BR-1', 'x\uD83D'), found('BR-2', '😀'.repeat(700)))))
      expect([one.wording, one.text].every((text) => (text ?? '').isWellFormed())).toBe(true)
    expect(fault?.wording).not.toContain('\u202E')
  })
  test('without official rules ours stay alone', () => {
    expect(withOfficial([OWN], null)).toEqual([OWN])
    expect(withOfficial([OWN], { reason: 'start' })).toEqual([OWN])
  })
})

test.each([
  ['BR-CO-10', 'Sum of Invoice line net amount (BT-106) = …', 'Die Summe der Positionen (BT-106) stimmt'],
  [
    'BR-02',
    '[BR-02]-An Invoice shall have an Invoice number (BT-1).',
    'Eine Pflichtangabe fehlt: Rechnungsnummer (BT-1).',
  ],
  [
    'BR-DEC-12',
    '… total amount without VAT (BT-109) is 2.',
    'Ein Betrag hat mehr als zwei Nachkommastellen: ',
  ],
  ['BR-CL-23', 'Unit code MUST be coded …', 'Ein Schlüssel steht nicht in der amtlichen Codeliste'],
  ['BR-S-08', 'For each different value …', 'Der Nettobetrag der Steuerkategorie S (BT-116)'],
  [
    'BR-IC-10',
    'A VAT Breakdown …',
    'Der Grund der Steuerbefreiung (BT-120, BT-121) fehlt bei Steuerkategorie K',
  ],
  ['BR-AE-02', 'An Invoice …', 'Zur Steuerkategorie AE fehlt eine Steuernummer'],
  ['BR-IC-11', 'In an Invoice …', 'Die Rechnung enthält nicht, was bei Steuerkategorie K'],
  ['BR-DE-2', '[BR-DE-2] Die Gruppe "SELLER CONTACT" (BG-6) muss übermittelt werden.', 'Die Gruppe "SELLER'],
  ['CII-SR-452', '[CII-SR-452] - Only one …', 'Die Datei verwendet ein Element anders'],
  [
    'PEPPOL-EN16931-R120',
    'Invoice line net amount …',
    'Eine amtliche Regel ist nicht eingehalten (Regel PEPPOL',
  ],
  [
    'BR-B-01',
    'An Invoice … shall be a domestic Italian invoice.',
    'Eine amtliche Regel ist nicht eingehalten',
  ],
  ['XSD', 'cvc-complex-type …', 'Der Aufbau der Datei entspricht nicht'],
])('%s says it in German', (rule, text, start) =>
  expect(ruleText(found(rule, text)).startsWith(start)).toBe(true),
)
