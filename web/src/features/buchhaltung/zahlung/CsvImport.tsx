// A CSV file of the bank: which column is what, how days and amounts are written, and what is read by that.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  CSV_FIELDS,
  type CsvForm,
  DAY_ORDERS,
  DECIMAL_SIGNS,
  formKey,
  guessForm,
  missingColumns,
  restoreForm,
  saveForm,
} from '#domain/bank-csv/columns.ts'
import { accountIn, type CsvRead, csvCell, readCsv } from '#domain/bank-csv/read-csv.ts'
import type { CamtStatement } from '#domain/camt/statement.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatIban, ibanFault, normalizeIban } from '#domain/iban.ts'
import { ColumnMapping } from '../../../record/import/ColumnMapping.tsx'
import { RowFaultTable } from '../../../record/import/RowFaultTable.tsx'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { Refusal } from '../../../ui/Refusal.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import { csvFormQuery, ownBankAccountQuery, rememberCsvForm } from './bank.data.ts'
import { csvFaultText, dayOrderText, decimalText, delimiterText, faultField, fieldText } from './csv-words.ts'
import { type CsvChoice, type CsvFile, DELIMITERS, CHARSET_NAMES, readCsvFile } from './read-csv-file.ts'
import { StatementFault } from './read-statements.ts'
import { statementFaultText } from './statement-file.ts'

interface Props {
  bytes: Uint8Array
  name: string
  busy: boolean
  onRead: (bankStatements: readonly CamtStatement[]) => void
  onCancel: () => void
}

/** The file as it is chosen, or what is wrong with it. */
function fileOf(bytes: Uint8Array, choice: Partial<CsvChoice>): CsvFile | string {
  try {
    return readCsvFile(bytes, choice)
  } catch (fault) {
    return fault instanceof StatementFault ? statementFaultText(fault.werte) : messageOf(fault)
  }
}
/** What was remembered beside the columns. */
const choiceOf = (saved: Readonly<Record<string, unknown>>): Partial<CsvChoice> => {
  const encoding = CHARSET_NAMES.find((one) => one === saved['encoding'])
  const delimiter = DELIMITERS.find((one) => one === saved['delimiter'])
  return { ...(encoding && { encoding }), ...(delimiter && { delimiter }) }
}

