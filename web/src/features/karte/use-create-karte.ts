// The form of new plans and creating them: one with its register data, or one for each of several scans.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../record/record-faults.ts'
import { showFaults } from '../../record/use-record-form.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { forgetFiles } from './files.data.ts'
import {
  checkText,
  emptyRegister,
  newKarte,
  REGISTER_FIELDS,
  registerResolver,
  type RegisterValues,
} from './karte-form.ts'
import { kundeQuery, type NewKarte, useAddKarte } from './karte.data.ts'
import { addScans, isNameless, MOST_SCANS, type Scan } from './scans.ts'
import { uploadScan } from './upload.ts'

/** `client_id`: the customer, if the page determines it. */
export function useCreateKarte(client_id: number | undefined, onClose: () => void) {
  const form = useForm<RegisterValues>({
    resolver: registerResolver,
    defaultValues: emptyRegister(null),
    mode: 'onTouched',
  })
  const [kunde, setKunde] = useState(client_id === undefined ? '' : String(client_id))
  const [kundeFault, setKundeFault] = useState(false)
  const [scans, setScans] = useState<readonly Scan[]>([])
  const { isDirty, dirtyFields } = form.formState
  const dirty = isDirty || scans.length > 0 || (client_id === undefined && kunde !== '')
  const disarm = useUnsavedChanges(dirty)
  const { data: known } = useQuery({ ...kundeQuery(kunde), enabled: kunde !== '' })
  const { fault, setFault, busy, run } = useRun(form)
  const { addOne, addEach } = useAdding()
  const view = useView()

  // The customer's own system, unless another was chosen.
  useEffect(() => {
    if (known && !dirtyFields.epsg) form.resetField('epsg', { defaultValue: String(known.epsg) })
  }, [known, form, dirtyFields.epsg])
  useEffect(() => {
    if (client_id !== undefined) form.setFocus('map_name')
  }, [client_id, form])

  const take = (files: readonly File[]) => {
    const { scans: now, alone } = addScans(scans, files)
    setScans(now)
    if (alone.length > 0)
      toast.info(
        t('Ohne Scan gleichen Namens bleibt weg: {dateien}', {
          dateien: alone.map(({ name }) => name).join(', '),
        }),
      )
    if (scans.length + files.length > MOST_SCANS)
      toast.info(t('Höchstens {n} Scans auf einmal.', { n: MOST_SCANS }))
    // The name is suggested from the file; with several files its field is hidden.
    if (form.getValues('map_name') === '' && now[0])
      form.setValue('map_name', now[0].name, { shouldDirty: true, shouldValidate: true })
  }
  const chooseKunde = (value: string) => {
    setKunde(value)
    setKundeFault(false)
  }
  const leaveFor = (address: string | null) => {
    disarm()
    onClose()
    if (address !== null) view.go(address)
  }

  async function createOne(row: NewKarte): Promise<void> {
    const made = await addOne(row, scans[0])
    toast.success(t('{name} wurde angelegt.', { name: made.map_name }))
    leaveFor(`/karten/${made.id}`)
  }
  async function createEach(row: NewKarte): Promise<void> {
    const { left, why } = await addEach(row, scans)
    if (left.length > 0) {
      setScans(left)
      setFault(
        left.length === 1
          ? t('1 Plan wurde nicht angelegt: {grund}', { grund: why })
          : t('{n} Pläne wurden nicht angelegt: {grund}', { n: left.length, grund: why }),
      )
    } else leaveFor(client_id === undefined ? `/karten/index?kunde=${kunde}` : null)
  }
  const submit = form.handleSubmit(
    async (values) => {
      setFault(null)
      setKundeFault(kunde === '')
      if (kunde === '') return
      if (scans.length > 1 && scans.some(isNameless))
        return setFault(t('Bitte geben Sie jedem Plan einen Namen.'))
      const row = { ...newKarte(values), client_id: Number(kunde) } as NewKarte
      await run(() => (scans.length > 1 ? createEach(row) : createOne(row)))
      return undefined
    },
    () => setKundeFault(kunde === ''),
  )
  return { form, kunde, kundeFault, chooseKunde, scans, setScans, take, fault, busy, dirty, submit }
}

/** Runs the creation; what the server refuses is shown at its field. */
function useRun(form: ReturnType<typeof useForm<RegisterValues>>) {
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setFault(showFaults(form, error, { fields: REGISTER_FIELDS, check: checkText }))
    } finally {
      setBusy(false)
    }
  }
  return { fault, setFault, busy, run }
}

/** Creates plans and begins to upload their scans. */
function useAdding() {
  const client = useQueryClient()
  const { mutateAsync } = useAddKarte()
  async function addOne(row: NewKarte, scan: Scan | undefined) {
    const made = await mutateAsync(row)
    if (scan) uploadScan(made.id, scan.file, () => forgetFiles(client, made.id), scan.beside)
    return made
  }
  /** Sequential; answers what failed. */
  async function addEach(row: NewKarte, scans: readonly Scan[]) {
    const left: Scan[] = []
    let why = ''
    for (const scan of scans)
      try {
        // oxlint-disable-next-line no-await-in-loop
        await addOne({ ...row, map_name: scan.name.trim() }, scan)
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
    return { left, why }
  }
  return { addOne, addEach }
}
