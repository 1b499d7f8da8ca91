// The draft of an invoice or an offer: head, lines, texts, terms, sums and check, saving and issuing. What is
// specific to one of the two comes from their own files.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isIssuable } from '#domain/beleg-check.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import type { RecordRow } from '../../record/record-kind.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { FieldGrid } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './beleg.css'
import { BelegLoading } from './BelegLoading.tsx'
import { belegOf } from './beleg-preview.ts'
import { ChangeKunde } from './ChangeKunde.tsx'
import { DeleteDraft } from './DeleteDraft.tsx'
import { CheckCard, HeadCard, LinesCard, TextsCard } from './DraftCards.tsx'
import { DraftPreview } from './DraftPreview.tsx'
import { placeOfFault } from './draft-faults.ts'
import type { DraftRow, DraftSpec } from './draft-spec.ts'
import { IssueDialog } from './IssueDialog.tsx'
import { LiveSums } from './LiveSums.tsx'
import type { EditorHandle } from './position/use-editor-focus.ts'
import { type BelegDraft, useBelegDraft } from './use-beleg-draft.ts'

/** `/update/{update_id}`: the draft, or a link to the document if it is already issued. */
export function DraftPage<F extends string, Row extends RecordRow<F> & DraftRow>({
  art,
}: {
  art: DraftSpec<F, Row>
}) {
  const { params } = useView()
  const id = params['update_id'] ?? ''
  const { docKind } = art
  const query = useQuery(art.query(id))
  return (
    <BelegLoading query={query} docKind={docKind} id={id}>
      {(row) => {
        if (art.isDraft(row)) return <Draft key={id} art={art} row={row} />
        const { issued, issuedHint, toRecord } = docKind.words()
        return (
          <Page title={art.name(row)}>
            <Card>
              <EmptyState
                icon="lock"
                title={issued}
                action={
                  <ButtonLink variant="primary" href={docKind.record(id)}>
                    {toRecord}
                  </ButtonLink>
                }
              >
                {issuedHint}
              </EmptyState>
            </Card>
          </Page>
        )
      }}
    </BelegLoading>
  )
}

interface DraftProps<F extends string, Row extends RecordRow<F> & DraftRow> {
  art: DraftSpec<F, Row>
  row: Row
}

function Draft<F extends string, Row extends RecordRow<F> & DraftRow>({ art, row }: DraftProps<F, Row>) {
  const { docKind } = art
  const title = art.title?.(row) ?? docKind.words().write
  const draft = useBelegDraft(art, row)
  const { editor, form, fields, store } = draft
  const lines = useRef<EditorHandle>(null)
  const [asking, setAsking] = useState(false)
  const jump = (fieldName: string) => {
    const { line, field } = placeOfFault(fieldName, art.otherNames)
    if (line === null) form.setFocus(field)
    else lines.current?.focus(line, field)
  }
  return (
    <Page
      title={title}
      record={`${row.kunde}: ${t('Entwurf')}`}
      subtitle={
        <>
          {row.kunde} · {t('Entwurf, noch ohne Nummer')}
        </>
      }
      actions={<DraftActions art={art} row={row} draft={draft} onIssue={() => setAsking(true)} />}
    >
      <RecordForm editor={editor} label={title}>
        <div className="stack">
          <HeadCard art={art} row={row} draft={draft} />
          <LinesCard ref={lines} draft={draft} />
          <div className="beleg-two">
            <Card title={t('Summen')}>
              <LiveSums store={store} />
            </Card>
            <CheckCard art={art} row={row} draft={draft} onJump={jump} />
          </div>
          <div className="beleg-two">
            <TextsCard art={art} row={row} draft={draft} />
            <Card title={t('Konditionen')}>
              <FieldGrid>{art.terms(fields, row)}</FieldGrid>
            </Card>
          </div>
        </div>
      </RecordForm>
      {art.beside && <div className="beleg-beside">{art.beside(row)}</div>}
      <RecordConflict editor={editor} />
      <IssueDialog
        open={asking}
        docKind={docKind}
        row={row}
        day={String(row[art.datum])}
        store={store}
        onClose={() => setAsking(false)}
      />
    </Page>
  )
}

/** Issues what is on the screen: unsaved changes are saved first, and nothing is issued if that fails. */
function DraftActions<F extends string, Row extends RecordRow<F> & DraftRow>({
  art: { docKind },
  row,
  draft: { base, editor, found, store, werte },
  onIssue,
}: DraftProps<F, Row> & { draft: BelegDraft<F, Row>; onIssue: () => void }) {
  const id = String(row.id)
  const isIssuableNow = found !== null && isIssuable(found)
  const issue = async () => {
    if (!editor.form.formState.isDirty || (await editor.submit())) onIssue()
  }
  return (
    <>
      <ChangeKunde docKind={docKind} id={id} kunde={row.kunde} />
      <DeleteDraft docKind={docKind} id={id} version={row.version} name={row.kunde} />
      <DraftPreview
        docKind={docKind.docKind}
        id={id}
        beleg={() => (base.data ? belegOf(base.data, werte, store.get()?.zeilen ?? []) : null)}
      />
      <ButtonLink href={docKind.record(id)}>{t('Ansehen')}</ButtonLink>
      <Button
        variant="primary"
        disabled={!isIssuableNow || base.isPending}
        busy={editor.saving}
        onClick={() => void issue()}
      >
        {t('Ausstellen')}
      </Button>
    </>
  )
}
