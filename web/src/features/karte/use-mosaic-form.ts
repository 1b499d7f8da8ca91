// What is asked for a mosaic, checked before it is sent, and faults of the server at their fields.
import { useMemo, useState } from 'react'
import type { KarteResult } from '#contract/karte-mosaic.ts'
import { parseCoordinate } from '#domain/georef/coordinate.ts'
import type { Overlap } from '#contract/karte-mosaic.ts'
import type { Converter } from '#domain/projection.ts'
import { ApiError } from '../../data/api-error.ts'
import { messageOf } from '../../record/record-faults.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { sizeOf, suggestedName, usualSystem } from './merge-sheets.ts'
import { useAddMosaic } from './merge.data.ts'

export type { Converter }
export type MosaicField = 'map_name' | 'epsg' | 'res'
export interface MosaicInput {
  readonly map_name: string
  readonly epsg: number
  /** As it is typed; empty takes that of the finest sheet. */
  readonly res: string
  readonly ueberlappung: Overlap
  readonly kompression: 'jpeg' | 'deflate'
}

interface Props {
  sheets: readonly KarteResult[]
  converter: Converter
  onDone: () => void
  onClose: () => void
}

const resOf = (text: string): number | null => (text.trim() === '' ? null : parseCoordinate(text))
const isWrongRes = (text: string): boolean => {
  const res = resOf(text)
  return text.trim() !== '' && (res === null || res <= 0 || res >= 10_000)
}

export function useMosaicForm({ sheets, converter, onDone, onClose }: Props) {
  const view = useView()
  const { mutateAsync, isPending } = useAddMosaic()
  const [initial] = useState<MosaicInput>(() => ({
    map_name: t('Mosaik {name}', { name: suggestedName(sheets) }).slice(0, 200),
    epsg: usualSystem(sheets),
    res: '',
    ueberlappung: 'oben',
    kompression: 'jpeg',
  }))
  const [input, setInput] = useState(initial)
  const [faults, setFaults] = useState<Partial<Record<MosaicField, string>>>({})
  const [fault, setFault] = useState<string | null>(null)
  const wrongRes = isWrongRes(input.res)
  const size = useMemo(
    () => (wrongRes ? null : sizeOf(converter, sheets, input.epsg, resOf(input.res))),
    [converter, sheets, input.epsg, input.res, wrongRes],
  )

  function faultsNow(): Partial<Record<MosaicField, string>> {
    return {
      ...(input.map_name.trim() === '' && { map_name: t('Bitte geben Sie den Namen des Mosaiks ein.') }),
      ...(!converter.systems.has(input.epsg) && {
        epsg: t('Auf diesem Server fehlt das Gitter dafür. Bitte wählen Sie ein anderes System.'),
      }),
      ...(wrongRes && { res: t('Bitte eine Zahl größer als 0 wie 0,25 eingeben.') }),
      ...(size === 'zu_gross' && {
        res: t(
          'Das Mosaik hätte mehr als eine Milliarde Pixel. Bitte wählen Sie eine gröbere Auflösung oder weniger ' +
            'Blätter.',
        ),
      }),
    }
  }

  async function submit() {
    const now = faultsNow()
    setFaults(now)
    setFault(null)
    if (Object.keys(now).length > 0) return
    try {
      const { map_name, epsg, ueberlappung, kompression } = input
      const made = await mutateAsync({
        karten: sheets.map(({ karte_id }) => karte_id),
        map_name: map_name.trim(),
        epsg,
        res: resOf(input.res),
        kompression,
        ueberlappung,
      })
      toast.success(t('Das Mosaik ist in Auftrag gegeben.'))
      onDone()
      onClose()
      view.go(`/karten/${made}?ansicht=dateien`)
    } catch (error) {
      const told = error instanceof ApiError ? error.fields : []
      setFaults(Object.fromEntries(told.map(({ field, message }) => [field, message])))
      if (!told.some(({ field }) => ['map_name', 'epsg', 'res'].includes(field))) setFault(messageOf(error))
    }
  }

  return {
    input,
    change: (part: Partial<MosaicInput>) => setInput({ ...input, ...part }),
    faults,
    fault,
    size,
    busy: isPending,
    dirty: input !== initial,
    submit: (event: { preventDefault(): void }) => {
      event.preventDefault()
      void submit()
    },
  }
}
export type MosaicForm = ReturnType<typeof useMosaicForm>
