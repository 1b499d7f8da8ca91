import { expect, test } from 'vitest'
import type { SeriePosition } from '#contract/serie.ts'
import type { SerieTemplate } from './serie.data.ts'
import { addedLine, checkSerie, type SerieTyped, startSerie } from './serie-form.ts'

const POSITION: SeriePosition = {
  art: 'position',
  bez: 'Monitoring {zeitraum}',
  anzahl: '1.5',
  einheit: 'ha',
  ep: '1234.5',
  rabatt_prozent: '5.00',
  ust_satz: '7.00',
  kategorie: null,
  steuergrund: '',
  erl: 'Begehung',
  erl_on: true,
  erl_titel: '',
}
const TEMPLATE: SerieTemplate = {
  titel: 'Monitoring',
  kunde: 'Forst A',
  beginn: null,
  anrede: '',
  anschreiben: 'Im {zeitraum}.',
  zuerl: '',
  positionen: [POSITION, { ...POSITION, art: 'ueberschrift', bez: 'Titel' }],
}
const typed = (more: Partial<SerieTyped> = {}): SerieTyped => ({
  ...startSerie(TEMPLATE, null, '2026-03-01'),
  ...more,
})
const faults = (more: Partial<SerieTyped>) => {
  const checked = checkSerie(typed(more))
  return 'faults' in checked
    ? Object.entries(checked.faults).flatMap(([name, text]) => (text === undefined ? [] : [name]))
    : []
}

test('what was not touched is sent as it came, with the days of the rhythm', () => {
  expect(checkSerie(typed())).toEqual({
    values: {
      titel: 'Monitoring',
      monate: 1,
      beginn: '2026-03-01',
      ende: null,
      anzahl: null,
      faellig_am: 'beginn',
      kopf: { anschreiben: 'Im {zeitraum}.', zuerl: '' },
      positionen: [
        { ...POSITION, anzahl: '1.500', ep: '1234.5000' },
        { ...POSITION, art: 'ueberschrift', bez: 'Titel' },
      ],
    },
  })
})

test('a typed price and a line that is added', () => {
  const lines = addedLine(typed().lines)
  const checked = checkSerie(
    typed({
      lines: lines.map((line, at) =>
        at === 2 ? { ...line, bez: ' Anfahrt ', ep: '0,3051', anzahl: '40', einheit: 'km' } : line,
      ),
    }),
  )
  expect('values' in checked && checked.values.positionen?.[2]).toEqual({
    bez: 'Anfahrt',
    anzahl: '40.000',
    einheit: 'km',
    ep: '0.3051',
  })
})

test('the end is a day or a number, whichever is chosen', () => {
  const both = { ende: '31.12.2026', anzahl: '4' }
  const sent = (ends: string) => {
    const checked = checkSerie(typed({ ...both, ends }))
    return 'values' in checked ? [checked.values.ende, checked.values.anzahl] : checked.faults
  }
  expect(sent('offen')).toEqual([null, null])
  expect(sent('tag')).toEqual(['2026-12-31', null])
  expect(sent('anzahl')).toEqual([null, 4])
})

test.each([
  [{ titel: ' ' }, ['titel']],
  [{ beginn: '31.02.2026' }, ['beginn']],
  [{ ends: 'tag', ende: '' }, ['ende']],
  [{ ends: 'tag', ende: '28.02.2026' }, ['ende']],
  [{ ends: 'anzahl', anzahl: '0' }, ['anzahl']],
  [{ ends: 'anzahl', anzahl: '1201' }, ['anzahl']],
  [{ ends: 'anzahl', anzahl: 'vier' }, ['anzahl']],
  [{ lines: [] }, ['positionen']],
  [{ lines: addedLine([]) }, ['lines.1.bez', 'lines.1.ep']],
] satisfies [Partial<SerieTyped>, string[]][])('%j', (more, names) => {
  expect(faults(more)).toEqual(names)
})
