import { expect, test } from 'vitest'
import { ALL_FIELDS, fieldsOf } from '#domain/vermessung/fields.ts'
import { inputsOf, parseInput, parseInputs, showSurveyValue } from './survey-form.ts'

const field = (name: string) => ALL_FIELDS.find((one) => one.name === name)!
const VALUES = {
  schluessel: 'S 1',
  vermessen: true,
  dn: 300,
  hoehe: 77.125,
  datum: '2026-11-22',
  bemerkung: 'tief',
  gefaelle: -0.3,
}

test('what is shown in the inputs is read back as the same values', () => {
  const inputs = inputsOf('draenage', VALUES)
  expect(inputs).toMatchObject({
    vermessen: 'ja',
    hoehe: '77,125',
    datum: '22.11.2026',
    gefaelle: '-0,3',
    erfq: '',
  })
  const { values, faults } = parseInputs('draenage', inputs)
  expect(faults).toEqual({})
  expect(values).toMatchObject({ ...VALUES, erfq: null })
})
test('a manhole has no slope', () => {
  expect(Object.keys(inputsOf('schacht', VALUES))).toEqual(fieldsOf('schacht').map(({ name }) => name))
  expect(inputsOf('schacht', VALUES)).not.toHaveProperty('gefaelle')
})
test.each([
  ['dn', '0'],
  ['dn', '10001'],
  ['dn', '1,5'],
  ['dn', 'breit'],
  ['hoehe', '9001'],
  ['hoehe', '1,2345'],
  ['tiefe', '-1'],
  ['baujahr', '1699'],
  ['datum', '31.2.2026'],
  ['datum', '1.1.2999'],
  ['material', 'x'.repeat(101)],
])('%s %s is refused with a sentence', (name, text) =>
  expect(parseInput(field(name), text)).toEqual({ fault: expect.stringMatching(/\w+ .+\.$/) }),
)
test('each kind is shown as people write it', () => {
  expect(showSurveyValue('schacht', 'vermessen', false)).toBe('nein')
  expect(showSurveyValue('schacht', 'datum', '2026-11-22')).toBe('22.11.2026')
  expect(showSurveyValue('schacht', 'hoehe', null)).toBe('')
  expect(showSurveyValue('schacht', 'geloescht', true)).toBe('ja')
})
