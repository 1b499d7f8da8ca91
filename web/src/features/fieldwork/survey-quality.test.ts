import { expect, test } from 'vitest'
import { qualityOf, qualityOfMean, SET_ON_MAP, worseOf } from './survey-quality.ts'

const RTK = qualityOfMean({
  accuracy: 0.014,
  solution: { type: 'rtk_fixed', estimated: false, ellipsoidal: null, orthometric: null },
})
const PHONE = qualityOfMean({ accuracy: 4.2, solution: null })
const PLAN = qualityOf({ vermessen: 'nein', erfq: 'Bestandsplan', genauigkeit_cm: '300', dn: '80' })

test('a measured point is what the receiver says', () => {
  expect(RTK).toEqual({
    vermessen: 'ja',
    erfq: 'GNSS/RTK',
    genauigkeit_cm: '1,4',
    lage_fix: 'rtk_fixed',
    genauigkeit_geschaetzt: 'nein',
  })
  expect(PHONE).toEqual({
    ...RTK,
    erfq: 'GNSS',
    genauigkeit_cm: '420',
    lage_fix: '',
    genauigkeit_geschaetzt: '',
  })
})
test('a drain is known as well as its worst point', () => {
  expect(worseOf(RTK, RTK)).toEqual(RTK)
  expect([worseOf(RTK, PHONE), worseOf(PHONE, RTK)]).toEqual([PHONE, PHONE])
  const float = { ...RTK, lage_fix: 'rtk_float', genauigkeit_cm: '30' }
  expect(worseOf(RTK, float)).toEqual(float)
})
test('one point of a plan or set on the map, and the drain is not surveyed', () => {
  const known = { vermessen: 'nein', lage_fix: '', genauigkeit_geschaetzt: '' }
  const plan = { ...known, erfq: 'Bestandsplan', genauigkeit_cm: '300' }
  expect([worseOf(PLAN, RTK), worseOf(RTK, PLAN)]).toEqual([plan, plan])
  expect([worseOf(SET_ON_MAP, RTK), worseOf(RTK, SET_ON_MAP)]).toEqual([SET_ON_MAP, SET_ON_MAP])
  expect(worseOf({ ...RTK, genauigkeit_geschaetzt: 'ja' }, SET_ON_MAP)).toEqual(SET_ON_MAP)
  expect(worseOf(PLAN, SET_ON_MAP)).toEqual(SET_ON_MAP)
})
test('what is not known of one point is not known of the drain', () => {
  const imported = qualityOf({ vermessen: 'ja', erfq: 'Tachymeter' })
  expect(worseOf(imported, RTK)).toEqual({ ...imported, erfq: 'Tachymeter' })
  expect(worseOf(qualityOf({}), RTK)).toEqual(qualityOf({}))
})
