// Truncates long cell texts with an ellipsis; the whole text is shown on hover and read aloud.
import './list.css'

export function Clip({ text, width }: { text: string | null | undefined; width?: number }) {
  if (text === null || text === undefined || text === '') return <span className="soft">–</span>
  return (
    <span className="list-clip" title={text} {...(width !== undefined && { style: { maxWidth: width } })}>
      {text}
    </span>
  )
}
