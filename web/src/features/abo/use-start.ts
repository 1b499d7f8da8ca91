// Starting a subscription: what was chosen for a headquarters, the voucher, and the order itself.
import { useState } from 'react'
import type { AboModule, AboPrice, GutscheinCheck } from '#contract/abo.ts'
import type { HqRecord } from '#contract/hq.ts'
import { ApiError } from '../../data/api-error.ts'
import { t } from '../../ui/text.ts'
import { useCheckGutschein, useStartAbo } from './abo.data.ts'
import { isUnchecked } from './abo-state.ts'

export interface Started {
  readonly modul: AboModule
  readonly sHQ: string
  readonly preis: AboPrice
  readonly voucher: GutscheinCheck | null
}

const NO_VALUE = { rabatt_abo: null, rabatt_kawm: null, laufzeit: null, expire_date: null }

interface Options {
  readonly hq: HqRecord
  readonly prices: readonly AboPrice[]
  /** Modules that can be started. */
  readonly free: readonly AboModule[]
  readonly onStarted: (started: Started) => void
}

export type Start = ReturnType<typeof useStart>
export function useStart({ hq, prices, free, onStarted }: Options) {
  const start = useStartAbo()
  const check = useCheckGutschein()
  const [picked, setPicked] = useState<AboModule | null>(null)
  const [missing, setMissing] = useState(false)
  const [code, setCode] = useState('')
  const [voucher, setVoucher] = useState<GutscheinCheck | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const moduleName = picked !== null && free.includes(picked) ? picked : null
  const price = prices.find((entry) => entry.modul === moduleName)
  const submit = async () => {
    if (moduleName === null || price === undefined) return setMissing(true)
    setFault(null)
    try {
      if (isUnchecked(code, voucher)) return setVoucher(await check.mutateAsync(code))
      const answer = await start.mutateAsync({ hqid: hq.idHQ, modul: moduleName, code })
      if (answer.gestartet) return onStarted({ modul: moduleName, sHQ: hq.sHQ, preis: price, voucher })
      setVoucher({ gueltig: false, grund: answer.grund, ...NO_VALUE })
      setFault(
        t('Ihr Abo wurde nicht gestartet, weil der Gutschein nicht gilt. Ändern oder leeren Sie den Code.'),
      )
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))
    }
  }
  return {
    modul: moduleName,
    preis: price,
    missing,
    code,
    voucher,
    fault,
    check,
    busy: start.isPending || check.isPending,
    submit,
    setVoucher,
    pick: (wanted: AboModule) => {
      setPicked(wanted)
      setMissing(false)
    },
    typeCode: (text: string) => {
      setCode(text)
      setVoucher(null)
    },
  }
}
