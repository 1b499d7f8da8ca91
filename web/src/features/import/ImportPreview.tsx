// Third step: the rows with faults, suggestions and duplicates, and whether the import may start.
import { useMemo, useState } from 'react'
import { PLZ_SOURCE } from '#domain/address.ts'
import { FAULTS, type FaultKind } from '#domain/import-faults.ts'
import { fieldOf } from '#domain/import-fields.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { csvFile } from '../../ui/export/csv.ts'
import { fileName, saveFile } from '../../ui/export/save-file.ts'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions, Toolbar } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { indexFaults, kindCounts, messageOf, nextFaulty, shownRows } from './fault-list.ts'
import { ImportRows } from './ImportRows.tsx'
import { RowFaults } from './RowFaults.tsx'
import type { ImportState } from './use-import.ts'
import type { CheckResult } from './worker-messages.ts'

export function ImportPreview({ state }: { state: ImportState }) {
  const { pruefung, table } = state
  const [onlyFaulty, setOnlyFaulty] = useState(true)
  const [kind, setKind] = useState<FaultKind | null>(null)
  const [active, setActive] = useState<number | null>(null)
  const byRow = useMemo(() => indexFaults(pruefung?.faults ?? []), [pruefung])
  const rows = useMemo(
    () => (table === null ? [] : shownRows(table, byRow, { onlyFaulty, kind })),
    [table, byRow, onlyFaulty, kind],
  )
  if (pruefung === null || table === null) return null
  return (
    <>
      <Summary state={state} pruefung={pruefung} />
      <Proposals state={state} pruefung={pruefung} />
      <Card
        flush
        title={t('Zeilen')}
        actions={<FaultDownload pruefung={pruefung} dateiname={state.dateiname} />}
      >
        <div className="import-toolbar">
          <Toolbar label={t('Ansicht der Zeilen')}>
            <Checkbox
              label={t('nur Zeilen mit Hinweisen')}
              checked={onlyFaulty}
              onChange={(event) => setOnlyFaulty(event.target.checked)}
            />
            <SelectField
              label={t('Art des Hinweises')}
              labelHidden
              emptyOption={t('alle Arten')}
              options={kindCounts(pruefung.faults).map(([art, n]) => ({
                value: art,
                label: `${t(FAULTS[art].titel)} (${formatNumber(n)})`,
              }))}
              value={kind ?? ''}
              onChange={(event) => setKind((event.target.value || null) as FaultKind | null)}
            />
            <Button
              icon="chevronDown"
              disabled={pruefung.faults.length === 0}
              onClick={() => setActive(nextFaulty(pruefung.faults, kind, active))}
            >
              {t('Nächster Hinweis')}
            </Button>
          </Toolbar>
        </div>
        <ImportRows
          table={table}
          mapping={state.mapping}
          rows={rows}
          byRow={byRow}
          active={active}
          onActive={setActive}
        />
        {active !== null && (
          <RowFaults
            zeile={active}
            faults={byRow.get(active) ?? []}
            suggestions={pruefung.suggestions}
            onApply={(list) => void state.apply(list)}
            busy={state.busy}
          />
        )}
      </Card>
      <StartBar state={state} pruefung={pruefung} />
    </>
  )
}

