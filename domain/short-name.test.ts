import { expect, test } from 'vitest'
import cases from './short-name.cases.json' with { type: 'json' }
import { shortNameOf } from './short-name.ts'

for (const { name, kuerzel } of cases) test(`label of ${name}`, () => expect(shortNameOf(name)).toBe(kuerzel))
