// Creates plans: one with its register data, or one for each of several scans, named after their files.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../record/record-faults.ts'
import { showFaults } from '../../record/use-record-form.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatBytes } from '../../ui/format.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import '../../record/record.css'
import { forgetFiles } from './files.data.ts'
import { uploadScan } from './upload.ts'
import {
  checkText,
  emptyRegister,
  newKarte,
  REGISTER_FIELDS,
  registerResolver,
  type RegisterValues,
} from './karte-form.ts'
import { findKunde, KUNDE_FILTER, kundeQuery, type NewKarte, useAddKarte } from './karte.data.ts'
import { nameFromFile } from './karte-words.ts'
import { RegisterFields } from './KarteFields.tsx'
import { ScanPicker } from './ScanPicker.tsx'
import './karte.css'

interface Scan {
  readonly key: number
  readonly file: File
  readonly name: string
}
const MOST = 50

/** `client_id`: the customer, if the page determines it. */
export function CreateKarte({ client_id, onClose }: { client_id?: number; onClose: () => void }) {
  const view = useView()
  const client = useQueryClient()
  const form = useForm<RegisterValues>({
    resolver: registerResolver,
    defaultValues: emptyRegister(null),
    mode: 'onTouched',
  })
  const [kunde, setKunde] = useState(client_id === undefined ? '' : String(client_id))
  const [kundeFault, setKundeFault] = useState(false)
  const [scans, setScans] = useState<readonly Scan[]>([])
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const nextKey = useRef(0)
  const add = useAddKarte()
  const { isDirty, dirtyFields } = form.formState
  const dirty = isDirty || scans.length > 0 || (client_id === undefined && kunde !== '')
  const disarm = useUnsavedChanges(dirty)
  const { data: known } = useQuery({ ...kundeQuery(kunde), enabled: kunde !== '' })
  const several = scans.length > 1

  // The customer's own system, unless another was chosen.
  useEffect(() => {
    if (known && !dirtyFields.epsg) form.resetField('epsg', { defaultValue: String(known.epsg) })
  }, [known, form, dirtyFields.epsg])
  useEffect(() => {
    if (client_id !== undefined) form.setFocus('map_name')
  }, [client_id, form])

  const take = (files: readonly File[]) => {
    const added = files.map((file) => ({
      key: nextKey.current++,
      file,
      name: nameFromFile(file.name) || file.name,
    }))
    const now = [...scans, ...added].slice(0, MOST)
    setScans(now)
    if (scans.length + added.length > MOST) toast.info(t('Höchstens {n} Scans auf einmal.', { n: MOST }))
    // The name is suggested from the file; with several files its field is hidden.
    if (form.getValues('map_name') === '' && now[0])
      form.setValue('map_name', now[0].name, { shouldDirty: true, shouldValidate: true })
  }
  const drop = (key: number) => setScans(scans.filter((scan) => scan.key !== key))
  const rename = (key: number, name: string) =>
    setScans(scans.map((scan) => (scan.key === key ? { ...scan, name } : scan)))

  const upload = (id: number, file: File) => uploadScan(id, file, () => forgetFiles(client, id))

  const submit = form.handleSubmit(
    async (values) => {
      setFault(null)
      setKundeFault(kunde === '')
      if (kunde === '') return
      if (several && scans.some(({ name }) => name.trim() === ''))
        return setFault(t('Bitte geben Sie jedem Plan einen Namen.'))
      setBusy(true)
      try {
        const row = { ...newKarte(values), client_id: Number(kunde) } as NewKarte
        if (several) await addAll(row)
        else {
          const made = await add.mutateAsync(row)
          if (scans[0]) upload(made.id, scans[0].file)
          disarm()
          toast.success(t('{name} wurde angelegt.', { name: made.map_name }))
          onClose()
          view.go(`/karten/${made.id}`)
        }
      } catch (error) {
        setFault(showFaults(form, error, { fields: REGISTER_FIELDS, check: checkText }))
      } finally {
        setBusy(false)
      }
      return undefined
    },
    () => setKundeFault(kunde === ''),
  )

  /** Sequential; what fails stays in the dialog. */
  async function addAll(row: NewKarte): Promise<void> {
    const left: Scan[] = []
    let why = ''
    for (const scan of scans)
      try {
        // oxlint-disable-next-line no-await-in-loop
        const made = await add.mutateAsync({ ...row, map_name: scan.name.trim() })
        upload(made.id, scan.file)
      } catch (error) {
        left.push(scan)
        why = messageOf(error)
      }
    const made = scans.length - left.length
    if (made > 0)
      toast.success(
        made === 1
          ? t('1 Plan wurde angelegt.')
          : t('{n} Pläne wurden angelegt. Die Scans werden hochgeladen.', { n: made }),
      )
    if (left.length > 0) {
      setScans(left)
      setFault(t('{n} Pläne wurden nicht angelegt: {grund}', { n: left.length, grund: why }))
      return
    }
    disarm()
    onClose()
    if (client_id === undefined) view.go(`/karten/index?kunde=${kunde}`)
  }

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
      {client_id === undefined && (
        <div className={kundeFault ? 'field-faulty karte-kunde' : 'karte-kunde'}>
          <RecordField
            filter={{ ...KUNDE_FILTER, find: findKunde }}
            label={t('Kunde')}
            value={kunde}
            apply={(value) => {
              setKunde(value)
              setKundeFault(false)
            }}
          />
          {kundeFault && (
            <p className="field-error" role="alert">
              <Icon name="warning" size={15} />
              {t('Bitte wählen Sie den Kunden, dem der Plan gehört.')}
            </p>
          )}
        </div>
      )}
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
        {scans.length > 0 && (
          <ul className="karte-scans" aria-label={t('Gewählte Scans')}>
            {scans.map(({ key, file, name }) => (
              <li key={key}>
                {several ? (
                  <TextField
                    label={t('Name des Plans aus {datei}', { datei: file.name })}
                    labelHidden
                    value={name}
                    maxLength={200}
                    autoComplete="off"
                    error={name.trim() === '' ? t('Bitte geben Sie den Namen des Plans ein.') : undefined}
                    onChange={({ target }) => rename(key, target.value)}
                  />
                ) : (
                  <span className="karte-scan-name">{file.name}</span>
                )}
                <span className="soft nums">{formatBytes(file.size)}</span>
                <IconButton
                  icon="close"
                  size="small"
                  label={t('{name} weglassen', { name: file.name })}
                  onClick={() => drop(key)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {several && <p className="soft">{t('Was Sie unten angeben, gilt für alle diese Pläne.')}</p>}
      <RegisterFields form={form} client_id={kunde === '' ? null : Number(kunde)} withoutName={several} />
    </FormDialog>
  )
}
