// The import of habitat trees by one request of a program: the same steps as on the screens.
import { createReadStream } from 'node:fs'
import {
  HABITAT_FILE_MOST_BYTES,
  type HabitatFileContent,
  type HabitatImportResult,
} from '#contract/habitat-file.ts'
import {
  ImportRefusal,
  type ImportOrder,
  type ImportResult,
  jsonSetting,
  type ProgramImport,
  RowsRefusedError,
} from '#server/program-import.ts'
import { farRefusal } from '../geodata/by-program.ts'
import type { FileImports } from './file-import.ts'

export const treesByProgram = (imports: FileImports): ProgramImport => ({
  was: 'habitatbaeume',
  programs: 'habitatbaeume',
  words: 'baum',
  mostBytes: HABITAT_FILE_MOST_BYTES,
  settings: { hq: 'needed', epsg: 'possible', ort: 'possible', werte: 'possible' },
  may: (caller, { hq = '' }) => imports.may(caller, hq),
  async run({ caller, file, settings, isProbe, signal, keep }) {
    const hq = settings['hq'] ?? ''
    const sent = () => ({ body: createReadStream(file.path), signal })
    const values =
      jsonSetting(settings, 'werte') ??
      valuesOf(await imports.readContent(caller, hq, file.name, sent()), settings)
    const said = {
      name: file.name,
      werte: JSON.stringify(values),
      isKept: !isProbe,
      keep: (done: HabitatImportResult) => keep(resultOf(done)),
    }
    const done = await imports.takeIn(caller, hq, said, sent())
    if (done.fern !== null && (values as { ort_bestaetigt?: unknown }).ort_bestaetigt !== true)
      throw farRefusal(done.fern)
    const result = resultOf(done)
    if (!isProbe && result.fehlerzahl > 0) throw new RowsRefusedError(result)
    return result
  },
})

/** What the screens propose for the file: its first layer whose columns say what they are. */
function valuesOf({ schichten }: HabitatFileContent, settings: ImportOrder['settings']): object {
  const layer = schichten.find(({ vorschlag }) => vorschlag.art !== undefined) ?? schichten[0]
  if (layer === undefined)
    throw new ImportRefusal(
      'bad_value',
      'keine_schicht',
      'In der Datei ist nichts, was sich importieren lässt.',
    )
  return {
    schicht: layer.name,
    epsg: layer.epsg ?? Number(settings['epsg']),
    felder: layer.vorschlag,
    ...(layer.ort && { ort: layer.ort }),
    ort_bestaetigt: settings['ort'] === 'bestaetigt',
  }
}

function resultOf(done: HabitatImportResult): ImportResult {
  const { anzahl, neu, geaendert, unveraendert, fehlerzahl, fehler, hinweise } = done
  return {
    zahlen: { anzahl, neu, geaendert, unveraendert },
    fehlerzahl,
    fehler: fehler.map(({ nr, feld, regel, wert }) => ({
      zeile: nr,
      feld,
      code: regel,
      angaben: { wert },
      stufe: 'fehler',
    })),
    hinweise,
  }
}
