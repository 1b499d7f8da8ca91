// /buchhaltung/zahlungen: bank statements, the invoices their entries pay, and all entries with their state.
// For apus_admin.
import { useMemo, useState } from 'react'
import { ListCard, useList } from '../../../list/ListPage.tsx'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import { checkReason } from '../reason.ts'
import '../buchhaltung.css'
import './bank.css'
import { putAway, undoMatch, useBankAct } from './bank.data.ts'
import { StatementImport } from './StatementImport.tsx'
import {
  UMSAETZE,
  type UmsatzActions,
  UmsatzActionsContext,
  type UmsatzRow,
  umsatzName,
} from './umsaetze-list.tsx'

const Reconciliation = splitOff(
  async () => (await import('./Reconciliation.tsx')).Reconciliation,
  <Skeleton lines={8} />,
)

const PARTS = ['offen', 'alle'] as const
const PATH = '/buchhaltung/zahlungen'

export function ZahlungenPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  return (
    <Page>
      <Tabs
        label={t('Teile der Zahlungen')}
        value={part}
        onChange={(id) => view.go(id === PARTS[0] ? PATH : `${PATH}?teil=${id}`, { replace: true })}
        tabs={[
          {
            id: 'offen',
            label: t('Zuordnen'),
            // Kept while a file is read in; nothing in it is in the address.
            content: (
              <div className="stack">
                <StatementImport />
                <Reconciliation />
              </div>
            ),
          },
          { id: 'alle', label: t('Alle Umsätze'), content: part === 'alle' && <AllUmsaetze /> },
        ]}
      />
    </Page>
  )
}

function AllUmsaetze() {
  const model = useList(UMSAETZE)
  const [loosening, setLoosening] = useState<UmsatzRow | null>(null)
  const fetchBack = useBankAct((id: number) => putAway(id, false))
  const { mutate } = fetchBack
  const acts = useMemo<UmsatzActions>(
    () => ({
      undo: setLoosening,
      takeBack: (row) =>
        mutate(row.id, {
          onSuccess: () =>
            toast.success(t('{name} wartet wieder auf eine Rechnung.', { name: umsatzName(row) })),
          onError: (error) => toast.error(messageOf(error)),
        }),
    }),
    [mutate],
  )
  return (
    <UmsatzActionsContext value={acts}>
      <ListCard model={model} />
      {loosening && <UndoMatchDialog row={loosening} onClose={() => setLoosening(null)} />}
    </UmsatzActionsContext>
  )
}

function UndoMatchDialog({ row, onClose }: { row: UmsatzRow; onClose: () => void }) {
  const loosen = useBankAct((reason: string) => undoMatch(row.id, reason))
  const { frame, text } = useDialogForm({
    initial: { grund: '' },
    check: checkReason,
    faultsFrom: 'sending',
    send: (reason) => loosen.mutateAsync(reason),
    onSent: () => {
      toast.success(t('Die Zuordnung ist zurückgenommen, der Umsatz wartet wieder.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Zuordnung zurücknehmen?')}
      submitLabel={t('Zurücknehmen')}
      unsaved={t('Die Zuordnung bleibt, wie sie ist.')}
      faultTitle={t('Nicht zurückgenommen')}
      onClose={onClose}
    >
      <p>
        {t(
          '{name}, zugeordnet zu {nummern}: Gegenbuchungen heben die Zahlungen auf, auch ein gewährtes Skonto; ' +
            'alles bleibt nachlesbar.',
          {
            name: umsatzName(row),
            nummern: row.nummern,
          },
        )}
      </p>
      <TextField
        label={t('Grund')}
        required
        maxLength={500}
        autoComplete="off"
        data-autofocus
        {...text('grund')}
      />
    </FormDialog>
  )
}
