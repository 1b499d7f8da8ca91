// One plan for staff: scan beside register, what the customer sees, files and jobs, history.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Karte } from '#contract/karte.ts'
import type { KarteFile } from '#contract/karte-files.ts'
import { useHasRole } from '../../data/session.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { type RecordEditor, useRecordForm } from '../../record/use-record-form.ts'
import { HistoryList } from '../../record/HistoryList.tsx'
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { filesQuery, newest } from './files.data.ts'
import { type FormField, KARTE, KARTE_WORDS, type KarteValues, type RegisterValues } from './karte-form.ts'
import { type KarteRow, karteHistory, kundeQuery, useSaveKarte } from './karte.data.ts'
import { georefName, statusName } from './karte-words.ts'
import { WorkFields, KundeViewFields, RegisterFields } from './KarteFields.tsx'
import { KartePager, ScanImage } from './KarteHeader.tsx'
import { StatusLine } from './StatusLine.tsx'
import { UploadRow, useUploads } from './UploadBar.tsx'

const Files = splitOff(
  async () => (await import('./Files.tsx')).Files,
  <Card>
    <Skeleton lines={6} />
  </Card>,
)
const PlanOnGround = splitOff(
  async () => (await import('./PlanOnGround.tsx')).PlanOnGround,
  <Skeleton lines={8} />,
)
const DeleteKarte = splitOff(async () => (await import('./DeleteKarte.tsx')).DeleteKarte)

export function KarteStaff({ karte }: { karte: KarteRow }) {
  const { search, setSearch } = useView()
  const [removing, setRemoving] = useState(false)
  const { data: kunde } = useQuery(kundeQuery(karte.client_id))
  const { data: storedFiles } = useQuery(filesQuery(karte.id))
  const { mutateAsync } = useSaveKarte<FormField>(karte.id)
  const editor = useRecordForm(KARTE, karte, mutateAsync)
  const notes = useNotesTab({ art: 'karte', id: karte.id })
  const name = kunde?.name ?? t('Kundennummer {id}', { id: karte.client_id })
  return (
    <Page
      record={karte.map_name}
      subtitle={
        <>
          <a href={`/member-management/client/${karte.client_id}?ansicht=karten`}>{name}</a>
          {' · '}
          {changedText(karte)}
        </>
      }
      actions={
        <Actions
          karte={karte}
          isMosaic={resultAlone(storedFiles) !== null}
          onRemove={() => setRemoving(true)}
        />
      }
    >
      <StatusLine status={karte.status} nameOf={statusName} />
      <Tabs
        label={t('Angaben zum Plan')}
        value={search['ansicht'] ?? 'plan'}
        onChange={(tab) => setSearch({ ansicht: tab === 'plan' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'plan',
            label: t('Plan'),
            content: (
              <div className="karte-spalten">
                <Register editor={editor} karte={karte} kunde={name} />
                <ScanCard karte={karte} storedFiles={storedFiles} />
              </div>
            ),
          },
          {
            id: 'dateien',
            label: t('Dateien'),
            count: storedFiles?.length,
            content: <Files karte={karte} staff />,
          },
          ...notes,
          {
            id: 'verlauf',
            label: t('Verlauf'),
            content: <HistoryList query={karteHistory(karte.id)} words={() => KARTE_WORDS} />,
          },
        ]}
      />
      <RecordConflict editor={editor} />
      {removing && (
        <DeleteKarte
          karte={karte}
          storedFiles={storedFiles?.length ?? 0}
          onClose={() => setRemoving(false)}
        />
      )}
    </Page>
  )
}

interface ActionsProps {
  karte: KarteRow
  /** It is on the map already, and there is nothing to set points on. */
  isMosaic: boolean
  onRemove: () => void
}
function Actions({ karte, isMosaic, onRemove }: ActionsProps) {
  const mayRemove = useHasRole('apus_admin')
  return (
    <>
      <KartePager karte={karte} />
      {mayRemove && (
        <IconButton icon="trash" variant="secondary" label={t('Plan löschen')} onClick={onRemove} />
      )}
      {!isMosaic && (
        <ButtonLink variant="primary" icon="map" href={`/karten/${karte.id}/georef`}>
          {t('Georeferenzieren')}
        </ButtonLink>
      )}
    </>
  )
}

interface RegisterProps {
  editor: RecordEditor<FormField, Karte, KarteValues>
  karte: KarteRow
  kunde: string
}
function Register({ editor, karte, kunde }: RegisterProps) {
  return (
    <Card>
      <RecordForm editor={editor}>
        {/* The register is part of the plan's form; its inputs only use that part. */}
        <RegisterFields
          form={editor.form as unknown as UseFormReturn<RegisterValues>}
          client_id={karte.client_id}
          id={karte.id}
        />
        <WorkFields form={editor.form} />
        <KundeViewFields form={editor.form} kunde={kunde} bem_client={karte.bem_client} />
      </RecordForm>
    </Card>
  )
}

/** Of a mosaic, which has no scan. */
function resultAlone(files: readonly KarteFile[] | undefined): KarteFile | null {
  return newest(files, 'scan') === undefined ? (newest(files, 'ergebnis') ?? null) : null
}

interface ScanProps {
  karte: KarteRow
  storedFiles: readonly KarteFile[] | undefined
}
function ScanCard({ karte, storedFiles }: ScanProps) {
  const { setSearch } = useView()
  const result = resultAlone(storedFiles)
  const upload = useUploads().find((one) => one.karte === karte.id)
  if (result !== null)
    return (
      <div className="karte-haften">
        <Card title={t('Plan und Gelände')} flush>
          <PlanOnGround karte={karte} result={result} />
          <div className="karte-bildzeile">
            <p className="soft">{georefText(karte)}</p>
          </div>
        </Card>
      </div>
    )
  return (
    <div className="karte-haften">
      <Card title={t('Scan')} flush>
        <ScanImage karte={karte} staff />
        <div className="karte-bildzeile">
          {upload && <UploadRow upload={upload} />}
          {!upload && storedFiles && newest(storedFiles, 'scan') === undefined && (
            <Button icon="upload" onClick={() => setSearch({ ansicht: 'dateien' })}>
              {t('Scan hochladen')}
            </Button>
          )}
          <p className="soft">{georefText(karte)}</p>
        </div>
      </Card>
    </div>
  )
}

export function changedText({
  geaendert_am,
  geaendert_von,
}: Pick<KarteRow, 'geaendert_am' | 'geaendert_von'>): string {
  const when = formatDateTime(geaendert_am)
  return geaendert_von === null
    ? t('zuletzt geändert am {when}', { when })
    : t('zuletzt geändert am {when} von {who}', { when, who: geaendert_von })
}
export const georefText = ({
  georef_typ,
  georef_label,
}: Pick<KarteRow, 'georef_typ' | 'georef_label'>): string =>
  georef_typ === null
    ? georef_label === null
      ? t('Noch nicht georeferenziert.')
      : t('Georeferenziert: {verfahren}', { verfahren: georef_label })
    : t('Georeferenziert: {verfahren}', { verfahren: georef_label ?? georefName(georef_typ) })
