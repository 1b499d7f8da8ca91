import { describe, expect, test } from 'vitest'
import type { BelegSums, BelegTax } from './beleg.ts'
import cases from './korrektur.cases.json' with { type: 'json' }
import { type KorrekturWay, korrekturLine, korrekturSums } from './korrektur.ts'

const taxOf = ([kategorie, satz, positionen, rabatt, basis, steuer]: readonly string[]): BelegTax => ({
  kategorie: kategorie as BelegTax['kategorie'],
  satz: satz!,
  grund: '',
  positionen: positionen!,
  rabatt: rabatt!,
  basis: basis!,
  steuer: steuer!,
})

describe('a line that is taken back', () => {
  test.each(cases.zeile)('$why', ({ zeile, rest: [rest_menge, rest_betrag], wunsch, ergibt, fehler }) => {
    const [[way, given]] = Object.entries(wunsch) as [[KorrekturWay, string]]
    const made = korrekturLine({ ...zeile, rest_menge: rest_menge!, rest_betrag: rest_betrag! }, way, given)
    if (typeof made === 'string') return expect(made).toBe(fehler)
    const { anzahl, einheit, ep, rabatt_prozent, betrag, menge } = made
    expect([anzahl, einheit, ep, rabatt_prozent, betrag, menge]).toEqual(ergibt)
  })
})
test.each(cases.summen)('sums: $why', ({ summen, rest, ergibt }) => {
  const sums = { steuern: summen.map(taxOf) } as unknown as BelegSums
  const made = korrekturSums(sums, rest.map(taxOf))
  expect(made.steuern).toEqual(ergibt.map(taxOf))
  expect(made.zahlbetrag).toBe(made.brutto)
})
