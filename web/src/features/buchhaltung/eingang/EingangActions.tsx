// What can be done with a received invoice in its state.
import { useState } from 'react'
import type { Eingang } from '#contract/eingang.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useEingangAct } from './eingang.data.ts'

const ValuesDialog = splitOff(async () => (await import('./ValuesDialog.tsx')).ValuesDialog)
const DecisionDialog = splitOff(async () => (await import('./DecisionDialog.tsx')).DecisionDialog)

type Asked = 'werte' | 'freigeben' | 'ablehnen' | null

export function EingangActions({ eingang }: { eingang: Eingang }) {
  const { id, version, zustand, bezahlt, zahlbetrag, zahllauf } = eingang
  // What was paid, or is in a file for the bank, stays approved.
  const isPaid = zustand === 'bezahlt' && Number(zahlbetrag) !== 0
  const canReopen =
    zustand === 'abgelehnt' || (zustand !== 'neu' && !isPaid && Number(bezahlt) === 0 && zahllauf === null)
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  const failed = (error: unknown) => toast.error(messageOf(error))
  const reopen = useEingangAct(() => rpc('a_decide_eingang', { eingang_id: id, version, freigegeben: null }))
  return (
    <>
      {zustand === 'neu' && (
        <>
          <Button icon="edit" onClick={() => setAsked('werte')}>
            {t('Angaben')}
          </Button>
          <Button onClick={() => setAsked('ablehnen')}>{t('Ablehnen')}</Button>
          <Button variant="primary" icon="check" onClick={() => setAsked('freigeben')}>
            {t('Freigeben')}
          </Button>
        </>
      )}
      {canReopen && (
        <Button busy={reopen.isPending} onClick={() => reopen.mutate(undefined, { onError: failed })}>
          {t('Entscheidung zurücknehmen')}
        </Button>
      )}
      {asked === 'werte' && <ValuesDialog eingang={eingang} onClose={close} />}
      {(asked === 'freigeben' || asked === 'ablehnen') && (
        <DecisionDialog eingang={eingang} approves={asked === 'freigeben'} onClose={close} />
      )}
    </>
  )
}
