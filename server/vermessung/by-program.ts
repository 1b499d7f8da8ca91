// The import of a survey by one request of a program: the same steps as on the screens, one after the other.
import type { FileLayer, ImportReport } from '#contract/vermessung-import.ts'
import { createReadStream } from 'node:fs'
import { Refusal } from '#server/errors.ts'
import {
  type ImportOrder,
  type ImportResult,
  jsonSetting,
  type ProgramImport,
  RowsRefusedError,
} from '#server/program-import.ts'
import { UPLOAD_MOST_BYTES } from '#contract/vermessung-import.ts'
import { farRefusal, movedRefusal, orderedLosses, probeResult, rowFaultOf } from '../geodata/by-program.ts'
import { importFault } from '../geodata/import-fault.ts'
import type { SurveyImports } from './import.ts'

export const surveyByProgram = (imports: SurveyImports): ProgramImport => ({
  was: 'vermessung',
  programs: 'vermessung_import',
  words: 'objekt',
  mostBytes: UPLOAD_MOST_BYTES,
  settings: {
    kunde: 'needed',
    modus: 'needed',
    epsg: 'possible',
    ort: 'possible',
    verschiebung: 'possible',
    werte: 'possible',
  },
  may: (caller, { kunde = '' }) => imports.may(caller, kunde),
  async run(order) {
    const { caller, file, settings, signal } = order
    const sent = { name: file.name, body: createReadStream(file.path) }
    const waiting = await imports.add(caller, settings['kunde'] ?? '', sent, signal)
    const id = String(waiting.id)
    try {
      const values = jsonSetting(settings, 'werte') ?? valuesOf(waiting.schichten, settings)
      return await (order.isProbe ? probe(imports, order, id, values) : take(imports, order, id, values))
    } finally {
      // What was imported has no file any more, and stays in the list of imports.
      await imports.drop(caller, id).catch(() => undefined)
    }
  },
})

/** What the screens propose for the file. */
function valuesOf(layers: readonly FileLayer[], settings: ImportOrder['settings']): object {
  const layerValues = layers.flatMap(({ name, epsg, vorschlag, ort }) =>
    vorschlag.tabelle === null
      ? []
      : [
          {
            name,
            tabelle: vorschlag.tabelle,
            epsg: epsg ?? Number(settings['epsg']),
            felder: vorschlag.felder,
            ...(ort && { ort }),
          },
        ],
  )
  return {
    schichten: layerValues,
    modus: settings['modus'],
    ort_bestaetigt: settings['ort'] === 'bestaetigt',
    verschiebung_bestaetigt: settings['verschiebung'] === 'bestaetigt',
  }
}

async function probe(
  imports: SurveyImports,
  { caller, signal }: ImportOrder,
  id: string,
  values: unknown,
): Promise<ImportResult> {
  return probeResult(await imports.check(caller, id, values, signal), values)
}

async function take(
  imports: SurveyImports,
  { caller, signal, onProgress, keep }: ImportOrder,
  id: string,
  values: unknown,
): Promise<ImportResult> {
  const over = await imports.runToEnd(caller, id, values, {
    signal,
    onProgress,
    keep: (written) => keep(resultOf(written)),
  })
  if (over.stand === 'fertig') return resultOf(over.bericht ?? {})
  throw refusalOf(over.bericht ?? {})
}

function resultOf({ objekte = [], hinweise = [] }: ImportReport): ImportResult {
  const sumOf = (key: 'neu' | 'geaendert' | 'entfernt' | 'behalten') =>
    objekte.reduce((sum, one) => sum + (one[key] ?? 0), 0)
  const figures = { neu: sumOf('neu'), geaendert: sumOf('geaendert'), entfernt: sumOf('entfernt') }
  return {
    zahlen: { ...figures, behalten: sumOf('behalten') },
    fehlerzahl: 0,
    fehler: [],
    hinweise: orderedLosses(hinweise),
  }
}

function refusalOf({ grund, fehler = [], fehlerzahl = 0, fern, verschoben }: ImportReport): Error {
  if (grund === 'fehler')
    return new RowsRefusedError({ zahlen: {}, fehlerzahl, fehler: fehler.map(rowFaultOf) })
  if (grund === 'ort' && fern !== undefined) return farRefusal(fern)
  if (grund === 'verschiebung' && verschoben !== undefined) return movedRefusal(verschoben)
  return grund === undefined || grund === 'ort' || grund === 'verschiebung'
    ? new Refusal('internal')
    : importFault(grund)
}
