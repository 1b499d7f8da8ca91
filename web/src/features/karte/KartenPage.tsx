// /karten/index: every plan of every customer for staff; for customers, the plans opened to them and what
// they are asked to do.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Karte } from '#contract/karte.ts'
import { useHasRole } from '../../data/session.ts'
import type { BulkAction } from '../../list/bulk.ts'
import { countText, ListCard, ListPage, useList } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useAsked } from '../../ui/use-asked.ts'
import type { Row } from './karte-columns.tsx'
import { OWN_KARTEN, OWN_KARTEN_WITH_ANSWER, KARTEN } from './karte-list.ts'
import { setKarte, waitingQuery } from './karte.data.ts'
import { UploadBar } from './UploadBar.tsx'
import './karte.css'

// Loaded on demand.
const CreateKarte = splitOff(async () => (await import('./CreateKarte.tsx')).CreateKarte)
const StageDialog = splitOff(async () => (await import('./StageDialog.tsx')).StageDialog)
const MergeDialog = splitOff(async () => (await import('./MergeDialog.tsx')).MergeDialog)

export function KartenPage() {
  const staff = useHasRole('apus_admin', 'apus_team')
  return staff ? <AllKarten /> : <OwnKarten />
}

function AllKarten() {
  const adding = useAsked('neu', 'plan')
  const [staged, setStaged] = useState<{ rows: readonly Row[]; clear: () => void } | null>(null)
  const [merged, setMerged] = useState<{ rows: readonly Row[]; clear: () => void } | null>(null)
  const bulk = useMemo(
    () =>
      bulkActions<Row>({
        onStage: (rows, clear) => setStaged({ rows, clear }),
        onMerge: (rows, clear) => setMerged({ rows, clear }),
      }),
    [],
  )
  const add = (
    <Button variant="primary" icon="plus" onClick={adding.open}>
      {t('Neuer Plan')}
    </Button>
  )
  return (
    <>
      <ListPage list={KARTEN} actions={add} firstSteps={add} bulk={bulk}>
        <UploadBar />
      </ListPage>
      {adding.isOpen && <CreateKarte onClose={adding.close} />}
      {staged && <StageDialog rows={staged.rows} onDone={staged.clear} onClose={() => setStaged(null)} />}
      {merged && <MergeDialog rows={merged.rows} onDone={merged.clear} onClose={() => setMerged(null)} />}
    </>
  )
}

const set =
  (change: Partial<Karte>) =>
  ({ id }: { readonly id: number }) =>
    setKarte(id, change)

/** Bulk actions for every list of plans. */
export const bulkActions = <R extends Pick<Row, 'id' | 'map_name' | 'status'>>({
  onStage,
  onMerge,
}: Readonly<
  Record<'onStage' | 'onMerge', (rows: readonly R[], clear: () => void) => void>
>): readonly BulkAction<R>[] => [
  {
    key: 'zeigen',
    label: t('Dem Kunden zeigen'),
    confirm: (rows) => ({
      title:
        rows.length === 1
          ? t('Einen Plan dem Kunden zeigen?')
          : t('{n} Pläne ihren Kunden zeigen?', { n: rows.length }),
      text: t(
        'Die Personen des Kunden sehen dann Plan, Registerdaten und Dateien und werden benachrichtigt. ' +
          'Interne Bemerkungen bleiben bei uns.',
      ),
    }),
    run: set({ show_client: true }),
    done: (n) =>
      n === 1
        ? t('1 Plan ist für den Kunden sichtbar.')
        : t('{n} Pläne sind für ihre Kunden sichtbar.', { n }),
  },
  {
    key: 'verbergen',
    label: t('Nicht mehr zeigen'),
    confirm: (rows) => ({
      title:
        rows.length === 1
          ? t('Einen Plan vor dem Kunden verbergen?')
          : t('{n} Pläne vor ihren Kunden verbergen?', { n: rows.length }),
      text: t(
        'Die Personen des Kunden können die Pläne danach nicht mehr öffnen. Ihre Antworten bleiben gespeichert.',
      ),
    }),
    run: set({ show_client: false }),
    done: (n) =>
      n === 1 ? t('1 Plan ist nicht mehr sichtbar.') : t('{n} Pläne sind nicht mehr sichtbar.', { n }),
  },
  { key: 'stand', label: t('Status setzen'), open: onStage },
  { key: 'mosaik', label: t('Blätter zusammenführen'), icon: 'layers', open: onMerge },
]

function OwnKarten() {
  const mayAnswer = useHasRole('appuser_admin')
  const model = useList(mayAnswer ? OWN_KARTEN_WITH_ANSWER : OWN_KARTEN)
  const { data: waiting = 0 } = useQuery(waitingQuery)
  return (
    <Page subtitle={countText(model)}>
      {waiting > 0 && (
        <Notice
          tone="info"
          title={
            waiting === 1
              ? t('1 Plan wartet auf eine Antwort')
              : t('{n} Pläne warten auf eine Antwort', { n: waiting })
          }
          actions={
            <Button onClick={() => model.setFilter('antwort', 'offen,in_pruefung')}>
              {t('Diese Pläne zeigen')}
            </Button>
          }
        >
          {mayAnswer
            ? t('Öffnen Sie einen Plan, vergleichen Sie ihn mit dem Gelände und sagen Sie uns, ob er stimmt.')
            : t('Ansehen können Sie alle. Antworten kann die Verwaltung Ihres Betriebs.')}
        </Notice>
      )}
      <ListCard model={model} />
    </Page>
  )
}
