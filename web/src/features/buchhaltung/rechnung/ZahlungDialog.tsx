// Enters a payment, or takes one back.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Zahlung, ZahlungArt } from '#contract/zahlung.ts'
import { dezimal, formatBetrag, formatDezimal, formatEuro, parseEingabe, sign } from '#domain/geld.ts'
import { ApiError } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { type Rechnung, useBelegAct } from '../beleg.data.ts'
import { zahlFault } from '../zahl-words.ts'
import { zahlungArtText } from './zahlung-words.ts'

const BETRAG = { stellen: 2, vorkomma: 12, negativ: true } as const
const ARTEN: readonly ZahlungArt[] = ['zahlung', 'skonto', 'ausfall']

export function ZahlungDialog({ rechnung, onClose }: { rechnung: Rechnung; onClose: () => void }) {
  const [datum, setDatum] = useState(formatDate(today()))
  const [betrag, setBetrag] = useState(sign(dezimal(rechnung.offen)) === 0 ? '' : formatBetrag(rechnung.offen))
  const [art, setArt] = useState<ZahlungArt>('zahlung')
  const [bemerkung, setBemerkung] = useState('')
  const [mehr, setMehr] = useState(false)
  const value = parseEingabe(betrag, BETRAG)
  const day = parseDay(datum)
  const add = useBelegAct(() =>
    rpc('a_add_payment', {
      rechnung_id: rechnung.id,
      datum: day ?? today(),
      betrag: typeof value === 'string' ? '0' : formatDezimal(value),
      art,
      bemerkung: bemerkung.trim(),
      ueberzahlung: mehr,
    }),
  )
  const tooMuch = add.error instanceof ApiError && add.error.rule === 'zahlung_zu_hoch'
  return (
    <Fenster
      title={t('Zahlung eintragen')}
      act={t('Eintragen')}
      error={add.error}
      busy={add.isPending}
      isReady={typeof value !== 'string' && day !== null}
      onClose={onClose}
      onSubmit={() =>
        add.mutate(undefined, {
          onSuccess: () => {
            toast.success(t('Die Zahlung ist eingetragen.'))
            onClose()
          },
        })
      }
    >
      {(tried) => (
        <>
          <p>{t('Offen: {betrag}', { betrag: formatEuro(rechnung.offen) })}</p>
          <FieldGrid>
            <SelectField
              label={t('Art')}
              value={art}
              options={ARTEN.map((one) => ({ value: one, label: zahlungArtText(one) }))}
              onChange={({ target }) => setArt(target.value as ZahlungArt)}
            />
            <TextField
              label={t('Datum')}
              required
              placeholder={t('TT.MM.JJJJ')}
              autoComplete="off"
              value={datum}
              error={day === null ? t('Bitte ein Datum wie 31.12.2026.') : undefined}
              onChange={({ target }) => setDatum(target.value)}
            />
            <TextField
              label={t('Betrag')}
              required
              unit="€"
              inputMode="decimal"
              autoComplete="off"
              data-autofocus
              value={betrag}
              error={typeof value === 'string' && (tried || value !== 'fehlt') ? zahlFault(value, 2) : undefined}
              onChange={({ target }) => setBetrag(target.value)}
            />
            <TextField
              label={t('Bemerkung')}
              maxLength={500}
              autoComplete="off"
              value={bemerkung}
              onChange={({ target }) => setBemerkung(target.value)}
            />
          </FieldGrid>
          {tooMuch && (
            <Checkbox
              label={t('Es wurde mehr gezahlt als offen ist; das stimmt so.')}
              checked={mehr}
              onChange={({ target }) => setMehr(target.checked)}
            />
          )}
        </>
      )}
    </Fenster>
  )
}

export function RuecknahmeDialog({ zahlung, onClose }: { zahlung: Zahlung; onClose: () => void }) {
  const [grund, setGrund] = useState('')
  const revoke = useBelegAct(() => rpc('a_revoke_payment', { zahlung_id: zahlung.id, grund: grund.trim() }))
  return (
    <Fenster
      title={t('Zahlung zurücknehmen?')}
      act={t('Zurücknehmen')}
      error={revoke.error}
      busy={revoke.isPending}
      isReady={grund.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        revoke.mutate(undefined, {
          onSuccess: () => {
            toast.success(t('Die Zahlung ist zurückgenommen.'))
            onClose()
          },
        })
      }
    >
      {(tried) => (
        <>
          <p>
            {t('{betrag} vom {tag}: Eine Gegenbuchung hebt die Zahlung auf; beide bleiben stehen.', {
              betrag: formatEuro(zahlung.betrag),
              tag: formatDate(zahlung.datum),
            })}
          </p>
          <TextField
            label={t('Grund')}
            required
            maxLength={500}
            autoComplete="off"
            value={grund}
            error={tried && grund.trim() === '' ? t('Diese Angabe fehlt.') : undefined}
            onChange={({ target }) => setGrund(target.value)}
          />
        </>
      )}
    </Fenster>
  )
}

function Fenster({
  title,
  act,
  error,
  busy,
  isReady,
  onClose,
  onSubmit,
  children,
}: {
  title: string
  act: string
  error: unknown
  busy: boolean
  isReady: boolean
  onClose: () => void
  onSubmit: () => void
  /** `tried`: somebody has pressed the button already. */
  children: (tried: boolean) => ReactNode
}) {
  const formId = useId()
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isReady && !busy) onSubmit()
  }
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      dismissible={!busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('Abbrechen')}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {act}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={submit}>
        {error !== null && (
          <Notice tone="danger" title={t('Nicht gespeichert')}>
            {messageOf(error)}
          </Notice>
        )}
        {children(tried)}
      </form>
    </Dialog>
  )
}
