// Keys as a list: what each may do, when it was used, until when it works, and the button that ends it.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Zugang } from '#contract/zugang.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { endText, lastUseText, limitsText, stateOf } from './key-words.ts'
import './program-keys.css'
import { keysQuery, useEndKey } from './program-keys.data.ts'

interface Props {
  /** Everybody's that the user administers. */
  alle: boolean
  /** Shown if there is none. */
  none: ReactNode
  action: ReactNode
}

export function KeyList({ alle, none, action }: Props) {
  const query = useQuery(keysQuery(alle))
  const [ending, setEnding] = useState<Zugang | null>(null)
  if (query.isPending) return <Skeleton lines={4} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.length === 0)
    return (
      <EmptyState icon="lock" title={t('Noch kein Schlüssel')} action={action}>
        {none}
      </EmptyState>
    )
  const working = query.data.filter(({ zustand }) => zustand === 'aktiv')
  const ended = query.data.filter(({ zustand }) => zustand !== 'aktiv')
  const list = (rows: readonly Zugang[], label: string) => (
    <ul className="program-keys" aria-label={label}>
      {rows.map((row) => (
        <KeyRow key={row.id} row={row} alle={alle} onEnd={() => setEnding(row)} />
      ))}
    </ul>
  )
  return (
    <div className="stack">
      {working.length > 0 ? (
        list(working, t('Gültige Schlüssel'))
      ) : (
        <p className="soft">{t('Zurzeit gilt keiner.')}</p>
      )}
      {ended.length > 0 && (
        <details>
          <summary>{t('Widerrufen und abgelaufen ({n})', { n: ended.length })}</summary>
          {list(ended, t('Nicht mehr gültige Schlüssel'))}
        </details>
      )}
      <div>{action}</div>
      <EndKey row={ending} alle={alle} onClose={() => setEnding(null)} />
    </div>
  )
}

function KeyRow({ row, alle, onEnd }: { row: Zugang; alle: boolean; onEnd: () => void }) {
  const { tone, text } = stateOf(row)
  return (
    <li>
      <div className="program-key-head">
        <strong>{row.name}</strong>
        <Badge tone={tone}>{text}</Badge>
        {row.art === 'haus' && <Badge tone="info">{t('gemeinsam')}</Badge>}
      </div>
      <p>
        {alle && t('Gehört {who}.', { who: row.inhaber })} {limitsText(row, !alle)}
      </p>
      <p className="soft">
        {endText(row)} · {lastUseText(row)} ·{' '}
        {row.client === null
          ? t('letzte Zeichen: …{signs}', { signs: row.zeichen })
          : t('Kennung {client}', { client: row.client })}
      </p>
      {row.zustand === 'aktiv' && (
        <Button icon="close" onClick={onEnd} aria-label={t('{name} widerrufen', { name: row.name })}>
          {t('Widerrufen')}
        </Button>
      )}
    </li>
  )
}

function EndKey({ row, alle, onClose }: { row: Zugang | null; alle: boolean; onClose: () => void }) {
  const end = useEndKey()
  const confirm = ({ id, name }: Zugang) =>
    end.mutateAsync(id).then(() => {
      toast.success(t('Der Schlüssel „{name}“ ist widerrufen.', { name }))
      onClose()
    })
  return (
    <ConfirmDialog
      open={row !== null}
      title={t('Schlüssel widerrufen?')}
      record={row === null ? '' : alle ? `${row.name}, ${row.inhaber}` : row.name}
      confirmLabel={t('Widerrufen')}
      danger
      busy={end.isPending}
      onConfirm={() => row && confirm(row)}
      onCancel={onClose}
    >
      <p>
        {t(
          'Das Programm hat dann sofort keinen Zugriff mehr. Das lässt sich nicht rückgängig machen; ' +
            'Sie können jederzeit einen neuen Schlüssel anlegen.',
        )}
      </p>
    </ConfirmDialog>
  )
}
