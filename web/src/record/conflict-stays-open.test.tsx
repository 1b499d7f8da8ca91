// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { NotNow } from '../ui/told-error.ts'
import { ConflictDialog } from './ConflictDialog.tsx'

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => act(() => root.unmount()))

const button = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)!
const press = (name: string) => act(async () => button(name).click())
const told = () => document.querySelector('.refusal')?.textContent ?? null

/** Refuses once, then stores. */
function once(store: (what: unknown) => void) {
  let times = 0
  return async (what: unknown) => {
    times += 1
    if (times === 1) throw new NotNow('Keine Verbindung.')
    store(what)
  }
}

test('a conflict that could not be stored stays open with every choice, and is stored on trying again', async () => {
  const stored: unknown[] = []
  await act(async () =>
    root.render(
      <ConflictDialog<'a' | 'b', never, never>
        kind={{ fields: ['a', 'b'], label: (field) => field, show: String, changedBy: () => 'x' }}
        conflict={
          {
            base: { a: 1, b: 1 },
            mine: { a: 2, b: 2 },
            theirs: { a: 3, b: 3, geaendert_von: null, geaendert_am: '2026-11-01T10:00:00Z' },
          } as never
        }
        onResolve={once((choice) => stored.push(choice))}
        onClose={() => stored.push('closed')}
      />,
    ),
  )
  await press('Überall meine Werte')
  await act(async () => document.querySelectorAll<HTMLInputElement>('input[name="conflict-b"]')[1]!.click())
  await press('Auswahl speichern')
  expect([told(), stored]).toEqual([expect.stringContaining('Keine Verbindung.'), []])
  await press('Auswahl speichern')
  expect([told(), stored]).toEqual([null, [{ a: 'mine', b: 'theirs' }]])
})

test('a question stays open until what was confirmed is done', async () => {
  const stored: unknown[] = []
  const confirm = once(() => stored.push('done'))
  const Question = ({ open }: { open: boolean }) => (
    <ConfirmDialog
      open={open}
      title="Weg?"
      confirmLabel="Löschen"
      onConfirm={() => confirm(1)}
      onCancel={() => stored.push('closed')}
    />
  )
  await act(async () => root.render(<Question open />))
  await press('Löschen')
  expect([told(), stored]).toEqual([expect.stringContaining('Keine Verbindung.'), []])
  // Asked again later, it begins without the old failure.
  await act(async () => root.render(<Question open={false} />))
  await act(async () => root.render(<Question open />))
  expect(told()).toBeNull()
  await press('Löschen')
  expect([told(), stored]).toEqual([null, ['done']])
})
