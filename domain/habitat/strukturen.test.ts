import { describe, expect, test } from 'vitest'
import { artName, artOf, HABITAT_ARTEN } from './arten.ts'
import { STRUKTUR_GRUPPEN, STRUKTUREN, strukturOf } from './strukturen.ts'

const of = (system: string) => ({
  typen: STRUKTUREN.filter((struktur) => struktur.system === system),
  gruppen: STRUKTUR_GRUPPEN.filter((gruppe) => gruppe.system === system),
})

describe('the typologies', () => {
  test('Larrieu 2018 has 7 forms, 15 groups and 47 types', () => {
    const { typen, gruppen } = of('larrieu_2018')
    expect([new Set(gruppen.map(({ form }) => form)).size, gruppen.length, typen.length]).toEqual([7, 15, 47])
    expect(strukturOf('1.3')?.de).toBe('Große Spechthöhle')
    expect(strukturOf('15.2')?.en).toBe('Heavy resin flow')
  })
  test('Kraus 2016 has 20 groups and 64 types', () => {
    const { typen, gruppen } = of('kraus_2016')
    expect([gruppen.length, typen.length]).toEqual([20, 64])
    expect(strukturOf('CV11')?.system).toBe('kraus_2016')
  })
  test('no code is taken twice, every type belongs to a group and has both names', () => {
    expect(new Set(STRUKTUREN.map(({ code }) => code)).size).toBe(STRUKTUREN.length)
    for (const { gruppe, system, de, en } of STRUKTUREN) {
      expect(STRUKTUR_GRUPPEN.some((one) => one.code === gruppe && one.system === system)).toBe(true)
      expect(de.trim() !== '' && en.trim() !== '').toBe(true)
    }
  })
})

describe('species', () => {
  test('names are told apart', () => {
    for (const key of ['code', 'de', 'en'] as const) expect(new Set(HABITAT_ARTEN.map((art) => art[key])).size).toBe(HABITAT_ARTEN.length)
  })
  test('words take the place of the list only where the list has none', () => {
    expect(artName('bu', 'irgendwas')).toBe('Rotbuche')
    expect(artName('sonstige', 'Mehlbeere')).toBe('Mehlbeere')
    expect(artName('sonstige', null, 'en')).toBe('Other')
    expect(artName('neu', null)).toBe('neu')
    expect(artOf('neu')).toBeUndefined()
  })
})
