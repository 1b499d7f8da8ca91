// /geraet: a program without a browser shows a code; here a person types it in, sees which program asks for
// what, narrows it, confirms that it is they, and connects the program or declines (RFC 8628).
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AskedByDevice } from '#contract/zugang.ts'
import { halvesOf } from '#domain/zugang.ts'
import { useSession } from '../../data/session.ts'
import { type DialogForm, useDialogForm } from '../../record/use-dialog-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { dayAhead } from '../../ui/today.ts'
import { checkCode, checkConnection, type KeyInput, shownCode } from './key-form.ts'
import { groupName } from './key-words.ts'
import { KEY_DAYS, Limits, NameAndEnd, ProofFields } from './MakeKey.tsx'
import { proofQuery, useConnect, useDecline, useLookAt } from './program-keys.data.ts'
import './program-keys.css'

type Step =
  | { readonly kind: 'code' }
  | { readonly kind: 'asked'; readonly code: string; readonly asked: AskedByDevice }
  | { readonly kind: 'done'; readonly connected: boolean; readonly programm: string }

export function ConnectPage() {
  const [step, setStep] = useState<Step>({ kind: 'code' })
  return (
    <Page width="narrow">
      {step.kind === 'code' && (
        <CodeForm onFound={(code, asked) => setStep({ kind: 'asked', code, asked })} />
      )}
      {step.kind === 'asked' && (
        <Answer
          {...step}
          onDone={(connected) => setStep({ kind: 'done', connected, programm: step.asked.programm })}
        />
      )}
      {step.kind === 'done' && <Done {...step} onAgain={() => setStep({ kind: 'code' })} />}
    </Page>
  )
}

const sent = (onSubmit: () => Promise<void>) => (event: FormEvent) => {
  event.preventDefault()
  void onSubmit()
}

function CodeForm({ onFound }: { onFound: (code: string, asked: AskedByDevice) => void }) {
  const look = useLookAt()
  const form = useDialogForm({
    // An address with the code saves typing it; people who follow it still compare it with the program's.
    initial: { user_code: shownCode(new URL(window.location.href).searchParams.get('code') ?? '') },
    check: checkCode,
    send: (user_code: string) => look.mutateAsync(user_code),
    faultsFrom: 'sending',
    guarded: false,
    onSent: (asked) => onFound(form.values.user_code, asked),
  })
  const { formRef, busy, fault, onSubmit } = form.frame
  return (
    <Card title={t('Code des Programms')}>
      <form ref={formRef} className="stack" onSubmit={sent(onSubmit)} noValidate>
        <p>
          {t(
            'Ein Programm wie QGIS zeigt Ihnen einen Code mit acht Buchstaben. Geben Sie ihn hier nur ein, ' +
              'wenn Sie das Programm gerade selbst gestartet haben.',
          )}
        </p>
        <TextField
          label={t('Code')}
          hint={t('Zum Beispiel BCDF-GHJK. Groß- und Kleinschreibung ist egal.')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          required
          {...form.text('user_code')}
        />
        {fault !== null && form.errorOf('user_code') === undefined && <Notice tone="danger">{fault}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            {t('Weiter')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

interface AnswerProps {
  code: string
  asked: AskedByDevice
  onDone: (connected: boolean) => void
}

function Answer({ code, asked, onDone }: AnswerProps) {
  const proof = useQuery(proofQuery)
  if (proof.isPending) return <Skeleton lines={4} />
  const proofAsked = proof.data === undefined ? { zweiter_faktor: false } : proof.data
  return <AnswerForm code={code} asked={asked} proof={proofAsked} onDone={onDone} />
}

function AnswerForm({
  code,
  asked,
  proof,
  onDone,
}: AnswerProps & { proof: { readonly zweiter_faktor: boolean } | null }) {
  const { roles } = useSession()
  const connect = useConnect(code)
  const decline = useDecline()
  const initial: KeyInput = {
    name: asked.programm,
    bis: formatDate(dayAhead(KEY_DAYS)),
    may: asked.schreiben ? 'write' : 'read',
    haelfte: '',
    gruppen: [...(asked.gruppen ?? [])],
    kunde: '',
    client: '',
    passwort: '',
    code: '',
  }
  const who = { art: 'person', proof } as const
  const form = useDialogForm({
    initial,
    check: (values: KeyInput) => checkConnection(values, who, asked),
    send: (wanted) => connect.mutateAsync(wanted),
    faultsFrom: 'sending',
    guarded: false,
    onSent: () => onDone(true),
  })
  const { formRef, busy, fault, onSubmit } = form.frame
  return (
    <Card title={t('„{name}“ möchte in Ihrem Namen arbeiten', { name: asked.programm })}>
      <form ref={formRef} className="stack" onSubmit={sent(onSubmit)} noValidate>
        <Asked code={code} asked={asked} />
        <Narrowed form={form} halves={halvesOf(roles)} asked={asked} />
        <ProofFields form={form} asked={who} />
        {(fault ?? decline.error) !== null && (
          <Notice tone="danger" title={t('Nicht verbunden')}>
            {fault ?? decline.error?.message}
          </Notice>
        )}
        <div className="program-key-head">
          <Button type="submit" variant="primary" busy={busy}>
            {t('Verbinden')}
          </Button>
          <Button
            busy={decline.isPending}
            onClick={() => decline.mutate(code, { onSuccess: () => onDone(false) })}
          >
            {t('Ablehnen')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Asked({ code, asked }: { code: string; asked: AskedByDevice }): ReactNode {
  const { schreiben, gruppen } = asked
  const what = gruppen === null ? null : gruppen.map(groupName).join(', ')
  return (
    <>
      <Notice tone="warning" title={t('Zeigt das Programm den Code {code}?', { code: shownCode(code) })}>
        {t(
          'Wenn nicht, oder wenn Ihnen jemand diesen Code geschickt hat, lehnen Sie bitte ab. Der Name ' +
            'kommt vom Programm selbst, niemand hat ihn geprüft.',
        )}
      </Notice>
      <p>
        {what === null
          ? schreiben
            ? t('Es möchte alles lesen und ändern, was auch Sie lesen und ändern dürfen.')
            : t('Es möchte alles lesen, was auch Sie sehen dürfen.')
          : schreiben
            ? t('Es möchte lesen und schreiben: {what}.', { what })
            : t('Es möchte lesen: {what}.', { what })}{' '}
        {t('Sie können das hier einschränken und die Verbindung jederzeit in Ihrem Profil widerrufen.')}
      </p>
    </>
  )
}

function Narrowed({
  form,
  halves,
  asked,
}: {
  form: DialogForm<KeyInput>
  halves: ReturnType<typeof halvesOf>
  asked: AskedByDevice
}) {
  return (
    <>
      <NameAndEnd form={form} />
      <Limits form={form} halves={halves} art="person" within={asked} />
    </>
  )
}

function Done({
  connected,
  programm,
  onAgain,
}: {
  connected: boolean
  programm: string
  onAgain: () => void
}) {
  return (
    <Card title={connected ? t('Verbunden') : t('Abgelehnt')}>
      <div className="stack">
        <output>
          {connected
            ? t('„{name}“ ist verbunden. Sie können diese Seite schließen und im Programm weiterarbeiten.', {
                name: programm,
              })
            : t('„{name}“ hat keinen Zugriff bekommen.', { name: programm })}
        </output>
        <div className="program-key-head">
          <a href="/profile/index">{t('Meine Schlüssel ansehen')}</a>
          <Button onClick={onAgain}>{t('Noch ein Programm verbinden')}</Button>
        </div>
      </div>
    </Card>
  )
}
