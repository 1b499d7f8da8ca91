// Why a file cannot be read at all, and what to do about it.
import { TABLE_FAULTS, type TableFault } from '#domain/import-table.ts'
import { t } from '../../ui/text.ts'

export { TableFault as FileFault, type TableFaultCode as FileFaultCode } from '#domain/import-table.ts'

export const fileFaultText = ({ code, values }: Pick<TableFault, 'code' | 'values'>): string =>
  t(TABLE_FAULTS[code], values)
