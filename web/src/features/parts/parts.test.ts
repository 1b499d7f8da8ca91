// Every part of the interface is on the page of the building blocks, or says why it does not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const UI = join(import.meta.dirname, '../../ui')

/** What another part draws, or what cannot be seen. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  Actions: 'buttons in a row; arranges only',
  AddressText: 'in MailLink',
  Appearance: 'ThemePicker and Segments, in the panel of settings',
  ChartPlot: 'in the charts',
  EmptyDrawing: 'in EmptyState',
  Field: 'in every field',
  FormDialog: 'a Dialog with a form',
  Hatching: 'in the charts',
  HeadCell: 'in DataTable',
  HeadTick: 'in DataTable',
  Label: 'in the charts',
  Legend: 'in the charts',
  Row: 'in DataTable',
  SeriesBar: 'in the charts',
  SkeletonRow: 'in DataTable',
  Spinner: 'in a button that is busy',
  SupportContact: 'a sentence with a PhoneLink',
  Toaster: 'its lines are there as ToastLine',
  Toolbar: 'buttons in a row; arranges only',
  ValueGrid: 'in the charts',
  VisuallyHidden: 'not seen',
}

const read = (file: string): string => readFileSync(file, 'utf8')
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => join(folder, file))

/** Functions and constants with the name of a component; contexts and tables of values are none. */
const components = sourcesIn(UI).flatMap((file) =>
  [
    ...read(file).matchAll(
      /^export (?:function|const) ([A-Z][A-Za-z]*[a-z][A-Za-z]*)\b(?! = createContext)/gm,
    ),
  ].map(([, name]) => name!),
)
const page = sourcesIn(import.meta.dirname)
  .map(read)
  .join('\n')
const isThere = (name: string): boolean => new RegExp(`<${name}\\b`).test(page)

describe('the page of the building blocks', () => {
  test('parts are found', () => {
    expect(components.length).toBeGreaterThan(50)
    expect(components).toContain('ShownOnce')
  })
  test('shows every part, or a reason is here', () =>
    expect(components.filter((name) => !isThere(name) && !(name in ELSEWHERE))).toEqual([]))
  test('no reason is left of parts that are shown or gone', () =>
    expect(Object.keys(ELSEWHERE).filter((name) => isThere(name) || !components.includes(name))).toEqual([]))
})
