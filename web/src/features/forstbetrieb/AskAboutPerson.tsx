// Confirms what is done with a person of a headquarters.
import type { Hq } from '#contract/hq.ts'
import type { UserOfHq } from '#contract/rpc.ts'
import { useSession } from '../../data/session.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { personName, usePersonAct } from './forstbetrieb.data.ts'
import { actOf, isManager, type PersonQuestion, questionTexts, undoOf } from './person-question.ts'

interface Props {
  hq: Hq
  /** Everybody of the headquarters. */
  rows: readonly UserOfHq[]
  question: PersonQuestion
  onClose: () => void
}

/** Names the person and states the consequences, including those for the user themselves. */
export function AskAboutPerson({ hq, rows, question, onClose }: Props) {
  const act = usePersonAct(hq)
  const me = useSession().user?.user_id
  const { kind, person } = question
  const isMe = person.user_id === me
  const lastManager = isManager(person) && rows.filter(isManager).length === 1
  const texts = questionTexts(question, hq.sHQ)
  const losesManagement = kind === 'disconnect' || kind === 'no-admin'
  const confirm = () => {
    const back = undoOf(question, isMe)
    return act.mutateAsync(actOf(question)).then(() => {
      if (back) toast.undo(texts.done, () => act.mutateAsync(back))
      else toast.success(texts.done)
      onClose()
    })
  }
  return (
    <ConfirmDialog
      open
      title={texts.title}
      record={personName(person)}
      confirmLabel={texts.label}
      danger={texts.danger}
      busy={act.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>{texts.text}</p>
      {losesManagement && isMe && <p>{t('Das sind Sie selbst: Sie können es danach nicht zurücknehmen.')}</p>}
      {losesManagement && lastManager && (
        <p>
          {t(
            'Danach verwaltet niemand mehr diesen Forstbetrieb; Personen können dann nur noch die ' +
              'Kundenadmins und wir zuordnen.',
          )}
        </p>
      )}
    </ConfirmDialog>
  )
}
