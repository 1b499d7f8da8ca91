import { expect, test } from 'vitest'
import cases from './kuerzel.cases.json' with { type: 'json' }
import { kuerzelOf } from './kuerzel.ts'

for (const { name, kuerzel } of cases) test(`label of ${name}`, () => expect(kuerzelOf(name)).toBe(kuerzel))
