// First step of an import that the server keeps: whose data it is, and the file. Both end up in the address,
// so that returning or reloading continues where the work is.
import type { ReactNode } from 'react'
import type { RecordFilter } from '../list/filter-kinds.ts'
import '../list/list.css'
import { RecordField } from '../list/RecordField.tsx'
import { ImportFileDrop } from '../record/import/ImportFileDrop.tsx'
import { ImportFrame, useAction } from '../record/import/ImportFrame.tsx'
import { Card } from '../ui/Display.tsx'
import { useView } from '../ui/view.tsx'

interface Props {
  subtitle: string
  owner: {
    /** In the address. */
    readonly parameter: string
    readonly filter: RecordFilter<never>
    readonly label: string
    /** Said when a file comes before the owner. */
    readonly missing: string
  }
  /** Readable formats in words. */
  formats: string
  /** Bytes. */
  most: number
  upload: (owner: string, file: File, signal: AbortSignal) => Promise<{ readonly id: number }>
  /** Hints. */
  children: ReactNode
}

export function StoredFile({ subtitle, owner, formats, most, upload, children }: Props) {
  const { search, setSearch } = useView()
  const { parameter, filter, label, missing } = owner
  const text = search[parameter] ?? ''
  const id = /^[1-9]\d{0,14}$/.test(text) ? text : ''
  const { busy, fehler, act, refuse, cancel } = useAction()
  const take = (file: File) => {
    if (id === '') refuse(missing)
    else
      void act(
        (signal) => upload(id, file, signal),
        (made) => setSearch({ import: String(made.id) }),
      )
  }
  return (
    <ImportFrame schritt="datei" subtitle={subtitle} fehler={fehler}>
      <Card>
        <div className="betrieb-wahl">
          <RecordField
            filter={filter}
            label={label}
            value={id}
            apply={(next) => setSearch({ [parameter]: next === '' ? undefined : next }, { replace: true })}
          />
        </div>
        <ImportFileDrop
          formate={formats}
          accept=".gpkg,.geojson,.json,.fgb,.gml,.xml,.dxf,.csv,.txt,.zip"
          most={most}
          busy={busy}
          onFile={take}
          onRefused={refuse}
          onCancel={cancel}
        >
          {children}
        </ImportFileDrop>
      </Card>
    </ImportFrame>
  )
}
