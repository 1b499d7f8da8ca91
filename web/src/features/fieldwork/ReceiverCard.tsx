// Chooses where positions come from. External receivers are offered where the browser has Web Serial; Bluetooth goes
// through it as well.
import { useState } from 'react'
import { parseNumber } from '#domain/import-values.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import './capture.css'
import { Picker } from './Picker.tsx'
import {
  HIGHEST_ANTENNA,
  type PositionSource,
  receiverSettings,
  SPEEDS,
  useReceiverSettings,
} from './receiver-settings.ts'
import { webSerial } from './web-serial.ts'

export function ReceiverCard() {
  const settings = useReceiverSettings()
  const isExternal = settings.source !== 'geraet'
  if (webSerial() === undefined && !isExternal) return null
  return (
    <Card title={t('Standort')}>
      <div className="stack">
        <Picker<PositionSource>
          label={t('Woher Positionen kommen')}
          value={settings.source}
          options={[
            { value: 'geraet', label: t('dieses Gerät') },
            { value: 'usb', label: t('Empfänger über USB') },
            { value: 'bluetooth', label: t('Empfänger über Bluetooth') },
          ]}
          onChange={choose}
        />
        <p className="soft">
          {t(
            'Bluetooth-Empfänger koppeln Sie zuerst in den Einstellungen des Geräts; auf Android geht nur Bluetooth. ' +
              'Geprüft ist das mit aufgezeichneten Daten, noch nicht mit einem echten Gerät: Messen Sie bitte ' +
              'zuerst einen bekannten Punkt nach.',
          )}
        </p>
        {isExternal && (
          <>
            <div className="actions">
              <Button onClick={() => choose(settings.source)}>{t('Anderen Empfänger wählen')}</Button>
            </div>
            <SelectField
              label={t('Geschwindigkeit (Baud)')}
              hint={t('Meist egal; nur ändern, wenn keine Position ankommt.')}
              value={String(settings.speed)}
              options={SPEEDS.map((speed) => ({ value: String(speed), label: String(speed) }))}
              onChange={({ target }) => receiverSettings.set({ speed: Number(target.value) })}
            />
            <AntennaField />
          </>
        )}
      </div>
    </Card>
  )
}

function choose(source: PositionSource) {
  if (source === 'geraet') return receiverSettings.set({ source })
  void import('./receiver.ts')
    .then(async ({ chooseReceiver }) => {
      if (await chooseReceiver(source)) receiverSettings.set({ source })
    })
    .catch(() =>
      toast.error(
        t(
          'Der Browser konnte keinen Empfänger anbieten. Ist Bluetooth eingeschaltet, der Anschluss erlaubt?',
        ),
      ),
    )
}

function AntennaField() {
  const { antenna } = useReceiverSettings()
  const [text, setText] = useState(() => formatNumber(antenna, 2))
  const [fault, setFault] = useState<string>()
  return (
    <TextField
      label={t('Antennenhöhe (m)')}
      hint={t(
        'Vom Messpunkt bis zur Antenne, zum Beispiel 2,00 am Stab. Sie wird von den Höhen abgezogen; 0, wenn der ' +
          'Empfänger das schon selbst tut.',
      )}
      inputMode="decimal"
      value={text}
      error={fault}
      onChange={({ target: { value } }) => {
        setText(value)
        const metres = Number(parseNumber(value) ?? Number.NaN)
        const isRight = metres >= 0 && metres <= HIGHEST_ANTENNA
        setFault(isRight ? undefined : t('Bitte Meter von 0 bis {n}.', { n: HIGHEST_ANTENNA }))
        if (isRight) receiverSettings.set({ antenna: Math.round(metres * 1_000) / 1_000 })
      }}
    />
  )
}
