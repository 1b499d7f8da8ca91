import { describe, expect, test } from 'vitest'
import { angebot, threeRates, mahnung, xrechnung } from '../server/documents/beleg.fixture.ts'
import { MAHN_TEXT } from './mahnung.ts'
import { fillPlaceholders, unknownPlaceholders } from './placeholders.ts'
import { addressesOf, isAddress, coverMessageOf, placeholdersOf } from './dispatch.ts'

describe('the message that carries a document', () => {
  const filled = (beleg: Parameters<typeof coverMessageOf>[0]) => {
    const { betreff, text } = coverMessageOf(beleg)
    const values = placeholdersOf(beleg)
    return { betreff: fillPlaceholders(betreff, values), text: fillPlaceholders(text, values) }
  }
  test.each([threeRates(), xrechnung(), angebot(), mahnung()])(
    'leaves no placeholder open: $art $format',
    (beleg) => {
      const { betreff, text } = filled(beleg)
      expect(`${betreff}${text}`).not.toMatch(/[{}]/)
      expect(text.startsWith('Sehr geehrte Damen und Herren,\n\n')).toBe(true)
      expect(text.endsWith(`Mit freundlichen Grüßen\n${beleg.lieferant.name}`)).toBe(true)
    },
  )
  test('says of an XRechnung which file counts', () => {
    expect(filled(xrechnung()).text).toContain('Maßgeblich ist die XML-Datei')
    expect(filled(threeRates()).text).not.toContain('XML')
  })
  test('of a reminder speaks of its invoice', () =>
    expect(filled(mahnung()).betreff).toBe('Zahlungserinnerung zur Rechnung RE-2026-0042'))
  test('of what we collect says when, from where and by what, and asks for no payment', () => {
    const { text } = filled({
      ...threeRates(),
      einzug: {
        tag: '2026-12-14',
        mandat: 'M-17',
        iban: 'DE89370400440532013000',
        glaeubiger_id: 'DE98ZZZ09999999999',
      },
    })
    expect(text).toContain(
      'Den Betrag ziehen wir am 14.12.2026 von Ihrem Konto DE89 … 3000 ein ' +
        '(Mandat M-17, Gläubiger-ID DE98ZZZ09999999999).',
    )
    expect(text).not.toMatch(/zahlbar|37040044/)
  })
  test('of what is paid already names no day', () => {
    const paid = { ...threeRates(), summen: { ...threeRates().summen, zahlbetrag: '0.00' } }
    expect(filled(paid).text).not.toContain('zahlbar')
  })
})
test('reminders know the placeholders that they use', () => {
  for (const text of Object.values(MAHN_TEXT)) {
    expect(unknownPlaceholders(text)).toEqual([])
    expect(text).toMatch(/\{betrag\}.*\{faellig\}/)
  }
})
test('addresses one after the other', () => {
  expect(addressesOf(' a@b.example, c@d.example;a@b.example\n')).toEqual(['a@b.example', 'c@d.example'])
  expect(addressesOf(' ')).toEqual([])
  for (const wrong of ['a', 'a@b', 'a b@c.example', 'A <a@b.example>', `${'x'.repeat(250)}@b.example`])
    expect(isAddress(wrong)).toBe(false)
  expect(isAddress('rechnung+kasse@müller-forst.example')).toBe(true)
})
