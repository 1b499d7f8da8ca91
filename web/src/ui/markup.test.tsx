import { renderToStaticMarkup } from 'react-dom/server'
import { Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import { Button } from './Button.tsx'
import { type Column, DataTable, shownColumns } from './DataTable.tsx'
import { Checkbox, SelectField, TextField } from './Field.tsx'
import { Pagination } from './Pagination.tsx'

function drawn(element: React.ReactElement) {
  const { document } = new Window()
  document.body.innerHTML = renderToStaticMarkup(element)
  return document.body
}

describe('fields', () => {
  test('label, hint and error are tied to the input', () => {
    const body = drawn(<TextField label="Ort" hint="Wie im Register" error="Bitte angeben." required />)
    const input = body.querySelector('input')!
    expect(body.querySelector('label')?.getAttribute('for')).toBe(input.id)
    const texts = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => body.querySelector(`[id="${id}"]`)?.textContent)
    expect(texts).toEqual(['Wie im Register', 'Bitte angeben.'])
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.required).toBe(true)
  })
  test('without hint and error nothing is described', () => {
    const input = drawn(<TextField label="Ort" />).querySelector('input')!
    expect([input.getAttribute('aria-describedby'), input.getAttribute('aria-invalid')]).toEqual([null, null])
  })
  test('select and checkbox are labelled', () => {
    const body = drawn(
      <>
        <SelectField label="Land" options={[{ value: 'a', label: 'A' }]} emptyOption="Alle" />
        <Checkbox label="Aktiv" error="Fehlt." />
      </>,
    )
    expect([...body.querySelectorAll('option')].map((option) => option.textContent)).toEqual(['Alle', 'A'])
    for (const control of body.querySelectorAll('select, input'))
      expect(body.querySelector(`label[for="${control.id}"]`), control.tagName).not.toBeNull()
  })
})

test('a busy button keeps its place and submits nothing', () => {
  const button = drawn(
    <Button type="submit" busy>
      Speichern
    </Button>,
  ).querySelector('button')!
  expect([button.getAttribute('type'), button.getAttribute('aria-disabled'), button.disabled]).toEqual([
    'button',
    'true',
    false,
  ])
})

interface Row {
  id: number
  name: string
}
const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', title: 'Name', cell: (row) => row.name, sortable: true },
  { key: 'id', title: 'Nummer', cell: (row) => row.id, sortable: true, align: 'end' },
  { key: 'mehr', title: 'Mehr', cell: () => 'x', optional: true },
]
const table = (more: Partial<React.ComponentProps<typeof DataTable<Row>>> = {}) =>
  drawn(
    <DataTable
      caption="Kunden"
      columns={COLUMNS}
      rows={[{ id: 7, name: 'Wald <b>' }]}
      rowKey={(row) => row.id}
      onSort={() => {}}
      {...more}
    />,
  )

describe('table', () => {
  test('headers tell how it is sorted', () => {
    const heads = [...table({ sort: { column: 'name', descending: true } }).querySelectorAll('th')]
    expect(heads.map((head) => head.getAttribute('aria-sort'))).toEqual(['descending', 'none'])
    expect(heads.every((head) => head.getAttribute('scope') === 'col' && head.querySelector('button'))).toBe(
      true,
    )
  })
  test('the first column is a real link', () => {
    const link = table({ rowHref: (row) => `/kunden/${row.id}` }).querySelector('td a')
    expect([link?.getAttribute('href'), link?.textContent]).toEqual(['/kunden/7', 'Wald <b>'])
  })
  test('columns: optional ones only when chosen, the first always', () => {
    expect(shownColumns(COLUMNS).map(({ key }) => key)).toEqual(['name', 'id'])
    expect(shownColumns(COLUMNS, ['mehr']).map(({ key }) => key)).toEqual(['name', 'mehr'])
  })
  test('grey rows while loading, the given state when empty', () => {
    expect(table({ loading: true, rows: [], skeletonRows: 3 }).querySelectorAll('tbody tr')).toHaveLength(3)
    expect(table({ rows: [], empty: <p>Nichts da</p> }).textContent).toContain('Nichts da')
    expect(table({ rows: [], loading: true, empty: <p>Nichts da</p> }).textContent).not.toContain('Nichts da')
  })
})

describe('paging', () => {
  const paging = (more: Partial<React.ComponentProps<typeof Pagination>>) =>
    drawn(<Pagination page={1} pageSize={25} total={1234} shown={25} onPage={() => {}} {...more} />)
  const place = (more: Parameters<typeof paging>[0]) => paging(more).querySelector('output')?.textContent
  const disabled = (body: ReturnType<typeof drawn>) =>
    [...body.querySelectorAll('button')].map((button) => button.getAttribute('aria-disabled') === 'true')
  test('says where one is', () => {
    expect(paging({}).textContent).toContain('1–25 von 1.234')
    expect(paging({ page: 50, shown: 9 }).textContent).toContain('1.226–1.234 von 1.234')
    expect(place({ total: 0, shown: 0 })).toBe('0 von 0')
    expect(place({ page: 900, total: 1234, shown: 0 })).toBe('0 von 1.234')
    expect(place({ page: 900, total: null, shown: 0 })).toBe('')
    expect(place({ page: 2, total: null, shown: 25 })).toBe('26–50')
  })
  test('ends are ends', () => {
    expect(disabled(paging({}))).toEqual([true, true, false, false])
    expect(disabled(paging({ page: 50, shown: 9 }))).toEqual([false, false, true, true])
    expect(disabled(paging({ total: null, shown: 24 }))).toEqual([true, true, true])
  })
})
