// A check-up and a loss, captured beside the tree.
import { type ReactNode, useState } from 'react'
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

interface RahmenProps {
  title: string
  dirty: boolean
  unsaved: string
  gespeichert: string
  /** False: something is missing, and its field says so. */
  speichere: () => Promise<boolean>
  onClose: () => void
  children: ReactNode
}
function Rahmen({ title, dirty, unsaved, gespeichert, speichere, onClose, children }: RahmenProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const disarm = useUnsavedChanges(dirty)
  const save = async () => {
    setBusy(true)
    try {
      if (await speichere()) {
        disarm()
        toast.success(gespeichert)
        onClose()
        return
      }
    } catch (error) {
      setFailed(faultOf(error))
    }
    setBusy(false)
  }
  return (
    <FormDialog
      title={title}
      submitLabel={t('Eintragen')}
      busy={busy}
      dirty={dirty}
      unsaved={unsaved}
      fault={failed}
      faultTitle={t('Nicht gespeichert')}
      onSubmit={save}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}

interface TagProps {
  label: string
  value: string
  asked: boolean
  onChange: (value: string) => void
}
const Tag = ({ label, value, asked, onChange }: TagProps) => (
  <DateField
    label={label}
    required
    value={value}
    error={asked ? dayFault(value) : undefined}
    onChange={({ target }) => onChange(target.value)}
  />
)

export function KontrolleDialog({ kennung, onClose }: { kennung: Kennung; onClose: () => void }) {
  const { db, sub, name } = useFeld()
  const [eigene] = useState(neueKennung)
  const [heute] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(heute)
  const [ergebnis, setErgebnis] = useState<KontrollErgebnis>('vorhanden')
  const [bemerkung, setBemerkung] = useState('')
  const [asked, setAsked] = useState(false)
  return (
    <Rahmen
      title={t('Kontrolle eintragen')}
      dirty={datum !== heute || ergebnis !== 'vorhanden' || bemerkung.trim() !== ''}
      unsaved={t('Die Kontrolle ist noch nicht gespeichert.')}
      gespeichert={t('Die Kontrolle ist auf diesem Gerät gespeichert.')}
      speichere={async () => {
        setAsked(true)
        if (dayFault(datum) !== undefined) return false
        const text = bemerkung.trim()
        const kontrolle = { kennung: eigene, datum: parseDay(datum)!, ergebnis, kontrolleur: name, bemerkung: text === '' ? null : text }
        await speichereAenderung(db, { sub, kennung, kontrollen: [kontrolle], jetzt: new Date() })
        return true
      }}
      onClose={onClose}
    >
      <Wahl
        label={fieldLabel('ergebnis')}
        value={ergebnis}
        options={KONTROLLEN.map((value) => ({ value, label: kontrolleName(value) }))}
        onChange={setErgebnis}
      />
      {ergebnis === 'nicht_gefunden' && <p className="soft">{t('Ist der Baum weg? Dann tragen Sie auch seinen Verlust ein.')}</p>}
      <Tag label={fieldLabel('datum')} value={datum} asked={asked} onChange={setDatum} />
      <TextAreaField
        label={fieldLabel('bemerkung')}
        maxLength={2000}
        value={bemerkung}
        onChange={({ target }) => setBemerkung(target.value)}
      />
    </Rahmen>
  )
}

export function VerlustDialog({ lage: { sicht, baum }, onClose }: { lage: BaumLage; onClose: () => void }) {
  const { db, sub } = useFeld()
  const [gesehen] = useState(() => ({ version: baum?.baum.version ?? null, werte: sicht.werte }))
  const [heute] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(heute)
  const [grund, setGrund] = useState<VerlustGrund | ''>('')
  const [asked, setAsked] = useState(false)
  return (
    <Rahmen
      title={t('Verlust eintragen')}
      dirty={datum !== heute || grund !== ''}
      unsaved={t('Der Verlust ist noch nicht gespeichert.')}
      gespeichert={t('Der Verlust ist auf diesem Gerät gespeichert.')}
      speichere={async () => {
        setAsked(true)
        if (dayFault(datum) !== undefined || grund === '') return false
        const werte = { verlust_datum: parseDay(datum), verlust_grund: grund }
        await speichereAenderung(db, { sub, kennung: sicht.kennung, werte, gesehen, jetzt: new Date() })
        return true
      }}
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
      <Tag label={fieldLabel('verlust_datum')} value={datum} asked={asked} onChange={setDatum} />
    </Rahmen>
  )
}
