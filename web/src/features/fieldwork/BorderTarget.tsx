// Which stand is walked around: the one that the person stands in, another one, or a new one with its address.
import { useMemo, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { addressOf } from './border-draft.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { bestandText, detailsOf } from './packet.ts'
import { BestandSearch } from './tree-point.ts'
import type { BorderModel } from './use-border.ts'

interface Props {
  packet: FieldworkPacket
  border: BorderModel
  onStep: (step: 'spur') => void
}
const LONGEST = 60

export function BorderTarget({ packet, border, onStep }: Props) {
  const { state, change, recording } = border
  const { bestaende, borders = [] } = detailsOf(packet)
  const [kind, setKind] = useState<'vorhanden' | 'neu'>(
    bestaende.length === 0 || state.address.some((part) => part !== '') ? 'neu' : 'vorhanden',
  )
  const [checked, setChecked] = useState(false)
  const { ort } = recording.positioning
  const here = useMemo(
    () => (ort === null ? null : new BestandSearch(packet.umrisse).an(ort)),
    [packet.umrisse, ort],
  )
  const chosen = state.bestandId ?? here
  const options = bestaende.map((facts) => ({
    value: String(facts.id),
    label: bestandText(facts, packet.ebenen),
  }))
  /** The pack is older than borders in packs, or the stand's is not in it. */
  const isOld = chosen !== null && !borders.some(([id]) => id === chosen)
  const address = addressOf(state.address)
  const fault = typeof address === 'string' ? address : null
  const begin = () => {
    setChecked(true)
    if (kind === 'vorhanden') {
      if (chosen === null || isOld) return
      change({ bestandId: chosen, address: ['', '', '', '', '', ''] })
    } else {
      if (fault !== null) return
      change({ bestandId: null })
    }
    recording.start()
    onStep('spur')
  }
  return (
    <>
      <h2>{t('Grenze eines Bestands aufnehmen')}</h2>
      {bestaende.length > 0 && (
        <Segments
          label={t('Bestand')}
          value={kind}
          options={[
            { value: 'vorhanden', label: t('Vorhandener') },
            { value: 'neu', label: t('Neuer') },
          ]}
          onChange={setKind}
        />
      )}
      {kind === 'vorhanden' ? (
        <SelectField
          label={t('Um welchen Bestand gehen Sie?')}
          options={options}
          emptyOption={t('Bitte wählen')}
          value={chosen === null ? '' : String(chosen)}
          hint={
            state.bestandId === null && here !== null
              ? t('Vorgeschlagen ist der, in dem Sie stehen.')
              : undefined
          }
          error={
            checked && chosen === null
              ? t('Bitte wählen Sie den Bestand.')
              : isOld
                ? t(
                    'Die genaue Grenze fehlt auf diesem Gerät. Aktualisieren Sie das Paket unter ' +
                      '„Pakete und Gerät“. Dafür brauchen Sie Netz.',
                  )
                : undefined
          }
          onChange={({ target }) => change({ bestandId: target.value === '' ? null : Number(target.value) })}
        />
      ) : (
        <NewAddress packet={packet} border={border} fault={checked ? fault : null} />
      )}
      <p className="soft">
        {t(
          'Lassen Sie unterwegs den Bildschirm an und dieses Fenster offen: Im Hintergrund zeichnet der Browser ' +
            'nichts auf.',
        )}
      </p>
      <Button variant="primary" icon="target" onClick={begin}>
        {t('Aufzeichnung beginnen')}
      </Button>
    </>
  )
}

function NewAddress({
  packet,
  border: { state, change },
  fault,
}: Pick<Props, 'packet' | 'border'> & { fault: string | null }) {
  const set = (at: number, value: string) =>
    change({ bestandId: null, address: state.address.map((one, nr) => (nr === at ? value : one)) })
  const last = state.address.length - 1
  return (
    <>
      {packet.ebenen.map((name, at) =>
        name === '' ? null : (
          <TextField
            key={name}
            label={name}
            maxLength={LONGEST}
            value={state.address[at] ?? ''}
            onChange={({ target }) => set(at, target.value)}
          />
        ),
      )}
      <TextField
        label={t('Nummer')}
        inputMode="numeric"
        value={state.address[last] ?? ''}
        error={
          fault === 'leer'
            ? t('Bitte geben Sie an, wie der neue Bestand heißt: eine Ebene oder eine Nummer.')
            : fault === 'nummer'
              ? t('Bitte eine ganze Zahl.')
              : undefined
        }
        onChange={({ target }) => set(last, target.value)}
      />
    </>
  )
}
