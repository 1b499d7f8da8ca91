// Corrects an issued invoice: which lines, how much of them, and why. The same dialog changes the draft.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KorrekturState } from '#contract/buchhaltung.ts'
import { decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import type { KorrekturWay } from '#domain/korrektur.ts'
import { rpc } from '../../../../data/rpc.ts'
import { BelegSums } from '../../../../record/beleg/BelegSums.tsx'
import { type DialogForm, useDialogForm } from '../../../../record/use-dialog-form.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid, SelectField, TextAreaField, TextField } from '../../../../ui/Field.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { HeadRow, SmallTable } from '../../../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { t } from '../../../../ui/text.ts'
import { today } from '../../../../ui/today.ts'
import { useView } from '../../../../ui/view.tsx'
import { type Rechnung, useBelegAct } from '../../beleg.data.ts'
import { RECHNUNG_KIND } from '../../beleg-kinds.ts'
import { InDebitFile } from '../../sepa/Collection.tsx'
import { korrekturLinesQuery, korrekturQuery } from './korrektur.data.ts'
import {
  allThatIsLeft,
  checkKorrektur,
  deriveKorrektur,
  isLeft,
  type KorrekturChoice,
  type KorrekturDraft,
  type KorrekturRequest,
  type KorrekturValues,
  lineName,
  nothing,
  type Original,
  startKorrektur,
} from './korrektur-form.ts'

interface DialogProps {
  /** The issued invoice, or the draft that corrects one. */
  rechnung: Rechnung
  onClose: () => void
}

export function KorrekturDialog({ rechnung, onClose }: DialogProps) {
  const isDraft = rechnung.korrektur_von !== null
  const state = useQuery(korrekturQuery(rechnung.korrektur_von ?? rechnung.id))
  const lines = useQuery({ ...korrekturLinesQuery(rechnung.id), enabled: isDraft })
  // What is left is fetched each time the dialog opens.
  if (state.data && state.isFetchedAfterMount && (!isDraft || (lines.data && lines.isFetchedAfterMount)))
    return (
      <Choice
        rechnung={rechnung}
        state={state.data}
        draft={{
          lines: lines.data ?? [],
          grund: isDraft ? rechnung.anschreiben : '',
          rn_datum: isDraft ? rechnung.rn_datum : today(),
        }}
        onClose={onClose}
      />
    )
  const failed = [state, lines].find(({ isError }) => isError)
  return (
    <Dialog open title={t('Rechnung korrigieren')} onClose={onClose} width="wide">
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}

function useSend(rechnung: Rechnung) {
  return useBelegAct(async (asked: KorrekturRequest) => {
    if (rechnung.korrektur_von === null)
      return Number(await rpc('a_add_korrektur', { invoice_id: rechnung.id, ...asked }))
    await rpc('a_save_korrektur', { invoice_id: rechnung.id, version: rechnung.version, ...asked })
    return rechnung.id
  })
}

function Choice({
  rechnung,
  state,
  draft,
  onClose,
}: DialogProps & { state: KorrekturState; draft: KorrekturDraft }) {
  const view = useView()
  const send = useSend(rechnung)
  const [initial] = useState(() => startKorrektur(state, draft))
  const form = useDialogForm({
    initial,
    check: (typed) => checkKorrektur(typed, deriveKorrektur(state, typed.lines)),
    guarded: false,
    faultsFrom: 'sending',
    send: (asked) => send.mutateAsync(asked),
    onSent: (id) => {
      onClose()
      view.go(RECHNUNG_KIND.record(id))
    },
  })
  const { choices, summen } = deriveKorrektur(state, form.values.lines)
  const fault = form.errorOf('zeilen')
  return (
    <FormDialog
      {...form.frame}
      title={t('Rechnung korrigieren')}
      width="wide"
      submitLabel={rechnung.korrektur_von === null ? t('Entwurf der Korrektur anlegen') : t('Speichern')}
      onClose={onClose}
    >
      <p>
        {t(
          'Tragen Sie bei den Positionen ein, was Sie zurücknehmen; leer lässt eine Position, wie sie ist. ' +
            'Von der Rechnung über {brutto} bleiben bisher {rest}.',
          { brutto: formatEuro(state.brutto), rest: formatEuro(state.rest) },
        )}
      </p>
      {rechnung.korrektur_von === null && <InDebitFile rechnung={rechnung} />}
      <div className="beleg-share">
        <Button size="small" onClick={() => form.set({ lines: allThatIsLeft(state.zeilen) })}>
          {t('Alles, was bleibt')}
        </Button>
        <Button size="small" onClick={() => form.set({ lines: nothing(state.zeilen) })}>
          {t('Nichts')}
        </Button>
      </div>
      <Lines choices={choices} form={form} />
      {fault !== undefined && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
      <BelegSums summen={summen} rabatt_prozent={state.rabatt_prozent} live />
      <TextAreaField
        label={t('Grund')}
        required
        maxLength={1000}
        hint={t('Steht auf der Rechnungskorrektur, zum Beispiel „Es wurden nur 8 ha aufgenommen.“')}
        {...form.text('grund')}
      />
      <FieldGrid>
        <DateField label={t('Datum der Korrektur')} required {...form.text('rn_datum')} />
      </FieldGrid>
    </FormDialog>
  )
}

const wayText = (way: KorrekturWay): string =>
  way === 'menge' ? t('Menge') : way === 'preis' ? t('Preis je Einheit') : t('Betrag netto')
const WAYS = ['menge', 'preis', 'betrag'] as const

function Lines({
  choices,
  form,
}: {
  choices: readonly KorrekturChoice[]
  form: DialogForm<KorrekturValues>
}) {
  return (
    <SmallTable label={t('Positionen')}>
      <HeadRow
        left={[0, 3, 4]}
        titles={[
          t('Bezeichnung'),
          t('Berechnet'),
          t('Übrig'),
          t('Zurücknehmen nach'),
          t('Zurückzunehmen'),
          t('Netto'),
        ]}
      />
      <tbody>
        {choices.map((choice, index) => (
          <Line
            key={choice.line.position_id}
            choice={choice}
            at={choices.slice(0, index).filter(({ wish }) => wish !== null).length}
            form={form}
          />
        ))}
      </tbody>
    </SmallTable>
  )
}

function Line({
  choice: { line, fault, amount },
  at,
  form,
}: {
  choice: KorrekturChoice
  /** Place among the lines that are sent: the server names a fault by it. */
  at: number
  form: DialogForm<KorrekturValues>
}) {
  const { lines } = form.values
  const { way, text } = lines[line.position_id]!
  const change = (next: Partial<{ way: KorrekturWay; text: string }>) =>
    form.set({ lines: { ...lines, [line.position_id]: { way, text, ...next } } })
  return (
    <tr>
      <td>
        {line.nr} {line.bez} <span className="soft nums">{t('zu {preis}', { preis: priceOf(line) })}</span>
      </td>
      <td className="cell-end nums">
        {quantityOf(line.anzahl, line.einheit)}
        <div className="soft">{formatEuro(line.betrag)}</div>
      </td>
      <td className="cell-end nums">
        {quantityOf(line.rest_menge, line.einheit)}
        <div className="soft">{formatEuro(line.rest_betrag)}</div>
      </td>
      {isLeft(line) ? (
        <>
          <td>
            <SelectField
              label={t('{bez}: Zurücknehmen nach', { bez: line.bez })}
              labelHidden
              options={WAYS.map((value) => ({ value, label: wayText(value) }))}
              value={way}
              onChange={({ target }) => change({ way: target.value as KorrekturWay })}
            />
          </td>
          <td className="beleg-quantity">
            <TextField
              label={t('{bez}: {art}', { bez: line.bez, art: wayText(way) })}
              labelHidden
              inputMode="decimal"
              autoComplete="off"
              name={lineName(line)}
              unit={way === 'menge' ? line.einheit : '€'}
              value={text}
              error={fault ?? form.errorOf(`zeilen.${at}.${way}`)}
              onChange={({ target }) => change({ text: target.value })}
            />
          </td>
          <td className="cell-end nums">{amount}</td>
        </>
      ) : (
        <td colSpan={3} className="soft">
          {t('ganz zurückgenommen')}
        </td>
      )}
    </tr>
  )
}

const quantityOf = (quantity: string, unit: string): string =>
  `${formatGerman(decimal(quantity))} ${unit}`.trim()
const priceOf = ({ ep, einheit }: Original): string => {
  const price = `${formatGerman(decimal(ep), { atLeast: 2 })}\u00A0€`
  return einheit === '' ? price : `${price} / ${einheit}`
}
