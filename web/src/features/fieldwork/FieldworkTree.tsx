// One tree in the field: its view, or its form. Both are read from the device again when something changes.
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './capture.css'
import type { FieldworkPacket, Identifier } from './fieldwork-db.ts'
import { useFieldworkState } from './fieldwork-state.ts'
import { fetchTree, fetchDraft } from './queue-read.ts'
import { TreeEdit } from './TreeEdit.tsx'
import { TreeView } from './TreeView.tsx'
import { useStored } from './use-stored.ts'

export function FieldworkTree({
  kennung,
  packet: openPacket,
}: {
  kennung: Identifier
  packet: FieldworkPacket
}) {
  const { pakete } = useFieldworkState()
  const { search, setSearch } = useView()
  const { data: loaded, fehler } = useStored(
    async (db, sub) => ({
      lage: await fetchTree(db, sub, kennung),
      entwurf: await fetchDraft(db, sub, kennung),
    }),
    kennung,
  )
  if (fehler !== null) return <ErrorState error={fehler} />
  if (loaded === null) return <Skeleton lines={8} />
  if (loaded.lage === null)
    return (
      <EmptyState
        icon="tree"
        title={t('Diesen Baum gibt es auf diesem Gerät nicht')}
        action={<ButtonLink href="/feld/baeume">{t('Zu den Bäumen')}</ButtonLink>}
      >
        {t(
          'Vielleicht wurde er gelöscht, oder er gehört zu einem Forstbetrieb, der hier nicht gespeichert ist.',
        )}
      </EmptyState>
    )
  // The tree may belong to a holding other than the open one.
  const { idHQ } = loaded.lage.treeView
  const packet = pakete.find((one) => one.idHQ === idHQ) ?? openPacket
  if (search['form'] === 'aendern')
    return (
      <TreeEdit
        lage={loaded.lage}
        entwurf={loaded.entwurf}
        packet={packet}
        feld={search['feld']}
        onDone={() => setSearch({ form: undefined, feld: undefined }, { replace: true })}
      />
    )
  return (
    <TreeView
      lage={loaded.lage}
      entwurf={loaded.entwurf}
      packet={packet}
      onEdit={() => setSearch({ form: 'aendern' })}
    />
  )
}
