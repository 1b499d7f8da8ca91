import { expect, test } from 'vitest'
import cases from './kuerzel.cases.json' with { type: 'json' }
import { shortNameOf } from './kuerzel.ts'

for (const { name, kuerzel } of cases) test(`label of ${name}`, () => expect(shortNameOf(name)).toBe(kuerzel))