export function CsvImport({ bytes, name, busy, onRead, onCancel }: Props) {
  const [choice, setChoice] = useState<Partial<CsvChoice>>({})
  const [changed, setChanged] = useState<CsvForm | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const own = useQuery(ownBankAccountQuery).data ?? ''

  const first = useMemo(() => fileOf(bytes, {}), [bytes])
  const named =
    typeof first === 'string' ? '' : accountIn(first.table, guessForm(first.table.headers, first.table.rows))
  const account = named || normalizeIban(typed ?? own)
  const wrongAccount = ibanFault(account) !== null
  // Found again by the headings as they are read without any choice.
  const key = typeof first === 'string' || wrongAccount ? null : formKey(account, first.table.headers)
  const saved = useQuery(csvFormQuery(key)).data ?? null
  const chosen = useMemo(() => ({ ...(saved && choiceOf(saved)), ...choice }), [saved, choice])
  const file = useMemo(() => fileOf(bytes, chosen), [bytes, chosen])

  const restored = typeof file === 'string' || saved === null ? null : restoreForm(file.table.headers, saved)
  const form =
    changed ?? restored ?? (typeof file === 'string' ? null : guessForm(file.table.headers, file.table.rows))
  const missing = form === null ? [] : missingColumns(form.spalten)
  const read = useMemo(
    () => (typeof file === 'string' || form === null ? null : readCsv(file.table, form, account)),
    [file, form, account],
  )
  const choose = (more: Partial<CsvChoice>) => {
    setChoice({ ...choice, ...more })
    setChanged(null)
  }
  function goOn({ bankStatements }: CsvRead, { encoding, delimiter }: CsvFile, by: CsvForm) {
    // Convenient next time; the import does not depend on it.
    if (key !== null) void rememberCsvForm(key, { ...saveForm(by), encoding, delimiter }).catch(() => null)
    onRead(bankStatements)
  }
  const isReady = read !== null && missing.length === 0 && read.faults.length === 0 && !wrongAccount
  return (
    <>
      <p>
        <strong className="bank-datei">{name}</strong>
        <br />
        <span className="soft">
          {[
            t('Erkannt: {art}', { art: t('Umsatzliste im Format CSV') }),
            ...(typeof file === 'string'
              ? []
              : [t('Zeilen: {n}', { n: formatNumber(file.table.rows.length) })]),
            ...(named === '' ? [] : [formatIban(named)]),
          ].join(', ')}
        </span>
      </p>
      {typeof file === 'string' && <Refusal title={t('Nicht eingelesen')}>{file}</Refusal>}
      {restored !== null && changed === null && (
        <Notice>{t('Die Zuordnung stammt von Ihrem letzten Einlesen für dieses Konto.')}</Notice>
      )}
      {typeof file !== 'string' && form !== null && <Columns file={file} form={form} onChange={setChanged} />}
      <FieldGrid>
        {named === '' && (
          <TextField
            label={t('IBAN des eigenen Kontos')}
            hint={t('Die Datei nennt es nicht. Bitte prüfen Sie es.')}
            value={typed ?? formatIban(own)}
            error={wrongAccount && (typed ?? own) !== '' ? t('Das ist keine gültige IBAN.') : undefined}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        {form !== null && (
          <>
            <SelectField
              label={t('Datumsformat')}
              options={DAY_ORDERS.map((value) => ({ value, label: dayOrderText(value) }))}
              value={form.tage}
              onChange={({ target }) =>
                setChanged({ ...form, tage: DAY_ORDERS.find((one) => one === target.value) ?? form.tage })
              }
            />
            <SelectField
              label={t('Dezimalzeichen')}
              options={DECIMAL_SIGNS.map((value) => ({ value, label: decimalText(value) }))}
              value={form.decimalSign}
              onChange={({ target }) =>
                setChanged({ ...form, decimalSign: target.value === '.' ? '.' : ',' })
              }
            />
          </>
        )}
        <SelectField
          label={t('Trennzeichen')}
          options={DELIMITERS.map((value) => ({ value, label: delimiterText(value) }))}
          value={typeof file === 'string' ? (chosen.delimiter ?? ';') : file.delimiter}
          onChange={({ target }) => {
            const delimiter = DELIMITERS.find((one) => one === target.value)
            if (delimiter !== undefined) choose({ delimiter })
          }}
        />
        <SelectField
          label={t('Kodierung')}
          options={CHARSET_NAMES.map((value) => ({ value, label: value }))}
          value={typeof file === 'string' ? (chosen.encoding ?? 'UTF-8') : file.encoding}
          onChange={({ target }) => {
            const encoding = CHARSET_NAMES.find((one) => one === target.value)
            if (encoding !== undefined) choose({ encoding })
          }}
        />
      </FieldGrid>
      {missing.length > 0 && (
        <Notice tone="warning" title={t('Es fehlt noch etwas')}>
          {t('Bitte ordnen Sie zu: {fields}.', { fields: missing.map(fieldText).join(', ') })}
        </Notice>
      )}
      {read !== null && missing.length === 0 && <Result read={read} />}
      <div className="bank-actions">
        <Button
          variant="primary"
          busy={busy}
          disabled={!isReady || read.bankStatements.length === 0}
          onClick={() => isReady && typeof file !== 'string' && form !== null && goOn(read, file, form)}
        >
          {busy ? t('Wird geprüft …') : t('Weiter zur Prüfung')}
        </Button>
        <Button onClick={onCancel} disabled={busy}>
          {t('Andere Datei')}
        </Button>
      </div>
    </>
  )
}

interface ColumnsProps {
  file: CsvFile
  form: CsvForm
  onChange: (form: CsvForm) => void
}
function Columns({ file: { table }, form, onChange }: ColumnsProps) {
  const fields = Object.entries(form.spalten).map(([field, column]) => [field, table.headers[column] ?? ''])
  return (
    <ColumnMapping
      schicht={t('Umsatzliste im Format CSV')}
      spalten={table.headers.map((name, column) => ({
        name,
        beispiele: [...new Set(table.rows.slice(0, 100).map((row) => csvCell(row[column])))]
          .filter((cell) => cell !== '')
          .slice(0, 2)
          .map((cell) => (cell.length > 30 ? `${cell.slice(0, 29)}…` : cell)),
      }))}
      felder={Object.fromEntries(fields)}
      options={CSV_FIELDS.map((value) => ({ value, label: fieldText(value) }))}
      onChange={(chosen) =>
        onChange({
          ...form,
          spalten: Object.fromEntries(
            CSV_FIELDS.flatMap((field) => {
              const column = table.headers.indexOf(chosen[field] ?? '')
              return column === -1 ? [] : [[field, column]]
            }),
          ),
        })
      }
    />
  )
}

const SHOWN = 5
/** The first entries as they would be imported, or the rows that cannot be read. */
function Result({ read: { bankStatements, faults } }: { read: CsvRead }) {
  const buchungen = bankStatements.flatMap((one) => one.buchungen)
  if (faults.length > 0)
    return (
      <>
        <Notice tone="danger" title={t('Es wurde nichts eingelesen')}>
          {t('Zeilen, die sich so nicht lesen lassen: {n}', { n: formatNumber(faults.length) })}
        </Notice>
        <RowFaultTable
          caption={t('Zeilen, die sich nicht lesen lassen')}
          zeile={t('Zeile')}
          fehler={faults.map((fault) => ({
            ort: String(fault.zeile),
            feld: faultField(fault),
            text: csvFaultText(fault),
          }))}
        />
      </>
    )
  if (buchungen.length === 0)
    return <Notice tone="warning">{t('In der Datei ist kein gebuchter Umsatz.')}</Notice>
  return (
    <SmallTable label={t('Die ersten Umsätze, wie sie gelesen werden')}>
      <HeadRow left={[0, 2]} titles={[t('Datum'), t('Betrag'), t('Name und Zweck')]} />
      <tbody>
        {buchungen.slice(0, SHOWN).map(({ datum, betrag, name, zweck }, index) => (
          <tr key={index}>
            <td className="nums">{formatDate(datum)}</td>
            <td className="cell-end nums">{formatEuro(betrag)}</td>
            <td className="bank-datei">
              {name !== '' && <div>{name}</div>}
              <div className="soft">{zweck}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </SmallTable>
  )
}
