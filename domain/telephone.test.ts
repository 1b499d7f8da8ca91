import { expect, test } from 'vitest'
import { dialHref } from './telephone.ts'

test.each([
  ['0351 12 34-56', 'tel:0351123456'],
  ['+49 351 123456', 'tel:+49351123456'],
  ['+49 (0)351 / 12 34 56', 'tel:+49351123456'],
  ['+49(0) 351 123456', 'tel:+49351123456'],
  ['0049 (0) 351 123456', 'tel:0049351123456'],
  // Within the country the brackets are about the area code.
  ['(0351) 123456', 'tel:0351123456'],
  ['(0) 351 123456', 'tel:0351123456'],
  [' +43 1 234+5', 'tel:+4312345'],
])('%s is dialled as %s', (number, href) => expect(dialHref(number)).toBe(href))
