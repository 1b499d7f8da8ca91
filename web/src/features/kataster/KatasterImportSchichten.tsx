// Second step: what each layer holds, where it lies, and which column is which field.
import type { DateiSchicht, ImportSchicht, VermessungImport } from '#contract/vermessung-import.ts'
import { felderOf, isTabelle, TABELLEN, zuordnungOf } from '#domain/vermessung/felder.ts'
import type { Modus } from '#domain/vermessung/pruefen.ts'
import { feldName, tabelleName } from '../../record/kataster/kataster-words.ts'
import { ZurPruefung } from '../../record/import/ImportTaten.tsx'
import { OrtWahl, SystemWahl } from '../../record/import/SchichtFelder.tsx'
import { SpaltenZuordnung } from '../../record/import/SpaltenZuordnung.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { FieldGrid, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Stack } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'

type Gewaehlt = Partial<ImportSchicht>
interface Props {
  datei: VermessungImport
  modus: Modus
  schichten: readonly Gewaehlt[]
  onModus: (modus: Modus) => void
  onSchicht: (at: number, schicht: Gewaehlt) => void
  complete: boolean
  busy: boolean
  onNext: () => void
  onOther: () => void
}

export function SchichtenCard({ datei, modus, schichten, onModus, onSchicht, complete, busy, onNext, onOther }: Props) {
  return (
    <Stack>
      {datei.schichten.map((schicht, at) => (
        <SchichtCard key={schicht.name} schicht={schicht} chosen={schichten[at] ?? {}} onChange={(change) => onSchicht(at, change)} />
      ))}
      <Card title={t('Was geschieht mit dem Bestand?')}>
        <Segments<Modus>
          label={t('Objekte, die nicht in der Datei stehen')}
          value={modus}
          options={[
            { value: 'ersetzen', label: t('entfernen') },
            { value: 'ergaenzen', label: t('behalten') },
          ]}
          onChange={onModus}
          hint={
            modus === 'ersetzen'
              ? t('Die Datei ist der neue Stand: Was in den gewählten Arten von Objekten nicht in ihr steht, wird entfernt.')
              : t('Bekannte Kennungen werden geändert, neue kommen hinzu. Jedes Objekt braucht dazu eine Kennung.')
          }
        />
        {!complete && (
          <Notice tone="warning" title={t('Es fehlt noch etwas')}>
            {t('Bitte wählen Sie, was mindestens eine Schicht enthält, und ihr Koordinatensystem.')}
          </Notice>
        )}
        <ZurPruefung busy={busy} ready={complete} onNext={onNext} onBack={onOther} />
      </Card>
    </Stack>
  )
}

function SchichtCard({ schicht, chosen, onChange }: { schicht: DateiSchicht; chosen: Gewaehlt; onChange: (change: Gewaehlt) => void }) {
  const { tabelle, epsg, felder = {}, ort } = chosen
  const spalten = schicht.spalten.map(({ name }) => name)
  const { geometrie } = schicht
  const kinds = TABELLEN.filter((one) => geometrie === null || (one === 'draenage' ? geometrie === 'linie' : geometrie === 'punkt'))
  function chooseTabelle(value: string): void {
    const { tabelle: _before, ...rest } = chosen
    onChange(
      isTabelle(value)
        ? {
            ...rest,
            tabelle: value,
            felder: zuordnungOf(
              value,
              spalten.filter((name) => !Object.values(ort ?? {}).includes(name)),
            ),
          }
        : rest,
    )
  }
  return (
    <Card title={schicht.name}>
      <p className="soft">{t('{n} Objekte', { n: formatNumber(schicht.anzahl) })}</p>
      <FieldGrid>
        <SelectField
          label={t('Enthält ({schicht})', { schicht: schicht.name })}
          emptyOption={t('– nicht übernehmen –')}
          options={kinds.map((one) => ({ value: one, label: tabelleName(one) }))}
          value={tabelle ?? ''}
          onChange={(event) => chooseTabelle(event.target.value)}
        />
        {tabelle !== undefined && (
          <SystemWahl
            schicht={schicht}
            value={epsg}
            onChange={(next) => {
              const { epsg: _before, ...rest } = chosen
              onChange(next === null ? rest : { ...rest, epsg: next })
            }}
          />
        )}
        {tabelle !== undefined && ort !== undefined && (
          <OrtWahl spalten={spalten} ort={ort} schicht={schicht.name} onChange={(change) => onChange({ ...chosen, ort: change })} />
        )}
      </FieldGrid>
      {tabelle !== undefined && (
        <SpaltenZuordnung
          schicht={schicht.name}
          spalten={schicht.spalten}
          felder={felder}
          options={felderOf(tabelle).map((feld) => ({ value: feld.name, label: feldName(feld.name) }))}
          onChange={(change) => onChange({ ...chosen, felder: change })}
        />
      )}
    </Card>
  )
}
