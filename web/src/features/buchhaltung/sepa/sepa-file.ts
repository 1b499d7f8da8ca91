// The file of a run: the same lines give the same bytes, so that it can be downloaded again.
import type { SepaRun } from '#contract/sepa.ts'
import { directDebitXml } from '#domain/sepa/pain.ts'

export const fileNameOf = ({ id, tag }: SepaRun): string => `SEPA-Lastschrift-${tag}-${id}.xml`

export const fileOf = (run: SepaRun): string =>
  directDebitXml(
    {
      id: `FK-LS-${run.id}`,
      // Whole seconds in UTC, as the run was made.
      erstellt: `${new Date(run.angelegt_am).toISOString().slice(0, 19)}Z`,
      konto: { name: run.name, iban: run.iban, bic: run.bic },
      tag: run.tag,
    },
    run.glaeubiger_id,
    run.zeilen.map((line) => ({
      referenz: `FK-${run.id}-${line.rechnung_id}`,
      betrag: line.betrag,
      debtor: { name: line.inhaber, iban: line.iban, bic: line.bic },
      mandat: line.referenz,
      unterschrieben: line.unterschrieben,
      art: line.art,
      folge: line.folge,
      // The number that the matching of the bank's entries looks for.
      zweck: `Rechnung ${line.nummer}`,
    })),
  )
