// After the upload of a file of several sheets: its first page is the plan, the others become plans by choice.
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import {
  FIRST_FURTHER,
  lastOf,
  makeFurtherPages,
  runOf,
  type Sheets,
  subscribeRuns,
} from './further-pages.ts'
import { KARTE_LISTS } from './karte.data.ts'

export function FurtherPages(sheets: Sheets) {
  const { datei, count } = sheets
  const client = useQueryClient()
  const { next, begun, busy, fault } = useSyncExternalStore(subscribeRuns, () => runOf(datei))
  const [made, others] = [next - FIRST_FURTHER, lastOf(count) - 1]
  const isDone = made === others
  const run = () =>
    void makeFurtherPages(sheets).then(() => client.invalidateQueries({ queryKey: KARTE_LISTS }))
  return (
    <Notice
      tone={fault === null ? 'info' : 'danger'}
      title={t('Die Datei hat {n} Seiten', { n: formatNumber(count) })}
      actions={
        isDone ? undefined : (
          <Button size="small" busy={busy} onClick={run}>
            {made === 0 && begun === null
              ? t('Die weiteren Seiten als Pläne anlegen')
              : t('Weiter mit Seite {n}', { n: next })}
          </Button>
        )
      }
    >
      <p>
        {isDone
          ? t('Die weiteren Seiten sind jetzt Pläne dieses Kunden.')
          : t('Dieser Plan ist die erste. Aus den weiteren werden nur auf Ihren Wunsch Pläne.')}
      </p>
      {lastOf(count) < count && (
        <p>
          {t('Angelegt werden höchstens {n} Seiten. Bitte teilen Sie die Datei für die übrigen.', {
            n: lastOf(count),
          })}
        </p>
      )}
      {busy && <progress aria-label={t('Seiten, die Pläne geworden sind')} max={others} value={made} />}
      {fault !== null && <p role="alert">{fault}</p>}
    </Notice>
  )
}
