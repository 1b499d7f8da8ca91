import { describe, expect, test } from 'vitest'
import type { Hq } from '#contract/hq.ts'
import { HQ, HqSchema, NEW_HQ } from './hq-form.ts'
import { feKindOf, SWITCHES, switchFaults, switchesOf, toSwitchFields } from './switches-form.ts'

const faultsOf = (change: object): Record<string, string> => {
  const read = HqSchema.safeParse({ ...NEW_HQ, sHQ: 'Revier Eichberg', ...change })
  return read.success
    ? {}
    : Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.'), message]))
}

describe('master data', () => {
  test('a name is enough', () => expect(faultsOf({})).toEqual({}))
  test.each([
    ['', 'Namen des Forstbetriebs'],
    ['  ', 'Namen des Forstbetriebs'],
    ['x'.repeat(201), '200'],
    ['a\nb', 'Zeilenumbruch'],
  ])('name %j', (sHQ, said) => expect(faultsOf({ sHQ })['sHQ']).toContain(said))
  test.each(['', '0', '1.234,5', '12,3456', '999999,9999', '120 ha'])('takes %j hectares', (hectares) =>
    expect(faultsOf({ dcFLAEHB: hectares })).toEqual({}),
  )
  test.each([
    ['viel', 'Zahl in Hektar'],
    ['-1', 'nicht negativ'],
    ['1.000.000', 'Einheit Hektar'],
    ['1,2,3', 'Zahl in Hektar'],
  ])('refuses %j hectares', (hectares, said) =>
    expect(faultsOf({ dcFLAEHB: hectares })['dcFLAEHB']).toContain(said),
  )
  test.each([
    ['31.12.1899', 'zwischen 1900 und 2099'],
    ['1.1.2100', 'zwischen 1900 und 2099'],
    ['26-1-1', 'ein Datum wie'],
    ['31.02.2026', 'ein Datum wie'],
    ['gestern', 'ein Datum wie'],
  ])('refuses the day %j', (dtFE, said) => expect(faultsOf({ dtFE })['dtFE']).toContain(said))
  test.each([
    ['1.2.26', '2026-02-01'],
    ['01022026', '2026-02-01'],
    ['2026-02-01', '2026-02-01'],
    ['', null],
    [' ', null],
  ])('the day %j goes out as %j', (dtFE, sent) => {
    expect(faultsOf({ dtFE })).toEqual({})
    expect(HQ.toFields({ ...NEW_HQ, dtFE }).dtFE).toBe(sent)
  })
  test('what was loaded and not touched is no change', () => {
    const row = { sHQ: 'Revier', fb_enabled: true, dtFE: '2020-10-01', dcFLAEHB: 1234.5678 } as Hq
    expect(HQ.toFields(HQ.toValues(row))).toEqual(row)
    expect(HQ.toFields(HQ.toValues({ ...row, dtFE: null, dcFLAEHB: null }))).toMatchObject({
      dtFE: null,
      dcFLAEHB: null,
    })
  })
})

describe('switches', () => {
  const OFF = {
    fe_enabled: false,
    basis_fe_enabled: false,
    kawm_enabled: false,
    kawm_custom_area_enabled: false,
    kawm_area: '',
    kawm_approval_date: '',
  }
  const DAY = '2026-11-21'
  test('nothing switched on asks for nothing', () => expect(switchFaults(OFF, DAY)).toEqual({}))
  test('KAWM asks for area and approval', () => {
    expect(Object.keys(switchFaults({ ...OFF, kawm_enabled: true }, DAY))).toEqual([
      'kawm_area',
      'kawm_approval_date',
    ])
    expect(
      Object.keys(switchFaults({ ...OFF, kawm_enabled: true, kawm_area: '0', kawm_approval_date: DAY }, DAY)),
    ).toEqual(['kawm_area'])
    expect(
      switchFaults({ ...OFF, kawm_enabled: true, kawm_area: '12,5', kawm_approval_date: DAY }, DAY),
    ).toEqual({})
  })
  test('an approval of tomorrow is a slip', () =>
    expect(switchFaults({ ...OFF, kawm_approval_date: '22.11.2026' }, DAY).kawm_approval_date).toContain(
      'Zukunft',
    ))
  test('area and date may stay when KAWM is switched off, but not be wrong', () => {
    expect(switchFaults({ ...OFF, kawm_area: '12', kawm_approval_date: '2024-01-01' }, DAY)).toEqual({})
    expect(Object.keys(switchFaults({ ...OFF, kawm_area: 'x' }, DAY))).toEqual(['kawm_area'])
  })
  test('of FE and Basis-FE there is one', () => {
    for (const art of ['keine', 'basis_fe', 'fe'] as const) {
      expect(feKindOf(switchesOf(art))).toBe(art)
      expect(switchesOf(art).fe_enabled && switchesOf(art).basis_fe_enabled).toBe(false)
    }
    expect(feKindOf({ fe_enabled: true, basis_fe_enabled: true })).toBe('fe')
  })
  test('texts become values and back', () => {
    const row = {
      fe_enabled: true,
      basis_fe_enabled: false,
      kawm_enabled: true,
      kawm_custom_area_enabled: true,
      kawm_area: 1012.25,
      kawm_approval_date: '2024-03-01',
    }
    expect(toSwitchFields(SWITCHES.toValues(row))).toEqual(row)
  })
})
