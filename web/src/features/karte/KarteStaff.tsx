// One plan as staff keep it: scan beside register, what the customer sees, files and jobs, history.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useHasRole } from '../../data/session.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { VerlaufList } from '../../record/VerlaufList.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { dateienQuery, newest } from './dateien.data.ts'
import { type FormField, KARTE, KARTE_WORDS, type RegisterValues } from './karte-form.ts'
import { type KarteRow, karteVerlauf, kundeQuery, useSaveKarte } from './karte.data.ts'
import { georefName, statusName } from './karte-words.ts'
import { ArbeitFelder, KundensichtFelder, RegisterFelder } from './KarteFelder.tsx'
import { Blaettern, ScanBild } from './KarteKopf.tsx'
import { StatusLinie } from './StatusLinie.tsx'
import { UploadZeile, useHochladen } from './UploadLeiste.tsx'

const Dateien = splitOff(
  async () => (await import('./Dateien.tsx')).Dateien,
  <Card>
    <Skeleton lines={6} />
  </Card>,
)
const KarteLoeschen = splitOff(async () => (await import('./KarteLoeschen.tsx')).KarteLoeschen)

export function KarteStaff({ karte }: { karte: KarteRow }) {
  const { search, setSearch } = useView()
  const [removing, setRemoving] = useState(false)
  const mayRemove = useHasRole('apus_admin')
  const { data: kunde } = useQuery(kundeQuery(karte.client_id))
  const { data: dateien } = useQuery(dateienQuery(karte.id))
  const upload = useHochladen().find((one) => one.karte === karte.id)
  const { mutateAsync } = useSaveKarte<FormField>(karte.id)
  const editor = useRecordForm(KARTE, karte, mutateAsync)
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
        <>
          <Blaettern karte={karte} />
          {mayRemove && <IconButton icon="trash" variant="secondary" label={t('Plan löschen')} onClick={() => setRemoving(true)} />}
          <ButtonLink variant="primary" icon="map" href={`/karten/${karte.id}/georef`}>
            {t('Georeferenzieren')}
          </ButtonLink>
        </>
      }
    >
      <StatusLinie status={karte.status} nameOf={statusName} />
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
                <Card>
                  <RecordForm editor={editor}>
                    {/* The register is a part of the plan's form; its inputs know no more than theirs. */}
                    <RegisterFelder
                      form={editor.form as unknown as UseFormReturn<RegisterValues>}
                      client_id={karte.client_id}
                      id={karte.id}
                    />
                    <ArbeitFelder form={editor.form} />
                    <KundensichtFelder form={editor.form} kunde={name} bem_client={karte.bem_client} />
                  </RecordForm>
                </Card>
                <div className="karte-haften">
                  <Card title={t('Scan')} flush>
                    <ScanBild karte={karte} />
                    <div className="karte-bildzeile">
                      {upload && <UploadZeile upload={upload} />}
                      {!upload && dateien && newest(dateien, 'scan') === undefined && (
                        <Button icon="upload" onClick={() => setSearch({ ansicht: 'dateien' })}>
                          {t('Scan hochladen')}
                        </Button>
                      )}
                      <p className="soft">{georefText(karte)}</p>
                    </div>
                  </Card>
                </div>
              </div>
            ),
          },
          {
            id: 'dateien',
            label: t('Dateien'),
            count: dateien?.length,
            content: <Dateien karte={karte} staff />,
          },
          { id: 'verlauf', label: t('Verlauf'), content: <VerlaufList query={karteVerlauf(karte.id)} words={() => KARTE_WORDS} /> },
        ]}
      />
      <RecordConflict editor={editor} />
      {removing && <KarteLoeschen karte={karte} dateien={dateien?.length ?? 0} onClose={() => setRemoving(false)} />}
    </Page>
  )
}

export function changedText({ geaendert_am, geaendert_von }: Pick<KarteRow, 'geaendert_am' | 'geaendert_von'>): string {
  const when = formatDateTime(geaendert_am)
  return geaendert_von === null
    ? t('zuletzt geändert am {when}', { when })
    : t('zuletzt geändert am {when} von {who}', { when, who: geaendert_von })
}
export const georefText = ({ georef_typ, georef_label }: Pick<KarteRow, 'georef_typ' | 'georef_label'>): string =>
  georef_typ === null
    ? t('Noch nicht georeferenziert.')
    : t('Georeferenziert: {verfahren}', { verfahren: georef_label ?? georefName(georef_typ) })
