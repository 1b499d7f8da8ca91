// The import of a management plan by one request of a program: the same steps as on the screens.
import { createReadStream } from 'node:fs'
import { FE_MOST_BYTES, type FeFileLayer, type FeReport } from '#contract/bestand-import.ts'
import { Refusal } from '#server/errors.ts'
import {
  type ImportOrder,
  type ImportResult,
  jsonSetting,
  type ProgramImport,
  RowsRefusedError,
} from '#server/program-import.ts'
import { farRefusal, orderedLosses, probeResult, rowFaultOf } from '../geodata/by-program.ts'
import { importFault } from '../geodata/import-fault.ts'
import type { PlanImports } from './import.ts'

export const standsByProgram = (imports: PlanImports): ProgramImport => ({
  was: 'waldbestand',
  programs: 'bestand_import',
  words: 'bestand',
  mostBytes: FE_MOST_BYTES,
  settings: {
    hq: 'needed',
    epsg: 'possible',
    stichtag: 'possible',
    uebernehmen: 'possible',
    ort: 'possible',
    werte: 'possible',
  },
  may: (caller, { hq = '' }) => imports.may(caller, hq),
  async run(order) {
    const { caller, file, settings, signal } = order
    const sent = { name: file.name, body: createReadStream(file.path) }
    const waiting = await imports.add(caller, settings['hq'] ?? '', sent, signal)
    const id = String(waiting.id)
    try {
      const values = jsonSetting(settings, 'werte') ?? valuesOf(waiting.schichten, settings)
      return await (order.isProbe ? probe(imports, order, id, values) : take(imports, order, id, values))
    } finally {
      await imports.drop(caller, id).catch(() => undefined)
    }
  },
})

/** What the screens propose for the file. */
function valuesOf(layers: readonly FeFileLayer[], settings: ImportOrder['settings']): object {
  const layerValues = layers.flatMap(({ name, epsg, vorschlag: { tabelle, felder } }) =>
    tabelle === null
      ? []
      : [{ name, tabelle, epsg: tabelle === 'bestand' ? (epsg ?? Number(settings['epsg'])) : null, felder }],
  )
  return {
    schichten: layerValues,
    stichtag: settings['stichtag'] ?? null,
    uebernehmen: settings['uebernehmen'] === '1',
    ort_bestaetigt: settings['ort'] === 'bestaetigt',
  }
}

async function probe(
  imports: PlanImports,
  { caller, signal }: ImportOrder,
  id: string,
  values: unknown,
): Promise<ImportResult> {
  return probeResult(await imports.check(caller, id, values, signal), values)
}

async function take(
  imports: PlanImports,
  { caller, signal, keep }: ImportOrder,
  id: string,
  values: unknown,
): Promise<ImportResult> {
  const over = await imports.start(caller, id, values, { signal, keep: (report) => keep(resultOf(report)) })
  if (over.stand === 'fertig') return resultOf(over.bericht ?? {})
  const { grund, fehler = [], fehlerzahl = 0, fern } = over.bericht ?? {}
  if (grund === 'fehler')
    throw new RowsRefusedError({ zahlen: {}, fehlerzahl, fehler: fehler.map(rowFaultOf) })
  if (grund === 'ort' && fern !== undefined) throw farRefusal(fern)
  throw grund === undefined || grund === 'ort' ? new Refusal('internal') : importFault(grund)
}

function resultOf(report: FeReport): ImportResult {
  const { bestaende = 0, baumarten = 0, entfernt = 0, bereinigt = 0, hinweise = [] } = report
  return {
    zahlen: { bestaende, baumarten, entfernt, bereinigt },
    fehlerzahl: 0,
    fehler: [],
    hinweise: orderedLosses(hinweise),
  }
}
