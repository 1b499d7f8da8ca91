// What can be done with a person of a headquarters: the question before it, the call, and how it is undone.
import type { UserOfHq } from '#contract/rpc.ts'
import { t } from '../../ui/text.ts'
import { type PersonAct, personName } from './forstbetrieb.data.ts'

export type QuestionKind = 'disconnect' | 'admin' | 'no-admin' | 'lock-app' | 'unlock-app'
export interface PersonQuestion {
  readonly kind: QuestionKind
  readonly person: UserOfHq
}

export const isManager = ({ hq_status }: Pick<UserOfHq, 'hq_status'>): boolean =>
  hq_status.includes('hq_admin')

export interface QuestionTexts {
  readonly title: string
  /** Of the button. */
  readonly label: string
  readonly danger: boolean
  readonly text: string
  readonly done: string
}
export function questionTexts({ kind, person }: PersonQuestion, hq: string): QuestionTexts {
  const name = personName(person)
  const texts: Record<QuestionKind, QuestionTexts> = {
    disconnect: {
      title: t('Zuordnung aufheben?'),
      label: t('Zuordnung aufheben'),
      danger: true,
      text: t('{name} sieht „{hq}“ danach nicht mehr. Das Konto und andere Zuordnungen bleiben.', {
        name,
        hq,
      }),
      done: t('{name} ist nicht mehr zugeordnet.', { name }),
    },
    admin: {
      title: t('Verwaltung übertragen?'),
      label: t('Verwaltung übertragen'),
      danger: false,
      text: t('{name} kann dann Personen von „{hq}“ zuordnen, sperren und die Verwaltung weitergeben.', {
        name,
        hq,
      }),
      done: t('{name} verwaltet jetzt diesen Forstbetrieb.', { name }),
    },
    'no-admin': {
      title: t('Verwaltung entziehen?'),
      label: t('Verwaltung entziehen'),
      danger: true,
      text: t('{name} bleibt „{hq}“ zugeordnet, verwaltet ihn aber nicht mehr.', { name, hq }),
      done: t('{name} verwaltet diesen Forstbetrieb nicht mehr.', { name }),
    },
    'lock-app': {
      title: t('App sperren?'),
      label: t('App sperren'),
      danger: true,
      text: t(
        '{name} kann die mobile App nicht mehr benutzen, auch nicht für andere Forstbetriebe. Der ' +
          'Zugang im Browser bleibt.',
        {
          name,
        },
      ),
      done: t('Die App ist für {name} gesperrt.', { name }),
    },
    'unlock-app': {
      title: t('App entsperren?'),
      label: t('App entsperren'),
      danger: false,
      text: t('{name} kann die mobile App wieder benutzen.', { name }),
      done: t('Die App ist für {name} entsperrt.', { name }),
    },
  }
  return texts[kind]
}

export function actOf({ kind, person }: PersonQuestion): PersonAct {
  switch (kind) {
    case 'disconnect':
      return { kind, person }
    case 'lock-app':
      return { kind: 'app', person, status: 'gesperrt' }
    case 'unlock-app':
      return { kind: 'app', person, status: 'aktiv' }
    case 'admin':
      return { kind: 'status', person, hq_status: ['hq_user', 'hq_admin'] }
    case 'no-admin':
      return { kind: 'status', person, hq_status: ['hq_user'] }
  }
}
const OPPOSITE = {
  admin: 'no-admin',
  'no-admin': 'admin',
  'lock-app': 'unlock-app',
  'unlock-app': 'lock-app',
} as const satisfies Partial<Record<QuestionKind, QuestionKind>>

/** Null where it cannot be undone: a connection that is gone, or one's own management. */
export function undoOf({ kind, person }: PersonQuestion, isMe: boolean): PersonAct | null {
  if (kind === 'disconnect') return null
  const act = actOf({ kind: OPPOSITE[kind], person })
  return act.kind === 'status' && isMe ? null : act
}
