// @vitest-environment happy-dom
import { act, type KeyboardEvent } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { Menu } from '../ui/Menu.tsx'
import { hasUnsavedChanges } from '../ui/unsaved.ts'
import { useDialogForm } from './use-dialog-form.ts'

let root: Root
let closed = 0
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  closed = 0
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => act(() => root.unmount()))

const close = () => {
  closed += 1
}
const press = (name: string) =>
  act(async () => [...document.querySelectorAll('button')].find((one) => one.textContent === name)!.click())
const escape = (at: Element) =>
  act(async () =>
    at.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })),
  )
const typeInto = (field: HTMLInputElement, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
const asks = () => document.querySelector('[role=alertdialog] h2')?.textContent ?? null

function Reason() {
  const { frame, text } = useDialogForm({
    initial: { grund: 'Vorschlag' },
    check: (values) => ({ values }),
    guarded: false,
    send: async () => undefined,
    onSent: close,
  })
  return (
    <FormDialog {...frame} title="Grund" submitLabel="Senden" onClose={close}>
      <TextField label="Grund" {...text('grund')} />
    </FormDialog>
  )
}

test('a dialog asks before it drops what was typed, also where leaving the page does not ask', async () => {
  await act(async () => root.render(<Reason />))
  const field = document.querySelector('input')!
  await typeInto(field, 'Falsche Menge')
  expect(hasUnsavedChanges()).toBe(false)
  await escape(field)
  expect([closed, asks()]).toEqual([0, 'Eingaben verwerfen?'])
  await press('Weiter bearbeiten')
  expect(field.value).toBe('Falsche Menge')
  await press('Abbrechen')
  await press('Verwerfen')
  expect(closed).toBe(1)
})
test('what the dialog proposed itself is dropped without a question', async () => {
  await act(async () => root.render(<Reason />))
  await press('Abbrechen')
  expect([closed, asks()]).toEqual([1, null])
})
test('an Escape that a field takes for itself does not close the dialog around it; the next one does', async () => {
  let open = true
  const onKeyDown = (event: KeyboardEvent) => {
    if (open) event.preventDefault()
    open = false
  }
  await act(async () =>
    root.render(
      <Dialog open title="Suche" onClose={close}>
        <input onKeyDown={onKeyDown} />
      </Dialog>,
    ),
  )
  const field = document.querySelector('input')!
  await escape(field)
  expect(closed).toBe(0)
  await escape(field)
  expect(closed).toBe(1)
})
test('an Escape in a menu closes the menu and leaves the dialog around it', async () => {
  let hidden = 0
  Object.assign(HTMLElement.prototype, {
    hidePopover: () => {
      hidden += 1
    },
  })
  await act(async () =>
    root.render(
      <Dialog open title="Liste" onClose={close}>
        <Menu label="Mehr" trigger="Mehr" items={[]} />
      </Dialog>,
    ),
  )
  await escape(document.querySelector('[role=menu]')!)
  expect([hidden, closed]).toEqual([1, 0])
})
