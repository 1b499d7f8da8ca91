import { expect, test } from 'vitest'
import type { PrivacyDisclosure } from '#contract/privacy.ts'
import { CATALOGUE } from '#domain/privacy.ts'
import { copyHtml, copyZip, escapeHtml, valueText } from './copy-file.ts'
import { tableText } from './privacy-words.ts'

const COPY: PrivacyDisclosure = {
  erstellt: '2026-12-31T12:00:00Z',
  art: 'person',
  nummer: 7,
  name: 'a"<script>alert(1)</script>@forst.example',
  tabellen: [
    {
      tabelle: 'app.benutzer',
      zeilen: [{ user_id: 7, first_name: '<img src=x onerror=alert(1)>', enabled: true, geb: null }],
    },
    { tabelle: 'app.ansicht', zeilen: [] },
  ],
}

test('the readable file names its tables, shows every value and runs nothing that somebody typed', () => {
  const html = copyHtml(COPY)
  expect(html).toContain('<h2>Personendaten</h2>')
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).not.toMatch(/<script|<img/)
  expect(html).toMatch(/Ohne Einträge[\s\S]*Gespeicherte Ansichten/)
})
test('values as people read them', () => {
  expect([null, true, false, 5, 'x', { a: 1 }].map(valueText)).toEqual([
    '',
    'ja',
    'nein',
    '5',
    'x',
    '{"a":1}',
  ])
  expect(valueText('2026-12-31T12:00:00+00:00')).toMatch(/31\.12\.2026/)
  expect(escapeHtml(`<&">`)).toBe('&lt;&amp;&quot;&gt;')
})
test('the file holds both forms, under names that every system can read', async () => {
  const bytes = Buffer.from(await (await copyZip(COPY)).arrayBuffer())
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  for (const name of ['daten.json', 'lesbar.html']) expect(bytes.includes(name), name).toBe(true)
})
test('every table of the catalogue that is handed out has a German name', () => {
  const nameless = Object.entries(CATALOGUE)
    .filter(
      ([name, { person, kunde, whyLeftOut }]) =>
        (person ?? kunde) !== undefined && whyLeftOut === undefined && tableText(name) === name,
    )
    .map(([name]) => name)
  expect(nameless).toEqual([])
})
