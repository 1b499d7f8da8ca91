// Writes the next reminder, or says from when on that is possible. One and the same button, so that the focus
// stays on it when the reminder is written and the next deadline begins to run.
import type { MahnListRow } from '#contract/zahlung.ts'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'

interface Props {
  row: MahnListRow
  /** Both while it can be written. */
  text: string
  name?: string
  onRemind: () => void
}

export function RemindButton({ row: { dran, naechste, ab }, text, name, onRemind }: Props) {
  const later = { stufe: mahnLevelText(naechste ?? 3), tag: formatDate(ab) }
  const wait = () =>
    toast.info(t('{stufe} ab {tag}: Bis dahin laufen die Frist und die Wartezeit für Überweisungen.', later))
  return (
    <Button
      size="small"
      variant={dran ? 'secondary' : 'quiet'}
      aria-label={dran ? name : undefined}
      onClick={dran ? onRemind : wait}
    >
      {dran ? text : t('{stufe} ab {tag}', later)}
    </Button>
  )
}
