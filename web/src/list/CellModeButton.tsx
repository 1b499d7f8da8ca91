// Begins changing cells in the list, for those who may: by its button, or by F2 on a row.
import { useEffect, useRef, useState } from 'react'
import { useHasRole } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import type { ListCells } from './cell-edit.ts'

const CellMode = splitOff(async () => (await import('./CellMode.tsx')).CellMode)

export const CellModeButton = ({ cells }: { cells: ListCells }) =>
  useHasRole(...cells.roles) ? <Begin cells={cells} /> : null

interface Begun {
  readonly card: HTMLElement
  readonly from: HTMLElement | null
}

function Begin({ cells }: { cells: ListCells }) {
  const button = useRef<HTMLButtonElement>(null)
  const [begun, setBegun] = useState<Begun | null>(null)
  const cardOf = () => button.current?.closest<HTMLElement>('.card-body') ?? null
  const begin = (from: HTMLElement | null) => {
    const card = cardOf()
    if (card) setBegun({ card, from })
  }
  useEffect(() => {
    const card = cardOf()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F2' || !(event.target instanceof Element)) return
      const row = event.target.matches('a[data-row-link]') ? event.target.closest('tr') : null
      if (!row) return
      event.preventDefault()
      begin(row)
    }
    card?.addEventListener('keydown', onKey)
    return () => card?.removeEventListener('keydown', onKey)
  }, [])
  const end = () => {
    setBegun(null)
    button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        icon="edit"
        className="cell-mode"
        aria-label={t('Zellen ändern')}
        title={t('Zellen ändern')}
        aria-pressed={begun !== null}
        onClick={() => (begun ? end() : begin(null))}
      >
        {t('Ändern')}
      </Button>
      {begun && <CellMode list={cells} {...begun} onEnd={end} />}
    </>
  )
}
