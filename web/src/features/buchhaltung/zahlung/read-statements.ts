// Reads a file from the bank in the browser (domain/camt/bank-file.ts); a CSV file needs a mapping (read-csv-file.ts).
import { type BankFileTools, readStatements as readBankFile, StatementFault } from '#domain/camt/bank-file.ts'
import type { CamtStatement } from '#domain/camt/statement.ts'
import { unpackZip, ZipFault } from '../../../data/unpack-zip.ts'
import { parseXml } from './parse-xml.ts'

export {
  MAX_BYTES,
  StatementFault,
  type StatementFaultValues,
} from '#domain/camt/bank-file.ts'

const TOOLS: BankFileTools = {
  decode(bytes, label) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      return null
    }
  },
  parseXml,
  unpack: (bytes, wanted) =>
    unpackZip(bytes, wanted).catch((error: unknown) => {
      if (!(error instanceof ZipFault)) throw error
      throw new StatementFault(
        error.code === 'geschuetzt' ? 'archiv_geschuetzt' : error.code === 'kaputt' ? 'archiv' : 'gross',
      )
    }),
}

/** All statements of the file. Throws StatementFault. */
export const readStatements = (bytes: Uint8Array<ArrayBuffer>): Promise<CamtStatement[]> =>
  readBankFile(TOOLS, bytes)