function Summary({ state, pruefung }: { state: ImportState; pruefung: CheckResult }) {
  const errors = pruefung.faults.filter(({ stufe }) => stufe === 'fehler').length
  const warnings = pruefung.faults.length - errors
  const counts = {
    zeilen: formatNumber(pruefung.zeilen),
    kunden: formatNumber(pruefung.kunden.length),
    hqs: formatNumber(pruefung.forstbetriebe),
  }
  const found = t('Gelesene Zeilen: {zeilen}, Kunden: {kunden}, Forstbetriebe: {hqs}.', counts)
  const skipped =
    pruefung.uebersprungen.length === 1
      ? t('1 doppelte Zeile bleibt weg.')
      : pruefung.uebersprungen.length > 0
        ? t('{n} doppelte Zeilen bleiben weg.', { n: formatNumber(pruefung.uebersprungen.length) })
        : ''
  const duplicates = pruefung.faults.some(
    ({ art }) => art === 'doppelt_in_datei' || art === 'kunde_vorhanden',
  )
  return (
    <Notice
      tone={errors > 0 ? 'danger' : warnings > 0 ? 'warning' : 'success'}
      title={
        errors > 0
          ? t('Fehler: {n}, Warnungen: {m}', { n: formatNumber(errors), m: formatNumber(warnings) })
          : warnings > 0
            ? t('Keine Fehler, Warnungen: {m}', { m: formatNumber(warnings) })
            : t('Alles in Ordnung')
      }
      actions={
        duplicates && (
          <SelectField
            label={t('Was schon da ist')}
            options={[
              { value: 'anhalten', label: t('hält den Import an') },
              { value: 'ueberspringen', label: t('wird übersprungen') },
            ]}
            value={state.doppelte}
            disabled={state.busy}
            onChange={(event) =>
              void state.setDuplicates(event.target.value === 'ueberspringen' ? 'ueberspringen' : 'anhalten')
            }
          />
        )
      }
    >
      {found} {skipped}{' '}
      {errors > 0
        ? t(
            'Solange es Fehler gibt, wird nichts importiert. Berichtigen Sie die Datei und laden Sie sie neu, ' +
              'oder übernehmen Sie die Vorschläge.',
          )
        : warnings > 0 && t('Warnungen halten den Import nicht auf. Bitte sehen Sie sie durch.')}
    </Notice>
  )
}

/** One button per field that suggestions could fill. */
function Proposals({ state, pruefung }: { state: ImportState; pruefung: CheckResult }) {
  const fields = [...new Set(pruefung.suggestions.map(({ feld }) => feld))]
  if (fields.length === 0) return null
  const of = (field: string) => pruefung.suggestions.filter((proposal) => proposal.feld === field)
  return (
    <Card title={t('Vorschläge aus der PLZ')}>
      <div className="import-proposals">
        {fields.map((field) => (
          <Button key={field} busy={state.busy} onClick={() => void state.apply(of(field))}>
            {t('{feld} übernehmen (Zeilen: {n})', {
              feld: t(fieldOf(field).label),
              n: formatNumber(of(field).length),
            })}
          </Button>
        ))}
      </div>
      <p className="soft import-source">
        <a href={PLZ_SOURCE.url} target="_blank" rel="noreferrer">
          {t(PLZ_SOURCE.text)}
        </a>
      </p>
    </Card>
  )
}

function FaultDownload({ pruefung, dateiname }: { pruefung: CheckResult; dateiname: string }) {
  const save = () => {
    const head = [t('Zeile'), t('Feld'), t('Stufe'), t('Art'), t('Meldung')]
    const rows = pruefung.faults.map((fault) => [
      fault.zeile,
      t(fieldOf(fault.feld).label),
      t(fault.stufe === 'fehler' ? 'Fehler' : 'Warnung'),
      t(FAULTS[fault.art].titel),
      messageOf(fault),
    ])
    saveFile(
      csvFile({ name: t('Hinweise'), head, rows }),
      fileName(`${dateiname.replace(/\.\w+$/, '')}_${t('Hinweise')}`, new Date(), 'csv'),
    )
  }
  return (
    <Button icon="download" size="small" disabled={pruefung.faults.length === 0} onClick={save}>
      {t('Hinweise als CSV')}
    </Button>
  )
}

function StartBar({ state, pruefung }: { state: ImportState; pruefung: CheckResult }) {
  return (
    <Actions>
      <Button
        variant="primary"
        icon="upload"
        busy={state.busy}
        disabled={pruefung.gesperrt}
        onClick={() => void state.run()}
      >
        {pruefung.forstbetriebe === 1
          ? t('1 Forstbetrieb importieren')
          : t('{n} Forstbetriebe importieren', { n: formatNumber(pruefung.forstbetriebe) })}
      </Button>
      <Button onClick={() => state.backTo('zuordnung')}>{t('Zurück zur Zuordnung')}</Button>
      <Button onClick={state.restart}>{t('Andere Datei')}</Button>
    </Actions>
  )
}
