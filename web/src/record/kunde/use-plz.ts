// What a postcode proposes for the rest of an address. It fills empty fields and only ever offers the others.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type AddressSuggestion, isPlz, placeFits, proposeAddress } from '#domain/address.ts'
import type { KundeValues } from './kunde-form.ts'
import { plzTable } from './plz-table.ts'

export interface PlzHelp {
  /** Null: no whole postcode yet, or the directory does not know it. */
  readonly proposal: AddressSuggestion | null
  /** The Ort that stands there does not belong to the postcode. */
  readonly misfit: boolean
  /** A whole postcode that the directory does not know. */
  readonly unknown: boolean
}

export function usePlz(form: UseFormReturn<KundeValues>): PlzHelp {
  const [plz, ort] = form.watch(['plz', 'ort'])
  const loaded = form.formState.defaultValues?.plz ?? ''
  const touched = plz !== loaded
  const { data: table } = useQuery({ ...plzTable, enabled: touched && plz.length > 2 })
  const whole = isPlz(plz.trim())
  const proposal = table && whole && touched ? proposeAddress(table, plz.trim()) : null
  const { setValue, getValues } = form
  const isKnown = proposal !== null
  const thePlace = proposal?.ort ?? null
  const theLand = proposal?.bundesland ?? null
  // What was filled in for the last postcode may be replaced; what a person typed may not.
  const filled = useRef<{ ort?: string; bundesland?: string }>({})
  useEffect(() => {
    if (!isKnown) return
    const fill = (field: 'ort' | 'bundesland', value: string | null) => {
      const present = getValues(field)
      if (value === null || (present !== '' && present !== filled.current[field])) return
      filled.current[field] = value
      setValue(field, value, { shouldDirty: true, shouldValidate: true })
    }
    fill('ort', thePlace)
    fill('bundesland', theLand)
  }, [isKnown, thePlace, theLand, plz, setValue, getValues])
  return {
    proposal,
    misfit:
      proposal !== null && table !== undefined && ort.trim() !== '' && !placeFits(table, plz.trim(), ort),
    unknown: table !== undefined && whole && touched && proposal === null,
  }
}
