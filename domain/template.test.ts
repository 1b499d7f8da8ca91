import { describe, expect, test } from 'vitest'
import { formatGerman } from './geld.ts'
import {
  checkTextModule,
  checkTemplate,
  type TextModuleInput,
  priceOf,
  pricePlaces,
  type TemplateInput,
} from './template.ts'

const TEMPLATE: TemplateInput = {
  gruppe: '',
  bez: ' Dränage\neinmessen ',
  einheit: 'm',
  ep: '1.234,5678',
  ust_satz: '',
  erl_titel: '',
  erl: 'a\r\nb\u0007\tc',
}
const TEXT_MODULE: TextModuleInput = {
  art: 'anschreiben',
  titel: ' Angebot ',
  text: 'Guten Tag {name},\r\n\r\nanbei {nummer}.',
}

describe('a template', () => {
  test('travels with exact texts', () =>
    expect(checkTemplate(TEMPLATE)).toEqual({
      values: {
        gruppe: null,
        bez: 'Dränage einmessen',
        einheit: 'm',
        ep: '1234.5678',
        ust_satz: null,
        erl_titel: '',
        erl: 'a\nb\tc',
      },
    }))
  test('may take something off and bear a rate of its own', () =>
    expect(checkTemplate({ ...TEMPLATE, gruppe: 'Wald', ep: '-5', ust_satz: '7' })).toMatchObject({
      values: { gruppe: 'Wald', ep: '-5.0000', ust_satz: '7.00' },
    }))
  test.each<[string, Partial<TemplateInput>, object]>([
    ['nothing in it', { bez: ' ', einheit: '', ep: '' }, { bez: 'fehlt', einheit: 'fehlt', ep: 'fehlt' }],
    [
      'texts too long',
      {
        gruppe: 'x'.repeat(61),
        bez: 'x'.repeat(201),
        einheit: 'x'.repeat(21),
        erl_titel: 'x'.repeat(201),
        erl: 'x'.repeat(4001),
      },
      { gruppe: 'zu_lang', bez: 'zu_lang', einheit: 'zu_lang', erl_titel: 'zu_lang', erl: 'zu_lang' },
    ],
    ['five places', { ep: '0,12345' }, { ep: 'stellen' }],
    ['eleven digits', { ep: '12345678901' }, { ep: 'gross' }],
    ['an English point', { ep: '0.85' }, { ep: 'punkt' }],
    ['a rate of a hundred', { ust_satz: '100' }, { ust_satz: 'satz' }],
    ['a rate below nothing', { ust_satz: '-7' }, { ust_satz: 'negativ' }],
  ])('with %s is told at its fields', (_what, change, faults) =>
    expect(checkTemplate({ ...TEMPLATE, ...change })).toEqual({ faults }),
  )
  test('prices are shown with two to four places', () =>
    expect(
      ['0.8500', '1234.5678', '-3.0000', '0.1250'].map((text) => formatGerman(priceOf(text), pricePlaces)),
    ).toEqual(['0,85', '1.234,5678', '-3,00', '0,125']))
})

describe('a text block', () => {
  test('keeps its lines', () =>
    expect(checkTextModule(TEXT_MODULE)).toEqual({
      values: { art: 'anschreiben', titel: 'Angebot', text: 'Guten Tag {name},\n\nanbei {nummer}.' },
    }))
  test.each<[string, Partial<TextModuleInput>, object]>([
    ['no title and no text', { titel: '', text: ' \n' }, { titel: 'fehlt', text: 'fehlt' }],
    [
      'both too long',
      { titel: 'x'.repeat(101), text: 'x'.repeat(6001) },
      { titel: 'zu_lang', text: 'zu_lang' },
    ],
    ['another kind', { art: '' }, { art: 'art' }],
    ['unknown placeholders', { text: '{vorname} {name} {' }, { text: { unbekannt: ['{vorname}', '{'] } }],
  ])('with %s is told at its fields', (_what, change, faults) =>
    expect(checkTextModule({ ...TEXT_MODULE, ...change })).toEqual({ faults }),
  )
})
