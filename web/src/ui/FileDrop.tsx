// Accepts files that are dropped, or chosen with a button that the children render.
import { type DragEvent, type ReactNode, useState } from 'react'

interface Props {
  /** Accessible name of the hidden input. */
  label: string
  accept: string
  multiple?: boolean
  disabled?: boolean
  /** `{className}-over` is added while something is dragged over it. */
  className: string
  /** Called with at least one file; exactly one unless `multiple`. */
  onFiles: (files: readonly File[]) => void
  children: (choose: () => void) => ReactNode
}

export function FileDrop({
  label,
  accept,
  multiple = false,
  disabled = false,
  className,
  onFiles,
  children,
}: Props) {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])]
    if (chosen.length > 0 && !disabled) onFiles(multiple ? chosen : chosen.slice(0, 1))
  }
  return (
    <div
      className={over ? `${className} ${className}-over` : className}
      onDragOver={(event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      {children(() => input?.click())}
      <input
        ref={setInput}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          take(target.files)
          // Reset, so that choosing the same file again, once corrected, fires a change event.
          target.value = ''
        }}
      />
    </div>
  )
}
