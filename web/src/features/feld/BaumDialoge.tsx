// A check-up and a loss, captured beside the tree.
import { useState } from 'react'
import type { KontrollErgebnis, VerlustGrund } from '#contract/habitat.ts'
import { fieldLabel, KONTROLLEN, kontrolleName, VERLUSTE, verlustName } from '../../record/habitat/habitat-words.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'
import { DateField } from '../../ui/DateField.tsx'
import { TextAreaField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { formatDate } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import type { Kennung } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { type BaumLage, speichereAenderung } from './schlange.ts'
import { Wahl } from './Wahl.tsx'

function dayFault(text: string): string | undefined {
  const day = parseDay(text)
  if (day === null) return dayExpected()
  return day >= '1950-01-01' && day <= dayAhead(1) ? undefined : t('Bitte einen Tag zwischen 1950 und heute.')
}
const faultOf = (error: unknown): string =>
  error instanceof ToldError ? error.message : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.')

export function KontrolleDialog({ kennung, onClose }: { kennung: Kennung; onClose: () => void }) {
  const { db, sub, name } = useFeld()
  const [eigene] = useState(neueKennung)
  const [heute] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(heute)
  const [ergebnis, setErgebnis] = useState<KontrollErgebnis>('vorhanden')
  const [bemerkung, setBemerkung] = useState('')
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const dirty = datum !== heute || ergebnis !== 'vorhanden' || bemerkung.trim() !== ''
  const disarm = useUnsavedChanges(dirty)
  const fault = dayFault(datum)
  const save = async () => {
    setAsked(true)
    if (fault !== undefined) return
    setBusy(true)
    try {
      const text = bemerkung.trim()
      const kontrolle = { kennung: eigene, datum: parseDay(datum)!, ergebnis, kontrolleur: name, bemerkung: text === '' ? null : text }
      await speichereAenderung(db, { sub, kennung, kontrollen: [kontrolle], jetzt: new Date() })
      disarm()
      toast.success(t('Die Kontrolle ist auf diesem Gerät gespeichert.'))
      onClose()
    } catch (error) {
      setFailed(faultOf(error))
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('Kontrolle eintragen')}
      submitLabel={t('Eintragen')}
      busy={busy}
      dirty={dirty}
      unsaved={t('Die Kontrolle ist noch nicht gespeichert.')}
      fault={failed}
      faultTitle={t('Nicht gespeichert')}
      onSubmit={save}
      onClose={onClose}
    >
      <Wahl
        label={fieldLabel('ergebnis')}
        value={ergebnis}
        options={KONTROLLEN.map((value) => ({ value, label: kontrolleName(value) }))}
        onChange={setErgebnis}
      />
      {ergebnis === 'nicht_gefunden' && <p className="soft">{t('Ist der Baum weg? Dann tragen Sie auch seinen Verlust ein.')}</p>}
      <DateField
        label={fieldLabel('datum')}
        required
        value={datum}
        error={asked ? fault : undefined}
        onChange={({ target }) => setDatum(target.value)}
      />
      <TextAreaField
        label={fieldLabel('bemerkung')}
        maxLength={2000}
        value={bemerkung}
        onChange={({ target }) => setBemerkung(target.value)}
      />
    </FormDialog>
  )
}

export function VerlustDialog({ lage: { sicht, baum }, onClose }: { lage: BaumLage; onClose: () => void }) {
  const { db, sub } = useFeld()
  const [gesehen] = useState(() => ({ version: baum?.baum.version ?? null, werte: sicht.werte }))
  const [heute] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(heute)
  const [grund, setGrund] = useState<VerlustGrund | ''>('')
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const dirty = datum !== heute || grund !== ''
  const disarm = useUnsavedChanges(dirty)
  const fault = dayFault(datum)
  const save = async () => {
    setAsked(true)
    if (fault !== undefined || grund === '') return
    setBusy(true)
    try {
      const werte = { verlust_datum: parseDay(datum), verlust_grund: grund }
      await speichereAenderung(db, { sub, kennung: sicht.kennung, werte, gesehen, jetzt: new Date() })
      disarm()
      toast.success(t('Der Verlust ist auf diesem Gerät gespeichert.'))
      onClose()
    } catch (error) {
      setFailed(faultOf(error))
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('Verlust eintragen')}
      submitLabel={t('Eintragen')}
      busy={busy}
      dirty={dirty}
      unsaved={t('Der Verlust ist noch nicht gespeichert.')}
      fault={failed}
      faultTitle={t('Nicht gespeichert')}
      onSubmit={save}
      onClose={onClose}
    >
      <p className="soft">{t('Ein verlorener Baum bleibt als Nachweis erhalten und zählt nicht mehr.')}</p>
      <Wahl
        label={fieldLabel('verlust_grund')}
        value={grund}
        options={VERLUSTE.map((value) => ({ value, label: verlustName(value) }))}
        error={asked && grund === '' ? t('Bitte wählen Sie den Grund.') : undefined}
        onChange={setGrund}
      />
      <DateField
        label={fieldLabel('verlust_datum')}
        required
        value={datum}
        error={asked ? fault : undefined}
        onChange={({ target }) => setDatum(target.value)}
      />
    </FormDialog>
  )
}
