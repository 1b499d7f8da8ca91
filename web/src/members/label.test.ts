import { expect, test } from 'vitest'
import { labelOf } from './label.ts'

test.each([
  ['Anna', 'Ahorn', 'anna_ahorn'],
  ['Anna-Lena', 'Öz', 'anna_lena_oz'],
  ['Jörg', 'Groß', 'jorg_gross'],
  ['  Max ', '', 'max'],
  ['', '', ''],
  ['3', 'Musketier', 'n_3_musketier'],
  ['森', '林', ''],
])('%s %s is %s', (first, last, label) => expect(labelOf(first, last)).toBe(label))
