// Creates an Excel workbook with one sheet, compressed by the browser.
import { xlsxParts, XLSX_TYPE } from '#domain/xlsx.ts'
import type { ExportTable } from './cells.ts'
import { zip } from './zip.ts'

export const xlsxBlob = async (table: ExportTable): Promise<Blob> =>
  new Blob([await zip(xlsxParts([table]))], { type: XLSX_TYPE })
