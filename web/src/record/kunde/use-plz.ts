// Suggestions from a postcode for the rest of an address: fills empty fields and only offers values for
// others.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type AddressSuggestion, isPlz, placeFits, proposeAddress } from '#domain/address.ts'
import type { KundeValues } from './kunde-form.ts'
import { plzTable } from './plz-table.ts'

export interface PlzHelp {
  /** Null if the postcode is incomplete or unknown. */
  readonly proposal: AddressSuggestion | null
  /** The Ort does not belong to the postcode. */
  readonly misfit: boolean
  /** The postcode is complete but not in the directory. */
  readonly unknown: boolean
}

export function usePlz(form: UseFormReturn<KundeValues>): PlzHelp {
  const [plz, ort, land] = form.watch(['plz', 'ort', 'land'])
  const loaded = form.formState.defaultValues?.plz ?? ''
  // The directory is that of Germany.
  const touched = plz !== loaded && land === 'DE'
  const { data: table } = useQuery({ ...plzTable, enabled: touched && plz.length > 2 })
  const whole = isPlz(plz.trim())
  const proposal = table && whole && touched ? proposeAddress(table, plz.trim()) : null
  const { setValue, getValues } = form
  const isKnown = proposal !== null
  const thePlace = proposal?.ort ?? null
  const theLand = proposal?.bundesland ?? null
  // Values filled in for the previous postcode may be replaced; typed ones may not.
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
