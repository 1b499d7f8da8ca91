// /nutzer/index: everybody with access, for the provider's admins.
import type { Role } from '#domain/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { mayManage } from '#domain/role-origins.ts'
import { ApiError } from '../../data/api-error.ts'
import { rpc } from '../../data/rpc.ts'
import { useSession } from '../../data/session.ts'
import type { BulkAction } from '../../list/bulk.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { invite, isExternal } from '../../record/account/account.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useAsked } from '../../ui/use-asked.ts'
import { useView } from '../../ui/view.tsx'
import './nutzer.css'
import { MOST_PEOPLE, peopleOf } from './nutzer.data.ts'
import { nutzerList } from './nutzer-list.ts'
import type { NutzerRow } from './nutzer-row.ts'

// Loaded on demand.
const CreateNutzer = splitOff(async () => (await import('./CreateNutzer.tsx')).CreateNutzer)

const isNumber = (text: string | undefined): text is string =>
  text !== undefined && /^[1-9]\d{0,17}$/.test(text)

/** Ids of the people of the chosen customer and headquarters; each undefined if none is chosen. */
function usePeopleFilter() {
  const { search } = useView()
  const [kunde, hq] = [search['kunde'], search['forstbetrieb']]
  const ofKunde = useQuery({ ...peopleOf('kunde', kunde ?? ''), enabled: isNumber(kunde) })
  const ofHq = useQuery({ ...peopleOf('hq', hq ?? ''), enabled: isNumber(hq) })
  const asked = [...(isNumber(kunde) ? [ofKunde] : []), ...(isNumber(hq) ? [ofHq] : [])]
  return {
    among: asked.flatMap(({ data }) => (data ? [data] : [])),
    failed: asked.find(({ isError, data }) => isError && data === undefined),
    waiting: asked.some(({ data }) => data === undefined),
  }
}

/** No ids at all: nobody is listed. */
const NOBODY = '[[]]'

/** The list stays in its place, with its open filter, while the ids for another one are fetched. */
function usePeopleList({ among, failed, waiting }: ReturnType<typeof usePeopleFilter>) {
  const ids = failed ? NOBODY : waiting ? null : JSON.stringify(among)
  const [last, setLast] = useState(ids)
  if (ids !== null && ids !== last) setLast(ids)
  return useMemo(() => {
    if (last === null) return null
    const lists = JSON.parse(last) as number[][]
    return {
      list: nutzerList(lists.map((one) => one.slice(0, MOST_PEOPLE))),
      isCut: lists.some((one) => one.length > MOST_PEOPLE),
    }
  }, [last])
}

export function NutzerPage() {
  const { roles } = useSession()
  const adding = useAsked('neu', 'person')
  const filter = usePeopleFilter()
  const { failed } = filter
  const people = usePeopleList(filter)
  const bulk = useMemo(() => bulkActions(roles), [roles])
  const add = (
    <Button variant="primary" icon="plus" onClick={adding.open}>
      {t('Nutzer anlegen')}
    </Button>
  )
  if (people === null)
    return (
      <Page>
        <Card>
          <Skeleton lines={10} />
        </Card>
      </Page>
    )
  return (
    <>
      <ListPage list={people.list} actions={add} firstSteps={add} bulk={bulk}>
        {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
        {people.isCut && (
          <Notice tone="warning">
            {t('Hier stehen nur die ersten {n} Personen. Grenzen Sie die Auswahl mit der Suche ein.', {
              n: MOST_PEOPLE,
            })}
          </Notice>
        )}
      </ListPage>
      {adding.isOpen && <CreateNutzer onClose={adding.close} />}
    </>
  )
}

const notAllowed = () =>
  new ApiError('not_allowed', t('Diese Person wird von der anderen Verwaltung betreut.'), { status: 403 })

/** Forbidden actions are not attempted; the report names the person. */
function bulkActions(held: readonly Role[]): readonly BulkAction<NutzerRow>[] {
  const managed = (run: (row: NutzerRow) => Promise<unknown>) => (row: NutzerRow) =>
    mayManage(held, row) ? run(row) : Promise.reject(notAllowed())
  const setApp = (status: 'aktiv' | 'gesperrt') =>
    managed(({ user_id, username }) => rpc('__o_change_app_status', { user_id, username, status }))
  return [
    {
      key: 'einladen',
      label: t('Einladen'),
      icon: 'mail',
      confirm: (rows) => ({
        title:
          rows.length === 1 ? t('Eine Person einladen?') : t('{n} Personen einladen?', { n: rows.length }),
        text: t(
          'Jede Person bekommt eine E-Mail mit einem Link, der sieben Tage gilt. Wer schon ein Passwort hat, ' +
            'wird übersprungen; frühere Links werden ungültig.',
        ),
      }),
      run: managed(async (row) => {
        try {
          if (typeof row.erste_anmeldung === 'string')
            throw new ApiError('conflict', t('Hat sich schon angemeldet und braucht keine Einladung.'), {
              status: 409,
            })
          const { mailed, wartet } = await invite(row.user_id)
          if (!mailed && !wartet)
            throw new ApiError(
              'unavailable',
              t(
                'Es konnte keine E-Mail versendet werden. Öffnen Sie die Person und geben Sie den Link selbst weiter.',
              ),
            )
        } catch (error) {
          if (isExternal(error))
            throw new ApiError('not_allowed', t('Zugänge werden beim externen Anmeldedienst verwaltet.'))
          throw error
        }
      }),
      done: (n) => (n === 1 ? t('1 Einladung versendet.') : t('{n} Einladungen versendet.', { n })),
    },
    {
      key: 'app-freigeben',
      label: t('App entsperren'),
      run: setApp('aktiv'),
      done: (n) =>
        n === 1
          ? t('Mobile App für 1 Person entsperrt.')
          : t('Mobile App für {n} Personen entsperrt.', { n }),
    },
    {
      key: 'app-sperren',
      label: t('App sperren'),
      icon: 'lock',
      danger: true,
      confirm: (rows) => ({
        title:
          rows.length === 1
            ? t('Mobile App für eine Person sperren?')
            : t('Mobile App für {n} Personen sperren?', { n: rows.length }),
        text: t('Die Anwendung im Browser bleibt zugänglich.'),
      }),
      run: setApp('gesperrt'),
      done: (n) =>
        n === 1 ? t('Mobile App für 1 Person gesperrt.') : t('Mobile App für {n} Personen gesperrt.', { n }),
    },
  ]
}
