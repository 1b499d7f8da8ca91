// "Verbinden": the addresses under which Excel, LibreOffice, Power BI and scripts read a saved view, and how each of
// them is set up.
import { useRef, useState } from 'react'
import { ODATA_BASE, PROGRAM_LISTS, viewAddress } from '#contract/program-lists.ts'
import type { View } from '#contract/view.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Display.tsx'
import { TextField } from '../ui/Field.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import './connect.css'

const PROGRAMS = ['excel', 'libreoffice', 'powerbi', 'skript'] as const
type Program = (typeof PROGRAMS)[number]

const programName = (program: Program): string =>
  ({ excel: 'Excel', libreoffice: 'LibreOffice', powerbi: 'Power BI', skript: t('Skript') })[program]

/** What is done in each program, one step after the other. */
function stepsOf(program: Program): readonly string[] {
  const signIn = t('Wählen Sie „Standard“ (Basic): Der Name ist beliebig, das Passwort ist der Schlüssel.')
  switch (program) {
    case 'excel':
      return [
        t(
          'Öffnen Sie „Daten › Daten abrufen › Aus anderen Quellen › Aus dem Web“, und fügen Sie die Adresse ein.',
        ),
        signIn,
        t(
          'Wählen Sie als Trennzeichen das Semikolon und als Dateiursprung UTF-8. „Laden“ fügt die Zeilen ' +
            'ins Blatt ein.',
        ),
        t('Mit „Daten › Alle aktualisieren“ holt Excel den neuesten Stand.'),
      ]
    case 'libreoffice':
      return [
        t(
          'Öffnen Sie „Tabelle › Verknüpfung zu externen Daten“, fügen Sie die Adresse ein, und drücken Sie Enter.',
        ),
        t('LibreOffice fragt nach Name und Passwort: Der Name ist beliebig, das Passwort ist der Schlüssel.'),
        t('Wählen Sie als Zeichensatz UTF-8, als Sprache Deutsch und als Trennzeichen das Semikolon.'),
        t('Mit „Aktualisieren alle … Sekunden“ bleibt das Blatt auf dem neuesten Stand.'),
      ]
    case 'powerbi':
      return [
        t('Öffnen Sie „Daten abrufen › Web“, und fügen Sie die Adresse ein.'),
        signIn,
        t('Wandeln Sie die Liste mit „In Tabelle“ um, und klappen Sie die Spalten auf.'),
      ]
    default:
      return [
        t(
          'Senden Sie den Schlüssel im Kopf „Authorization: Bearer …“ oder als Passwort der ' +
            'Basic-Anmeldung, nie in der Adresse.',
        ),
        t(
          'Wenn Sie „?form=rfc4180“ an die CSV-Adresse anhängen, kommen die Werte unverändert und durch ' +
            'Kommas getrennt.',
        ),
      ]
  }
}

export function ConnectDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const [program, setProgram] = useState<Program>('excel')
  const place = PROGRAM_LISTS[view.liste]
  const here = window.location.origin
  const language = document.documentElement.lang === 'en' ? '?sprache=en' : ''
  const address = (ending: 'csv' | 'json') => `${here}${viewAddress(view.liste, view.id, ending)}${language}`
  return (
    <Dialog
      open
      title={t('„{name}“ verbinden', { name: view.name })}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Fertig')}
        </Button>
      }
    >
      {place === undefined ? (
        <p>
          {t(
            'Diese Liste lässt sich nicht verbinden, weil sie erst auf dem Bildschirm zusammengestellt wird. ' +
              'Über „Export“ bekommen Sie sie als Datei.',
          )}
        </p>
      ) : (
        <div className="stack">
          <p>
            {t(
              'Unter diesen Adressen lesen andere Programme, was Sie in dieser Ansicht sehen: mit ihren ' +
                'Spalten und Filtern, in derselben Reihenfolge und immer auf dem neuesten Stand. Wenn Sie die ' +
                'Ansicht ändern, bleibt die Adresse gleich, und die Programme lesen die geänderte Ansicht.',
            )}
          </p>
          <Tabs
            label={t('Programm')}
            tabs={PROGRAMS.map((id) => ({
              id,
              label: programName(id),
              content: <Guide program={id} address={address} table={place.table} />,
            }))}
            value={program}
            onChange={(id) => setProgram(id as Program)}
          />
          <Notice
            tone="info"
            title={t('Dazu brauchen Sie einen Schlüssel')}
            actions={
              <ButtonLink size="small" href="/profile/index">
                {t('Zu meinen Schlüsseln')}
              </ButtonLink>
            }
          >
            {t(
              'Sie legen ihn in Ihrem Profil unter „Schlüssel für Programme“ an; „nur lesen“ genügt. Das ' +
                'Programm sieht damit nur, was auch Sie sehen dürfen. Sie können den Schlüssel jederzeit ' +
                'widerrufen.',
            )}
          </Notice>
        </div>
      )}
    </Dialog>
  )
}

function Guide({
  program,
  address,
  table,
}: {
  program: Program
  address: (ending: 'csv' | 'json') => string
  table: string | null
}) {
  const json = program === 'powerbi' || program === 'skript'
  return (
    <div className="stack">
      {json && <Address label={t('Adresse (JSON)')} value={address('json')} />}
      {program !== 'powerbi' && <Address label={t('Adresse (CSV)')} value={address('csv')} />}
      <ol className="connect-steps">
        {stepsOf(program).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {table !== null && program !== 'libreoffice' && (
        <Address
          label={t('Ganze Tabelle (OData)')}
          value={`${window.location.origin}${ODATA_BASE}/${table}`}
          hint={t('Alle Zeilen und Spalten, ohne die Filter dieser Ansicht; für „Aus OData-Datenfeed“.')}
        />
      )}
    </div>
  )
}

function Address({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success(t('Adresse kopiert.'))
    } catch {
      // Without clipboard permission, select the text so that it is one keystroke away.
      field.current?.select()
      toast.info(t('Bitte kopieren Sie die markierte Adresse mit Strg+C.'))
    }
  }
  return (
    <div className="connect-address">
      <TextField
        ref={field}
        label={label}
        readOnly
        value={value}
        hint={hint}
        onFocus={(event) => event.target.select()}
      />
      <Button icon="file" aria-label={t('{name} kopieren', { name: label })} onClick={() => void copy()}>
        {t('Kopieren')}
      </Button>
    </div>
  )
}
