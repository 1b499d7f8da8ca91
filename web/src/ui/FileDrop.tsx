// Where files are taken: dropped, or chosen by the button that the children show.
import { type DragEvent, type ReactNode, useState } from 'react'

interface Props {
  /** Of the hidden field, for screen readers. */
  label: string
  accept: string
  multiple?: boolean
  disabled?: boolean
  /** While something is held over it, `{className}-over` comes along. */
  className: string
  /** At least one; just one unless `multiple`. */
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
          // The same file again, mended meanwhile, must count as a choice.
          target.value = ''
        }}
      />
    </div>
  )
}
