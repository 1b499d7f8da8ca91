// Import of a bank statement: choose or drop a file, review it, and store it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { CamtStatement } from '#domain/camt/statement.ts'
import { decimal, formatEuro, sign, sum } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { Refusal } from '../../../ui/Refusal.tsx'
import { Checkbox } from '../../../ui/Field.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { takeLostFocus } from '../../../ui/leave-focus.ts'
import { toast } from '../../../ui/toasts.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { BANK_KEY, type Counts, importUmsaetze, ownBankAccountQuery, probeUmsaetze } from './bank.data.ts'
import { StatementFault } from './read-statements.ts'
import { hintText, sourceText } from './reconciliation-words.ts'
import { readStatementFile, statementFaultText } from './statement-file.ts'

const CsvImport = splitOff(async () => (await import('./CsvImport.tsx')).CsvImport, <Skeleton lines={8} />)

/** A CSV file that waits for its mapping. */
interface CsvBytes {
  readonly name: string
  readonly bytes: Uint8Array
}
interface Parsed {
  readonly name: string
  readonly bankStatements: readonly CamtStatement[]
  readonly counts: Counts
}
const faultOf = (error: unknown): string =>
  error instanceof StatementFault ? statementFaultText(error.werte) : messageOf(error)

export function StatementImport() {
  const client = useQueryClient()
  const [busy, setBusy] = useState<'lesen' | 'schreiben' | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [read, setRead] = useState<Parsed | null>(null)
  const [csv, setCsv] = useState<CsvBytes | null>(null)
  const [done, setDone] = useState(0)
  const control = useRef<AbortController | null>(null)
  useUnsavedChanges(busy === 'schreiben' || csv !== null)
  useEffect(() => () => control.current?.abort(), [])

  async function readIn(act: (signal: AbortSignal) => Promise<void>) {
    if (busy !== null) return
    control.current?.abort()
    const { signal } = (control.current = new AbortController())
    setBusy('lesen')
    setError(null)
    setRead(null)
    try {
      await act(signal)
    } catch (fault) {
      if (!signal.aborted) setError(faultOf(fault))
    } finally {
      if (!signal.aborted) setBusy(null)
    }
  }
  /** What is new of the statements. */
  async function probe(name: string, bankStatements: readonly CamtStatement[], signal: AbortSignal) {
    const counts = await probeUmsaetze(bankStatements, signal)
    if (!signal.aborted) setRead({ name, bankStatements, counts })
  }
  const choose = (files: readonly File[]) =>
    readIn(async (signal) => {
      const [only] = files
      const bankStatements: CamtStatement[] = []
      for (const file of files) {
        const read = await readStatementFile(file).catch((fault: unknown) => {
          const isCsv = fault instanceof StatementFault && fault.werte.code === 'csv'
          return isCsv && files.length === 1 ? null : nameFault(fault, files.length > 1 ? file.name : '')
        })
        if (read !== null) bankStatements.push(...read)
        else if (only !== undefined)
          return setCsv({ name: only.name, bytes: new Uint8Array(await only.arrayBuffer()) })
      }
      if (new Set(bankStatements.map(({ quelle }) => quelle)).size > 1) throw new StatementFault('gemischt')
      await probe(files.map(({ name }) => name).join(', '), bankStatements, signal)
    })
  function close() {
    setRead(null)
    setCsv(null)
    setError(null)
  }
  async function run({ bankStatements, name }: Parsed) {
    if (busy !== null) return
    setBusy('schreiben')
    setError(null)
    setDone(0)
    try {
      const { neu, bekannt } = await importUmsaetze(bankStatements, name.slice(0, 200), setDone)
      toast.success(t('Neu eingelesen: {neu}, schon da: {bekannt}', { neu, bekannt }))
      close()
    } catch (fault) {
      setError(faultOf(fault))
    } finally {
      setBusy(null)
      void client.invalidateQueries({ queryKey: BANK_KEY })
    }
  }
  return (
    <Card title={t('Kontoauszug einlesen')}>
      <div className="stack">
        {error !== null && <Refusal title={t('Nicht eingelesen')}>{error}</Refusal>}
        {csv !== null && (
          <Mapping name={csv.name} isShown={read === null}>
            <CsvImport
              {...csv}
              busy={busy === 'lesen'}
              onRead={(bankStatements) => void readIn((signal) => probe(csv.name, bankStatements, signal))}
              onCancel={close}
            />
          </Mapping>
        )}
        {read !== null ? (
          <Preview
            gelesen={read}
            busy={busy === 'schreiben'}
            done={done}
            onRun={() => void run(read)}
            onBack={csv === null ? null : () => setRead(null)}
            onCancel={close}
          />
        ) : (
          csv === null && <DropZone busy={busy !== null} onFiles={(files) => void choose(files)} />
        )}
      </div>
    </Card>
  )
}
/** Stays with what was chosen while its result is shown. */
const Mapping = ({ name, isShown, children }: { name: string; isShown: boolean; children: ReactNode }) => (
  <fieldset
    ref={isShown ? takeLostFocus : undefined}
    tabIndex={-1}
    aria-label={name}
    className="stack bank-csv"
    hidden={!isShown}
  >
    {children}
  </fieldset>
)
/** Adds the file name if there are several files. */
function nameFault(fault: unknown, name: string): never {
  if (name === '' || !(fault instanceof StatementFault)) throw fault
  const { code, was, datei } = fault.werte
  throw new StatementFault(code, was, datei === '' ? name : `${name}/${datei}`)
}

