import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shortcutGroups } from './shortcuts.ts'

const SOURCE = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(SOURCE, file), 'utf8')

/**
 * Parts that answer the keys everybody expects of them, and only while they have the focus: dialogs, menus,
 * lists of suggestions, single fields.
 */
const AS_EVERYWHERE = [
  'app/jump/JumpDialog.tsx',
  'app/jump/typed-early.ts',
  'app/shell/FlyingGroup.tsx',
  'app/shell/Sidebar.tsx',
  'app/views/TabMenu.tsx',
  'features/abo/AboStartPage.tsx',
  'features/buchhaltung/position/CellInput.tsx',
  'features/buchhaltung/position/Explanation.tsx',
  'features/georef/ResolutionField.tsx',
  'features/habitat/LocationMetreFields.tsx',
  'list/FilterPanel.tsx',
  'list/head-drag.ts',
  'karte/PlaceSearch.tsx',
  'list/RecordField.tsx',
  'record/notes/MentionField.tsx',
  'ui/chart/ChartPlot.tsx',
  'ui/Dialog.tsx',
  'ui/Menu.tsx',
  'ui/Tabs.tsx',
  'ui/Toaster.tsx',
]
/** They hand the event on to a file of the table, or only watch it. */
const HANDED_ON = [
  'features/buchhaltung/position/use-editor-events.ts',
  'features/buchhaltung/position/use-grid.ts',
  'features/buchhaltung/zahlung/Reconciliation.tsx',
]

const listening = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.tsx?$/.test(file))
  .filter((file) => /\bonKeyDown\b|'keydown'/.test(read(file)))

const groups = shortcutGroups()
const listed = groups.flatMap(({ from }) => from)

test('every file that listens to keys is in the table, or says nothing of its own', () => {
  const known = new Set([...listed, ...AS_EVERYWHERE, ...HANDED_ON])
  expect(listening.filter((file) => !known.has(file))).toEqual([])
  expect([...AS_EVERYWHERE, ...HANDED_ON].filter((file) => !listening.includes(file))).toEqual([])
})

/** Names of keys as they stand in source code: quoted, or as the key of an object. */
const NAMES = 'Enter|Escape|Delete|Backspace|Home|End|Tab|PageUp|PageDown|F2|Arrow(?:Up|Down|Left|Right)'
const NAMED = new RegExp(`(?:'|\\b)(${NAMES})(?:'|: )`, 'g')
const namedIn = (files: readonly string[]): string[] => [
  ...new Set(
    files.flatMap((file) => [...read(file).matchAll(NAMED)].map(([, key]) => (key ?? '').toLowerCase())),
  ),
]

describe.each(groups)('$title', ({ from, keys, where }) => {
  const declared = keys.flatMap((shortcut) => shortcut.keys).map((press) => press.split(/(?<=.)\+/).at(-1)!)

  test('the table has every key that its files handle', () => {
    const said = new Set(declared.map((key) => key.toLowerCase()))
    expect(namedIn(from).filter((key) => !said.has(key))).toEqual([])
  })

  test('its files handle every key of the table', () => {
    const source = from.map(read).join('\n').toLowerCase()
    // A link is opened by the browser itself.
    const own = declared.filter((key) => !(key === 'Enter' && where === 'a[data-row-link]'))
    const handles = (key: string) =>
      source.includes(`'${key.toLowerCase()}'`) ||
      new RegExp(String.raw`\b${key.toLowerCase().replace(/\W/g, '')}: `).test(source)
    expect(own.filter((key) => !handles(key))).toEqual([])
  })
})

test('no shortcut is twice in one place', () => {
  for (const { title, keys } of groups) {
    const presses = keys.flatMap((shortcut) => shortcut.keys)
    expect(new Set(presses).size, title).toBe(presses.length)
  }
})
