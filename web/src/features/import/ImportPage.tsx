// /kunden/import: customers with their headquarters from a file, in five steps. The steps only render; the
// logic is in use-import.ts.
import { Refusal } from '../../ui/Refusal.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Page, Stack } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { ImportSteps } from '../../record/import/ImportSteps.tsx'
import { ImportMapping } from './ImportMapping.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { ImportResult } from './ImportResult.tsx'
import { ImportUpload } from './ImportUpload.tsx'
import { type ImportState, STEPS, type Step, useImport } from './use-import.ts'

export function ImportPage() {
  const state = useImport()
  return (
    <Page
      subtitle={
        state.dateiname || t('Kunden mit ihren Forstbetrieben aus einer Excel- oder CSV-Datei anlegen.')
      }
      actions={<ButtonLink href="/kunden/index">{t('Zur Kundenliste')}</ButtonLink>}
    >
      <Stack>
        <ImportSteps titles={STEPS.map((name) => t(TITLES[name]))} now={STEPS.indexOf(state.step)} />
        {state.error !== null && <Refusal title={t('Das hat nicht geklappt')}>{state.error}</Refusal>}
        <StepContent state={state} />
      </Stack>
    </Page>
  )
}

function StepContent({ state }: { state: ImportState }) {
  switch (state.step) {
    case 'datei':
      return <ImportUpload busy={state.busy} onFile={(file) => void state.read(file)} />
    case 'zuordnung':
      return <ImportMapping state={state} />
    case 'pruefung':
      return <ImportPreview state={state} />
    case 'uebertragung':
      return <ImportProgress state={state} />
    case 'ergebnis':
      return <ImportResult state={state} />
  }
}

const TITLES: Record<Step, string> = {
  datei: 'Datei wählen',
  zuordnung: 'Spalten zuordnen',
  pruefung: 'Prüfen',
  uebertragung: 'Importieren',
  ergebnis: 'Ergebnis',
}
