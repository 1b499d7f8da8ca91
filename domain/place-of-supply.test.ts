import { describe, expect, test } from 'vitest'
import type { TaxCategory } from './beleg.ts'
import cases from './place-of-supply.cases.json' with { type: 'json' }
import { placeCategories, placeReason, type Supply } from './place-of-supply.ts'
import type { Place } from './supply-place.ts'

const supplyOf = ({
  leistungsort,
  leistungsland,
  land,
  plz,
  privat,
  ust_id,
}: (typeof cases)[number]): Supply => ({
  leistungsort: leistungsort as Place,
  leistungsland,
  empfaenger: { land, plz, ist_privat: privat, ust_id },
})
const CATEGORIES: readonly TaxCategory[] = ['S', 'E', 'AE', 'O']

describe('place of supply', () => {
  for (const one of cases) test(one.why, () => expect(placeCategories(supplyOf(one))).toEqual(one.erlaubt))
})

test('who owes nothing here reads why, and in English where German is not read', () => {
  const reason = (supplyPlace: Place, land: string, category: TaxCategory, isPrivate = false) =>
    placeReason(
      {
        leistungsort: supplyPlace,
        leistungsland: null,
        empfaenger: { land, plz: '', ist_privat: isPrivate, ust_id: '' },
      },
      category,
    )
  expect([
    reason('kein_grundstueck', 'AT', 'AE'),
    reason('kein_grundstueck', 'FR', 'AE'),
    reason('kein_grundstueck', 'CH', 'O'),
    reason('kein_grundstueck', 'CH', 'O', true),
    reason('grundstueck_ausland', 'GB', 'O'),
    reason('grundstueck_inland', 'AT', 'S'),
    reason('grundstueck_inland', 'AT', 'E'),
  ]).toEqual([
    'Steuerschuldnerschaft des Leistungsempfängers',
    'Steuerschuldnerschaft des Leistungsempfängers (reverse charge)',
    'Im Inland nicht steuerbar (§ 3a Abs. 2 UStG)',
    'Im Inland nicht steuerbar (§ 3a Abs. 4 UStG)',
    'Im Inland nicht steuerbar: Grundstück im Ausland (§ 3a Abs. 3 Nr. 1 UStG) (not subject to German VAT)',
    '',
    '',
  ])
})

test('German land always bears German tax for people abroad, land abroad never', () => {
  for (const { land, plz, privat, ust_id } of cases) {
    const recipient = { land, plz, ist_privat: privat, ust_id }
    const of = (supplyPlace: Place, supplyCountry: string | null) =>
      placeCategories({ leistungsort: supplyPlace, leistungsland: supplyCountry, empfaenger: recipient })
    if (land !== 'DE') expect(of('grundstueck_inland', null)).toEqual(['S', 'E'])
    expect(of('grundstueck_ausland', 'AT').filter((one) => one === 'S' || one === 'E')).toEqual([])
    expect(CATEGORIES).toEqual(expect.arrayContaining([...of('kein_grundstueck', null)]))
  }
})
