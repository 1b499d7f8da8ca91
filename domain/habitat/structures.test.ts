import { describe, expect, test } from 'vitest'
import { kindName, kindOf, HABITAT_SPECIES } from './species.ts'
import { STRUCTURE_GROUPS, STRUCTURES, structureOf } from './structures.ts'

const of = (system: string) => ({
  types: STRUCTURES.filter((structure) => structure.system === system),
  groups: STRUCTURE_GROUPS.filter((group) => group.system === system),
})

describe('the typologies', () => {
  test('Larrieu 2018 has 7 forms, 15 groups and 47 types', () => {
    const { types, groups } = of('larrieu_2018')
    expect([new Set(groups.map(({ form }) => form)).size, groups.length, types.length]).toEqual([7, 15, 47])
    expect(structureOf('1.3')?.de).toBe('Große Spechthöhle')
    expect(structureOf('15.2')?.en).toBe('Heavy resin flow')
  })
  test('Kraus 2016 has 20 groups and 64 types', () => {
    const { types, groups } = of('kraus_2016')
    expect([groups.length, types.length]).toEqual([20, 64])
    expect(structureOf('CV11')?.system).toBe('kraus_2016')
  })
  test('no code is taken twice, every type belongs to a group and has both names', () => {
    expect(new Set(STRUCTURES.map(({ code }) => code)).size).toBe(STRUCTURES.length)
    for (const { gruppe, system, de, en } of STRUCTURES) {
      expect(STRUCTURE_GROUPS.some((one) => one.code === gruppe && one.system === system)).toBe(true)
      expect(de.trim() !== '' && en.trim() !== '').toBe(true)
    }
  })
})

describe('species', () => {
  test('names are told apart', () => {
    for (const key of ['code', 'de', 'en'] as const)
      expect(new Set(HABITAT_SPECIES.map((art) => art[key])).size).toBe(HABITAT_SPECIES.length)
  })
  test('words take the place of the list only where the list has none', () => {
    expect(kindName('bu', 'irgendwas')).toBe('Rotbuche')
    expect(kindName('sonstige', 'Mehlbeere')).toBe('Mehlbeere')
    expect(kindName('sonstige', null, 'en')).toBe('Other')
    expect(kindName('neu', null)).toBe('neu')
    expect(kindOf('neu')).toBeUndefined()
  })
})
