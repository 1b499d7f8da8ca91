// Profil: who one is here, and the few things one may change oneself.
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { rpc } from '../../data/rpc.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Facts, fact, Notice } from '../../ui/Display.tsx'
import { FieldGrid, TextField } from '../../ui/Field.tsx'
import { Actions, Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useApplication } from '../app-context.ts'
import { rolleInWords } from '../role-words.ts'

export function ProfilePage() {
  const { user, email, roles } = useSession()
  return (
    <Page width="narrow" subtitle={email}>
      <OwnNames />
      <Card title={t('Ihr Zugang')}>
        <Facts
          facts={[
            fact(t('Anmeldeadresse'), email),
            fact(t('Benutzername'), user?.username),
            fact(t('Registriert am'), <DateText value={user?.reg_date} />),
            fact(t('Geburtsdatum'), user?.geb ? <DateText value={user.geb} /> : null),
            fact(t('Geschlecht'), user?.geschlecht),
            fact(t('Mobile App'), user?.app_status === 'gesperrt' ? t('gesperrt') : t('freigegeben')),
          ]}
        />
      </Card>
      <Card title={t('Ihre Rechte')}>
        <ul className="chips">
          {roles.map((role) => (
            <li key={role}>
              <Badge>{rolleInWords(role)}</Badge>
            </li>
          ))}
        </ul>
      </Card>
      <Links />
    </Page>
  )
}

interface Names {
  first_name: string
  last_name: string
  mail: string
}
type Faults = Partial<Record<keyof Names, string>>

function checkNames({ first_name, last_name, mail }: Names): Faults {
  const faults: Faults = {}
  if (first_name === '') faults.first_name = t('Bitte geben Sie Ihren Vornamen an.')
  if (last_name === '') faults.last_name = t('Bitte geben Sie Ihren Nachnamen an.')
  if (mail !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(mail)) faults.mail = t('Das ist keine gültige E-Mail-Adresse.')
  return faults
}

function OwnNames() {
  const { user } = useSession()
  const { reloadSession } = useApplication()
  const saved: Names = { first_name: user?.first_name ?? '', last_name: user?.last_name ?? '', mail: user?.mail ?? '' }
  const [names, setNames] = useState(saved)
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const dirty = (Object.keys(saved) as (keyof Names)[]).some((key) => names[key].trim() !== saved[key])
  const disarm = useUnsavedChanges(dirty)
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const trimmed = { first_name: names.first_name.trim(), last_name: names.last_name.trim(), mail: names.mail.trim() }
    const found = checkNames(trimmed)
    setFaults(found)
    setProblem(undefined)
    if (Object.keys(found).length > 0) return focusFirstFault(form, found)
    setBusy(true)
    try {
      await rpc('__o_update_user', { ...trimmed, mail: trimmed.mail === '' ? null : trimmed.mail })
      disarm()
      setNames(trimmed)
      await reloadSession()
      toast.success(t('Ihr Profil ist gespeichert.'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const byField = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]))
      setFaults(byField)
      if (!focusFirstFault(form, byField)) setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const field = (key: keyof Names) => ({
    name: key,
    value: names[key],
    error: faults[key],
    onChange: (event: { target: { value: string } }) => setNames({ ...names, [key]: event.target.value }),
  })
  return (
    <Card title={t('Name und Erreichbarkeit')}>
      <form className="stack" noValidate onSubmit={(event) => void save(event)}>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <FieldGrid>
          <TextField label={t('Vorname')} required maxLength={100} autoComplete="given-name" {...field('first_name')} />
          <TextField label={t('Nachname')} required maxLength={100} autoComplete="family-name" {...field('last_name')} />
          <TextField
            label={t('E-Mail für Rückfragen')}
            type="email"
            maxLength={254}
            autoComplete="email"
            hint={t('Nur zur Kontaktaufnahme; Ihre Anmeldeadresse bleibt gleich.')}
            {...field('mail')}
          />
        </FieldGrid>
        <Actions>
          <Button type="submit" variant="primary" busy={busy} disabled={!dirty}>
            {t('Speichern')}
          </Button>
          {dirty && (
            <Button
              variant="quiet"
              disabled={busy}
              onClick={() => {
                setNames(saved)
                setFaults({})
                setProblem(undefined)
              }}
            >
              {t('Verwerfen')}
            </Button>
          )}
        </Actions>
      </form>
    </Card>
  )
}

function focusFirstFault(form: HTMLFormElement, faults: Readonly<Record<string, string | undefined>>): boolean {
  const first = [...form.querySelectorAll('input')].find(({ name }) => faults[name])
  first?.focus()
  return first !== undefined
}

function Links() {
  const { user, hqs } = useSession()
  const kunden = user?.kunden ?? []
  if (kunden.length === 0 && hqs.length === 0) return null
  return (
    <Card title={t('Verbunden mit')}>
      <ul className="plain">
        {kunden.map((kunde) => (
          <li key={`k${kunde.client_id}${kunde.rolle}`}>{t('Kunde: {name}', { name: kunde.name })}</li>
        ))}
        {hqs.map((hq) => (
          <li key={hq.idHQ}>{t('Forstbetrieb: {name}', { name: hq.sHQ })}</li>
        ))}
      </ul>
    </Card>
  )
}
