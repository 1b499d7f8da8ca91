// Creates plans: one with its register data, or one for each of several scans, named after their files.
import { RecordField } from '../../list/RecordField.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatBytes } from '../../ui/format.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import '../../record/record.css'
import { findKunde, KUNDE_FILTER } from './karte.data.ts'
import { RegisterFields } from './KarteFields.tsx'
import { ScanPicker } from './ScanPicker.tsx'
import { dropScan, isNameless, renameScan, type Scan } from './scans.ts'
import { useCreateKarte } from './use-create-karte.ts'
import './karte.css'

interface Props {
  /** The customer, if the page determines it. */
  client_id?: number
  onClose: () => void
}

export function CreateKarte({ client_id, onClose }: Props) {
  const { form, kunde, kundeFault, chooseKunde, scans, setScans, take, fault, busy, dirty, submit } =
    useCreateKarte(client_id, onClose)
  const several = scans.length > 1
  return (
    <FormDialog
      title={several ? t('{n} neue Pläne', { n: scans.length }) : t('Neuer Plan')}
      submitLabel={several ? t('{n} Pläne anlegen', { n: scans.length }) : t('Anlegen')}
      busy={busy}
      dirty={dirty}
      unsaved={t('Der neue Plan ist noch nicht gespeichert.')}
      fault={fault}
      width="wide"
      className="record-form"
      onSubmit={submit}
      onClose={onClose}
    >
      {client_id === undefined && <KundeChoice kunde={kunde} isMissing={kundeFault} onChoose={chooseKunde} />}
      <div className="stack">
        <ScanPicker
          several
          disabled={busy}
          label={t('Scans des neuen Plans')}
          text={
            scans.length === 0
              ? t('Scan hierher ziehen. Aus mehreren werden mehrere Pläne.')
              : t('Weitere Scans hierher ziehen')
          }
          onFiles={take}
        />
        {scans.length > 0 && <ScanList scans={scans} onChange={setScans} />}
      </div>
      {several && <p className="soft">{t('Was Sie unten angeben, gilt für alle diese Pläne.')}</p>}
      <RegisterFields form={form} client_id={kunde === '' ? null : Number(kunde)} withoutName={several} />
    </FormDialog>
  )
}

interface KundeProps {
  kunde: string
  isMissing: boolean
  onChoose: (kunde: string) => void
}
const KundeChoice = ({ kunde, isMissing, onChoose }: KundeProps) => (
  <div className={isMissing ? 'field-faulty karte-kunde' : 'karte-kunde'}>
    <RecordField
      filter={{ ...KUNDE_FILTER, find: findKunde }}
      label={t('Kunde')}
      value={kunde}
      apply={onChoose}
    />
    {isMissing && (
      <p className="field-error" role="alert">
        <Icon name="warning" size={15} />
        {t('Bitte wählen Sie den Kunden, dem der Plan gehört.')}
      </p>
    )}
  </div>
)

interface ScanListProps {
  scans: readonly Scan[]
  onChange: (scans: readonly Scan[]) => void
}
/** A single scan has no name here: its plan's is in the form. */
const ScanList = ({ scans, onChange }: ScanListProps) => (
  <ul className="karte-scans" aria-label={t('Gewählte Scans')}>
    {scans.map((scan) => (
      <li key={scan.key}>
        {scans.length > 1 ? (
          <TextField
            label={t('Name des Plans aus {datei}', { datei: scan.file.name })}
            labelHidden
            value={scan.name}
            maxLength={200}
            autoComplete="off"
            error={isNameless(scan) ? t('Bitte geben Sie den Namen des Plans ein.') : undefined}
            onChange={({ target }) => onChange(renameScan(scans, scan.key, target.value))}
          />
        ) : (
          <span className="karte-scan-name">{scan.file.name}</span>
        )}
        <span className="soft nums">
          {formatBytes(scan.file.size)}
          {scan.beside !== null && ` + ${scan.beside.name}`}
        </span>
        <IconButton
          icon="close"
          size="small"
          label={t('{name} weglassen', { name: scan.file.name })}
          onClick={() => onChange(dropScan(scans, scan.key))}
        />
      </li>
    ))}
  </ul>
)
