import { expect, test } from 'vitest'
import { toApiError } from '../data/api-error.ts'
import { KUNDE } from './kunde/kunde-kind.ts'
import { saveFaults as faultsFor } from './record-faults.ts'

const saveFaults = (error: unknown) => faultsFor(error, KUNDE.fields, KUNDE.check)

// Response bodies of the data API for PostgreSQL errors.
const check = (field: string) =>
  toApiError(400, {
    code: '23514',
    message: `new row for relation "kunde" violates check constraint "kunde_${field}_check"`,
    details: null,
    hint: null,
  })

test.each([
  'name',
  'strasse',
  'plz',
  'ort',
  'bundesland',
  'epsg',
  'ap_tel',
  'name_zusatz',
  'ap_gender',
] as const)('a check of %s is told at the field', async (field) => {
  const { fields, form } = saveFaults(await check(field))
  expect(Object.keys(fields)).toEqual([field])
  expect(fields[field]).toMatch(/\.$|-$/)
  expect(form).toBeNull()
})

test('a postcode says what a postcode is', async () =>
  expect(saveFaults(await check('plz')).fields.plz).toContain('Passt nicht zum Land'))

test('a missing value names its column', async () => {
  const error = await toApiError(400, {
    code: '23502',
    message: 'null value in column "ort" of relation "kunde" violates not-null constraint',
    details: null,
    hint: null,
  })
  expect(saveFaults(error).fields).toEqual({ ort: 'Diese Angabe fehlt.' })
})

test('columns that this role may not change are marked, and the sentence stays', async () => {
  const error = await toApiError(403, {
    code: '42501',
    message: 'permission denied for columns name, plz of kunde',
    details: null,
    hint: 'columns',
  })
  const { fields, form } = saveFaults(error)
  expect(Object.keys(fields)).toEqual(['name', 'plz'])
  expect(form).toContain('dürfen Sie nicht ändern')
})

test('a fault at a column that is not on the form is told above it', async () => {
  const error = await toApiError(400, {
    code: '23514',
    message: 'new row violates check constraint "kunde_geheim_check"',
    details: null,
    hint: null,
  })
  expect(saveFaults(error)).toEqual({ fields: {}, form: error.message })
})

test('anything else is told as a whole', async () => {
  expect(saveFaults(await toApiError(503, null)).form).toContain('nicht erreichbar')
  expect(saveFaults(new TypeError('x')).form).toContain('fehlgeschlagen')
})