function DropZone({ busy, onFiles }: { busy: boolean; onFiles: (files: readonly File[]) => void }) {
  return (
    <FileDrop
      label={t('Kontoauszug')}
      accept=".xml,.zip,.camt,.053,.sta,.mt940,.940,.swi,.txt,.csv,text/xml,text/csv,application/xml,application/zip"
      multiple
      disabled={busy}
      className="bank-drop"
      onFiles={onFiles}
    >
      {(choose) => (
        <>
          <Icon name="upload" size={24} />
          <div>
            <strong>{t('Datei der Bank hierher ziehen')}</strong>
            <div className="soft">
              {t(
                'CAMT.053 (XML), MT940, ein ZIP-Archiv damit oder CSV. Dieselben Umsätze zweimal einzulesen ' +
                  'schadet nicht.',
              )}
            </div>
          </div>
          <Button ref={takeLostFocus} variant="primary" busy={busy} onClick={choose}>
            {busy ? t('Datei wird gelesen …') : t('Datei wählen')}
          </Button>
        </>
      )}
    </FileDrop>
  )
}

interface PreviewProps {
  gelesen: Parsed
  busy: boolean
  done: number
  onRun: () => void
  /** To the mapping of a CSV file. */
  onBack: (() => void) | null
  onCancel: () => void
}

function Preview({
  gelesen: { name, bankStatements, counts },
  busy,
  done,
  onRun,
  onBack,
  onCancel,
}: PreviewProps) {
  const own = useQuery(ownBankAccountQuery).data ?? ''
  const [isOwn, setIsOwn] = useState(false)
  const foreign = [...new Set(bankStatements.map(({ konto }) => konto))].filter(
    (account) => own !== '' && account !== '' && account !== own,
  )
  const total = counts.neu + counts.bekannt
  return (
    <>
      <p aria-live="polite">
        <strong ref={takeLostFocus} tabIndex={-1} className="bank-datei">
          {name}
        </strong>
        <br />
        <span className="soft">
          {t('Erkannt: {art}', { art: sourceText(bankStatements[0]?.quelle ?? 'camt') })}
        </span>
        <br />
        {counts.neu === 0
          ? total === 1
            ? t('Der eine Umsatz ist schon da.')
            : t('Alle {n} Umsätze sind schon da.', { n: total })
          : t('Neue Umsätze: {neu}, schon da: {bekannt}', { neu: counts.neu, bekannt: counts.bekannt })}
      </p>
      {counts.fraglich > 0 && (
        <Notice tone="warning" title={t('Von diesen Tagen sind schon Umsätze aus einer anderen Datei da')}>
          <p>
            {t(
              'Gleiche Beträge sind erkannt und werden nicht noch einmal eingelesen. Neu bleiben dort: {n}. ' +
                'Bitte sehen Sie sie nach dem Einlesen durch, und legen Sie doppelte mit „Gehört nicht ' +
                'hierher“ weg.',
              { n: counts.fraglich },
            )}
          </p>
        </Notice>
      )}
      <SmallTable label={t('Kontoauszüge der Datei')}>
        <HeadRow
          left={[0, 1]}
          titles={[t('Konto'), t('Zeitraum'), t('Umsätze'), t('Eingänge'), t('Ausgänge'), t('Endsaldo')]}
        />
        <tbody>
          {bankStatements.map((bankStatement, index) => (
            <StatementRow key={index} bankStatement={bankStatement} />
          ))}
        </tbody>
      </SmallTable>
      {foreign.length > 0 && (
        <Notice tone="warning" title={t('Ein anderes Konto als in den Einstellungen')}>
          <p>
            {t('Der Auszug gehört zu {konto}, in den Einstellungen steht {eigenes}.', {
              konto: foreign.map(formatIban).join(', '),
              eigenes: formatIban(own),
            })}
          </p>
          <Checkbox
            label={t('Das Konto gehört dem Unternehmen, die Umsätze sollen eingelesen werden.')}
            checked={isOwn}
            onChange={({ target }) => setIsOwn(target.checked)}
          />
        </Notice>
      )}
      <div className="bank-actions">
        {counts.neu > 0 && (
          <Button variant="primary" busy={busy} disabled={foreign.length > 0 && !isOwn} onClick={onRun}>
            {busy
              ? t('{n} von {alle} …', { n: done, alle: total })
              : counts.neu === 1
                ? t('1 Umsatz einlesen')
                : t('{n} Umsätze einlesen', { n: counts.neu })}
          </Button>
        )}
        {onBack !== null && (
          <Button onClick={onBack} disabled={busy}>
            {t('Zuordnung ändern')}
          </Button>
        )}
        <Button onClick={onCancel} disabled={busy}>
          {counts.neu === 0 ? t('Schließen') : t('Verwerfen')}
        </Button>
      </div>
    </>
  )
}

function StatementRow({
  bankStatement: { konto, von, bis, ende, buchungen, hinweise },
}: {
  bankStatement: CamtStatement
}) {
  const values = buchungen.map(({ betrag }) => decimal(betrag))
  const total = (direction: 1 | -1) => formatEuro(sum(values.filter((value) => sign(value) === direction)))
  return (
    <tr>
      <td>
        <span className="nums">{konto === '' ? '–' : formatIban(konto)}</span>
        {hinweise.map((hint) => (
          <div key={hint.art} className={hint.art === 'saldo' ? 'bank-warnung' : 'soft'}>
            {hintText(hint)}
          </div>
        ))}
      </td>
      <td className="nums">
        {von === null ? '–' : von === bis ? formatDate(von) : `${formatDate(von)} – ${formatDate(bis)}`}
      </td>
      <td className="cell-end nums">{buchungen.length}</td>
      <td className="cell-end nums">{total(1)}</td>
      <td className="cell-end nums">{total(-1)}</td>
      <td className="cell-end nums">{ende === null ? '–' : formatEuro(ende)}</td>
    </tr>
  )
}
