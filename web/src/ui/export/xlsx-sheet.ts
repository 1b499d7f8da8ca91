// A table as an Excel workbook with one sheet, packed by the browser.
import { xlsxTeile, XLSX_TYPE } from '#domain/xlsx.ts'
import type { ExportTable } from './cells.ts'
import { zip } from './zip.ts'

export const xlsxBlob = async (table: ExportTable): Promise<Blob> => new Blob([await zip(xlsxTeile([table]))], { type: XLSX_TYPE })
