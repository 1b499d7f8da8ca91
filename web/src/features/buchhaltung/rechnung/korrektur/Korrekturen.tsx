// The corrections of an invoice and what they leave of it; and the check and the acts of a draft correction.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { draftFaults } from '#domain/beleg-draft-check.ts'
import { isIssuable } from '#domain/beleg-check.ts'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../../data/rpc.ts'
import { said } from '../../../../data/said.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Badge, Card, DateText } from '../../../../ui/Display.tsx'
import { HeadRow, SmallTable } from '../../../../ui/SmallTable.tsx'
import { Skeleton } from '../../../../ui/States.tsx'
import { t } from '../../../../ui/text.ts'
import { today } from '../../../../ui/today.ts'
import { BelegCheck } from '../../BelegCheck.tsx'
import { previewQuery, type Rechnung } from '../../beleg.data.ts'
import { RECHNUNG_KIND } from '../../beleg-kinds.ts'
import { DeleteDraft } from '../../DeleteDraft.tsx'
import { hrefOfFault } from '../../draft-faults.ts'
import { IssueDialog } from '../../IssueDialog.tsx'
import { KorrekturDialog } from './KorrekturDialog.tsx'
import { korrekturQuery } from './korrektur.data.ts'

export function Korrekturen({ rechnung }: { rechnung: Rechnung }) {
  const { data } = useQuery(korrekturQuery(rechnung.id))
  if (data === undefined || data.korrekturen.length === 0) return null
  return (
    <Card title={t('Korrekturen')} flush>
      <SmallTable label={t('Korrekturen')}>
        <HeadRow titles={[t('Nummer'), t('Datum'), t('Grund'), t('Brutto')]} left={[0, 1, 2]} />
        <tbody>
          <tr>
            <th scope="row" colSpan={3}>
              {t('Ursprünglich')}
            </th>
            <td className="cell-end nums">{formatEuro(data.brutto)}</td>
          </tr>
          {data.korrekturen.map(({ id, nummer, datum, grund, brutto, entwurf }) => (
            <tr key={id}>
              <th scope="row">
                <a href={RECHNUNG_KIND.record(id)}>{nummer ?? t('Entwurf')}</a>
              </th>
              <td>
                <DateText value={datum} />
              </td>
              <td>{grund}</td>
              <td className="cell-end nums">
                {entwurf && <Badge>{t('zählt noch nicht')}</Badge>} {formatEuro(brutto)}
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={3}>
              {t('Es verbleiben')}
            </th>
            <td className="cell-end nums">{formatEuro(data.rest)}</td>
          </tr>
        </tbody>
      </SmallTable>
    </Card>
  )
}

function useFaults(rechnung: Rechnung) {
  const beleg = useQuery(previewQuery('rechnung', String(rechnung.id), rechnung.version))
  const window = useQuery({
    queryKey: ['rechnung', 'kleinstes-datum'],
    queryFn: ({ signal }) => rpc('a_get_min_rn_datum_for_new_invoice', {}, { signal }),
    staleTime: 0,
  })
  if (beleg.data === undefined || window.data === undefined) return { beleg: beleg.data, faults: null }
  const faults = draftFaults(beleg.data, { today: today(), earliest: window.data })
  return { beleg: beleg.data, faults: faults.map((fault) => ({ ...fault, text: said(fault.text) })) }
}

/** What is still to be done before the draft can be issued. */
export function KorrekturCheck({ rechnung }: { rechnung: Rechnung }) {
  const { faults } = useFaults(rechnung)
  const [changing, setChanging] = useState(false)
  const change = () => setChanging(true)
  return (
    <Card title={t('Prüfung vor dem Ausstellen')}>
      {faults === null ? (
        <Skeleton lines={2} />
      ) : (
        <BelegCheck
          faults={faults}
          hrefOf={(field) => hrefOfFault(field, { defs: {}, otherNames: {}, client_id: rechnung.client_id })}
          onJump={change}
          onToday={change}
          onTax={change}
        />
      )}
      {changing && <KorrekturDialog rechnung={rechnung} onClose={() => setChanging(false)} />}
    </Card>
  )
}

export function KorrekturActs({ rechnung }: { rechnung: Rechnung }) {
  const [open, setOpen] = useState<'aendern' | 'ausstellen' | null>(null)
  const { beleg, faults } = useFaults(rechnung)
  const close = () => setOpen(null)
  return (
    <>
      <DeleteDraft
        docKind={RECHNUNG_KIND}
        id={String(rechnung.id)}
        version={rechnung.version}
        name={rechnung.kunde}
      />
      <Button icon="edit" onClick={() => setOpen('aendern')}>
        {t('Korrektur ändern')}
      </Button>
      <Button
        variant="primary"
        disabled={faults === null || !isIssuable(faults)}
        onClick={() => setOpen('ausstellen')}
      >
        {t('Ausstellen')}
      </Button>
      {open === 'aendern' && <KorrekturDialog rechnung={rechnung} onClose={close} />}
      <IssueDialog
        open={open === 'ausstellen'}
        docKind={RECHNUNG_KIND}
        row={rechnung}
        day={rechnung.rn_datum}
        store={{ get: () => beleg ?? null }}
        onClose={close}
      />
    </>
  )
}
