// The file of credit transfers: the same lines give the same bytes, so that it can be downloaded again.
import type { TransferRun } from '#contract/eingang.ts'
import { creditTransferXml } from '#domain/sepa/pain.ts'
import { formatDate } from '../../../ui/format.ts'

export const transferFileName = ({ id, tag }: TransferRun): string => `SEPA-Ueberweisung-${tag}-${id}.xml`

export const transferFileOf = (run: TransferRun): string =>
  creditTransferXml(
    {
      id: `FK-UE-${run.id}`,
      // Whole seconds in UTC, as the run was made.
      erstellt: `${new Date(run.angelegt_am).toISOString().slice(0, 19)}Z`,
      konto: { name: run.name, iban: run.iban, bic: run.bic },
      tag: run.tag,
    },
    run.zeilen.map((line) => ({
      tag: line.tag,
      referenz: `FK-U${run.id}-${line.eingang_id}`,
      betrag: line.betrag,
      empfaenger: { name: line.name, iban: line.iban, bic: '' },
      // The number that the supplier looks for, and that our own matching finds again.
      zweck: `Rechnung ${line.nummer} vom ${formatDate(line.datum)}${
        Number(line.skonto) > 0 ? ` abzueglich Skonto ${line.skonto.replace('.', ',')}` : ''
      }`,
    })),
  )
