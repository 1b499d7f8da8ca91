// What the queue cannot decide on its own: conflicts with somebody else's changes, deleted trees, captures that
// the server rejected.
import { TREE_INPUTS, type TreeField } from '#domain/habitatbaum-fields.ts'
import { useState } from 'react'
import { ConflictDialog } from '../../record/ConflictDialog.tsx'
import { treeKind, type TreeFormValues } from '../../record/habitat/habitat-form.ts'
import { treeName, fieldLabel } from '../../record/habitat/habitat-words.ts'
import { newId } from '../../data/new-id.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import { mergedChanges } from '../../record/merge.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { t } from '../../ui/text.ts'
import { NotNow, ToldError } from '../../ui/told-error.ts'
import { useView } from '../../ui/view.tsx'
import { presentTime } from './device-clock.ts'
import { sides } from './capture.ts'
import type { FieldworkPacket, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import type { TreeSituation } from './queue-read.ts'
import { recreateDeleted, resolveConflict, retry, discardCapture } from './queue.ts'
import { useRuleText } from './rule-text.ts'

interface Props {
  lage: TreeSituation
  packet: FieldworkPacket
  onEdit: () => void
}
/** What the queue cannot decide on its own. */
export function Clarification({ lage, packet, onEdit }: Props) {
  const [fault, setFault] = useState<string | null>(null)
  const { treeView, capture, conflict } = lage
  const attempt = (work: Promise<unknown>) =>
    void work.catch((error: unknown) =>
      setFault(error instanceof ToldError ? error.message : messageOf(error)),
    )
  if (capture === undefined) return null
  return (
    <>
      {fault !== null && <Refusal title={t('Nicht gespeichert')}>{fault}</Refusal>}
      {treeView.stand === 'geloescht' && <Deleted lage={lage} attempt={attempt} />}
      {treeView.stand === 'abgelehnt' && (
        <Rejected lage={lage} packet={packet} onEdit={onEdit} attempt={attempt} />
      )}
      {conflict !== undefined && (
        <Disagreement
          kennung={treeView.kennung}
          isOpen={treeView.stand === 'konflikt'}
          sides={{ capture, server: conflict.server }}
          packet={packet}
        />
      )}
    </>
  )
}

interface Attempting {
  /** Reports what goes wrong. */
  attempt: (work: Promise<unknown>) => void
}

function Deleted({ lage, attempt }: Pick<Props, 'lage'> & Attempting) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const { kennung } = lage.treeView
  async function recreate(): Promise<void> {
    const fresh = await recreateDeleted(db, { sub, kennung, newId, present: presentTime() })
    if (fresh !== null) view.go(`/feld/baum/${fresh}`, { replace: true })
  }
  return (
    <Notice
      tone="warning"
      title={t('Auf dem Server gelöscht')}
      actions={
        <>
          <DiscardButton lage={lage} />
          <Button variant="primary" size="small" onClick={() => attempt(recreate())}>
            {t('Neu anlegen')}
          </Button>
        </>
      }
    >
      {t(
        'Jemand hat diesen Baum gelöscht, während hier noch etwas von ihm wartete. Sie können ihn mit ' +
          'Ihren Angaben und Fotos neu anlegen oder Ihre Angaben verwerfen.',
      )}
    </Notice>
  )
}

function Rejected({ lage, packet, onEdit, attempt }: Props & Attempting) {
  const { db, sub } = useFieldwork()
  const { kennung } = lage.treeView
  const answer = lage.capture?.antwort
  const reason = useRuleText(answer?.regel ?? null)
  return (
    <Notice
      tone="danger"
      title={t('Vom Server nicht angenommen')}
      actions={
        <>
          <DiscardButton lage={lage} />
          <Button size="small" onClick={() => attempt(retry(db, sub, kennung))}>
            {t('Noch einmal senden')}
          </Button>
          <Button size="small" variant="primary" onClick={onEdit}>
            {t('Berichtigen')}
          </Button>
        </>
      }
    >
      {answer?.feld != null && <strong>{fieldLabel(answer.feld, packet.ebenen)}: </strong>}
      {reason}
    </Notice>
  )
}

interface DisagreementProps {
  kennung: Identifier
  isOpen: boolean
  sides: ConflictProps['lage']
  packet: FieldworkPacket
}
/** Somebody else changed the tree as well. */
function Disagreement({ kennung, isOpen, sides: both, packet }: DisagreementProps) {
  const { db, sub } = useFieldwork()
  const [deciding, setDeciding] = useState(false)
  return (
    <>
      {isOpen && (
        <Notice
          tone="warning"
          title={t('Inzwischen geändert')}
          actions={
            <Button variant="primary" onClick={() => setDeciding(true)}>
              {t('Entscheiden')}
            </Button>
          }
        >
          {t(
            'Jemand anderes hat diesen Baum geändert. Nichts ist überschrieben: wählen Sie, was gelten soll.',
          )}
        </Notice>
      )}
      {deciding && (
        <Conflict
          lage={both}
          packet={packet}
          onChoose={async (chosen) => {
            await resolveConflict(db, sub, kennung, chosen, presentTime())
            setDeciding(false)
          }}
          onClose={() => setDeciding(false)}
        />
      )}
    </>
  )
}

/** Discards this tree's pending changes. */
export function DiscardButton({ lage: { treeView, capture } }: Pick<Props, 'lage'>) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const [isDiscarding, setDiscarding] = useState(false)
  const { kennung, stand } = treeView
  const gib = async () => {
    if (!(await discardCapture(db, sub, kennung)))
      throw new NotNow(t('Dieser Baum ist gerade unterwegs zum Server. Warten Sie, bis die Antwort da ist.'))
    setDiscarding(false)
    if (capture?.version === null || stand === 'geloescht') view.go('/feld/baeume', { replace: true })
  }
  return (
    <>
      <Button size="small" onClick={() => setDiscarding(true)}>
        {t('Verwerfen')}
      </Button>
      <ConfirmDialog
        open={isDiscarding}
        danger
        title={t('Erfassung verwerfen?')}
        record={treeName(treeView.werte)}
        confirmLabel={t('Verwerfen')}
        onConfirm={gib}
        onCancel={() => setDiscarding(false)}
      >
        <p>
          {t(
            'Was von diesem Baum noch nicht übertragen ist, ist dann weg, auch seine Fotos auf diesem Gerät.',
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}

interface ConflictProps {
  lage: {
    capture: NonNullable<TreeSituation['capture']>
    server: NonNullable<TreeSituation['conflict']>['server']
  }
  packet: FieldworkPacket
  onChoose: (chosen: Partial<TreeValues>) => Promise<void>
  onClose: () => void
}
function Conflict({ lage: { capture, server }, packet, onChoose, onClose }: ConflictProps) {
  const { base, mine, theirs } = sides(capture, server)
  return (
    <ConflictDialog<TreeField, typeof theirs, TreeFormValues>
      kind={treeKind(packet.ebenen)}
      conflict={{ base, mine, theirs }}
      onResolve={(choice) => onChoose(mergedChanges(TREE_INPUTS, choice, mine, theirs))}
      onClose={onClose}
    />
  )
}
