// Somebody else saved the points first: how both differ, and whose go on. Nothing is lost either way, as every save is kept.
import { unterschied, type Stand } from '#domain/georef/sitzung.ts'
import { epsgName } from '#domain/epsg.ts'
import { typNamen } from '../../karte/verfahren.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { type GeorefRecord, vonTabelle } from './georef.data.ts'

interface Props {
  meins: Stand
  ihres: GeorefRecord
  saving: boolean
  onMeins: () => void
  onIhres: () => void
  onClose: () => void
}

export function KonfliktDialog({ meins, ihres: { karte, punkte }, saving, onMeins, onIhres, onClose }: Props) {
  const { nurEine, nurAndere, beide } = unterschied(meins.punkte, punkte.map(vonTabelle))
  const rows: readonly (readonly [string, string, string])[] = [
    [t('Punkte'), String(meins.punkte.length), String(punkte.length)],
    [t('nur hier'), String(nurEine), String(nurAndere)],
    [t('in beiden gleich'), String(beide), String(beide)],
    [t('Verfahren'), typNamen()[meins.typ], karte.georef_typ === null ? '–' : typNamen()[karte.georef_typ]],
    [t('Koordinatensystem'), epsgName(meins.epsg), epsgName(karte.epsg)],
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
          <Button onClick={onIhres} disabled={saving}>
            {t('Gespeicherte übernehmen')}
          </Button>
          <Button variant="primary" busy={saving} onClick={onMeins}>
            {t('Meine Punkte speichern')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {t('{who} hat diese Karte am {when} gespeichert, während Sie daran gearbeitet haben.', {
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
        <p className="soft">
          {t('Was Sie nicht nehmen, geht nicht verloren: gespeicherte Punkte stehen unter „Frühere Stände“, Ihre nimmt Strg+Z zurück.')}
        </p>
      </div>
    </Dialog>
  )
}
