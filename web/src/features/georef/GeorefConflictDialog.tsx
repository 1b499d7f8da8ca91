// Somebody else saved the points first: the differences, and whose version to continue with. Nothing is lost
// either way, because every save is kept.
import { differenceOf, type State } from '#domain/georef/session.ts'
import { epsgName } from '#domain/epsg.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Refusal } from '../../ui/Refusal.tsx'
import { t } from '../../ui/text.ts'
import { type GeorefRecord, fromTable } from './georef.data.ts'

interface Props {
  myState: State
  theirRecord: GeorefRecord
  saving: boolean
  fault: string | null
  onSaveMine: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

export function GeorefConflictDialog({
  myState,
  theirRecord: { karte, punkte },
  saving,
  fault,
  onSaveMine,
  onTakeTheirs,
  onClose,
}: Props) {
  const { onlyFirst, onlyOther, both } = differenceOf(myState.punkte, punkte.map(fromTable))
  const rows: readonly (readonly [string, string, string])[] = [
    [t('Punkte'), String(myState.punkte.length), String(punkte.length)],
    [t('nur hier'), String(onlyFirst), String(onlyOther)],
    [t('in beiden gleich'), String(both), String(both)],
    [
      t('Verfahren'),
      typeNames()[myState.typ],
      karte.georef_typ === null ? '–' : typeNames()[karte.georef_typ],
    ],
    [t('Koordinatensystem'), epsgName(myState.epsg), epsgName(karte.epsg)],
  ]
  return (
    <Dialog
      open
      title={t('Inzwischen geändert')}
      dismissible={!saving}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={saving}>
            {t('Weiter bearbeiten')}
          </Button>
          <Button onClick={onTakeTheirs} disabled={saving}>
            {t('Gespeicherte übernehmen')}
          </Button>
          <Button variant="primary" busy={saving} onClick={onSaveMine}>
            {t('Meine Punkte speichern')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {t('{who} hat diesen Plan am {when} gespeichert, während Sie daran gearbeitet haben.', {
            who: karte.geaendert_von ?? t('Jemand'),
            when: formatDateTime(karte.geaendert_am),
          })}
        </p>
        <table className="table" aria-label={t('Unterschiede')}>
          <thead>
            <tr>
              <th scope="col">{t('Angabe')}</th>
              <th scope="col">{t('Meine')}</th>
              <th scope="col">{t('Jetzt gespeichert')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, mine, theirs]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {fault !== null && <Refusal title={t('Nicht gespeichert')}>{fault}</Refusal>}
        <p className="soft">
          {t(
            'Was Sie nicht nehmen, geht nicht verloren: gespeicherte Punkte stehen unter „Frühere ' +
              'Stände“, Ihre nimmt Strg+Z zurück.',
          )}
        </p>
      </div>
    </Dialog>
  )
}
