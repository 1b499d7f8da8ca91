import { describe, expect, test } from 'vitest'
import type { BelegSums, BelegTax } from './beleg.ts'
import cases from './korrektur.cases.json' with { type: 'json' }
import { type KorrekturWay, korrekturLine, korrekturSums } from './korrektur.ts'

const taxOf = ([category, rate, lines, discount, basis, tax]: readonly string[]): BelegTax => ({
  kategorie: category as BelegTax['kategorie'],
  satz: rate!,
  grund: '',
  positionen: lines!,
  rabatt: discount!,
  basis: basis!,
  steuer: tax!,
})

describe('a line that is taken back', () => {
  test.each(cases.zeile)('$why', ({ zeile, rest: [restQuantity, restAmount], wunsch, ergibt, fehler }) => {
    const [[way, given]] = Object.entries(wunsch) as [[KorrekturWay, string]]
    const made = korrekturLine({ ...zeile, rest_menge: restQuantity!, rest_betrag: restAmount! }, way, given)
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
