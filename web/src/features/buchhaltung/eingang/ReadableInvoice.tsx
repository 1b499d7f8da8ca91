// An e-invoice as a page: every term of the standard that the file has, in German words. Texts are somebody else's
// and shown as texts only.
import { eingangPaths } from '#contract/eingang.ts'
import { groupOf, groupsOf, type InvoiceGroup, term } from '#domain/eingang/invoice.ts'
import { TERM_NAMES } from '#domain/eingang/term-names.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, type Fact, fact, Facts } from '../../../ui/Display.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { valueText } from './eingang-words.ts'

const IDS = Object.keys(TERM_NAMES)
const nameOf = (id: string): string => t(TERM_NAMES[id] ?? id)

/** In the order of the standard. */
const factsOf = ({ terms }: InvoiceGroup, without: readonly string[] = []): Fact[] =>
  IDS.filter((id) => terms[id] !== undefined && !without.includes(id)).map((id) =>
    fact(
      nameOf(id),
      <span className="eingang-value" title={id}>
        {terms[id]!.map((text) => valueText(id, text)).join('\n')}
      </span>,
    ),
  )

function Group({ id, group }: { id: string; group: InvoiceGroup }) {
  return (
    <section className="eingang-group" aria-label={nameOf(id)}>
      <h3>{nameOf(id)}</h3>
      <Facts facts={factsOf(group)} />
      <Groups of={group} />
    </section>
  )
}
function Groups({ of, without = [] }: { of: InvoiceGroup; without?: readonly string[] }) {
  return IDS.filter((id) => of.groups[id] !== undefined && !without.includes(id)).flatMap((id) =>
    // oxlint-disable-next-line react/no-array-index-key -- the file is read once and never changes
    groupsOf(of, id).map((group, index) => <Group key={`${id} ${index}`} id={id} group={group} />),
  )
}

/** With their own tables. */
const APART = ['BG-4', 'BG-7', 'BG-22', 'BG-23', 'BG-24', 'BG-25']

export function ReadableInvoice({ id, invoice }: { id: number; invoice: InvoiceGroup }) {
  const sums = groupOf(invoice, 'BG-22')
  const attachments = groupsOf(invoice, 'BG-24')
  return (
    <>
      <Card title={nameOf('BG-0')}>
        <Facts facts={factsOf(invoice)} />
      </Card>
      <Card>
        <div className="eingang-parties">
          {(['BG-4', 'BG-7'] as const).flatMap((party) =>
            groupsOf(invoice, party).map((group) => <Group key={party} id={party} group={group} />),
          )}
        </div>
      </Card>
      <Lines lines={groupsOf(invoice, 'BG-25')} />
      <Taxes taxes={groupsOf(invoice, 'BG-23')} />
      {sums !== undefined && (
        <Card title={nameOf('BG-22')}>
          <Facts facts={factsOf(sums)} />
        </Card>
      )}
      <Card title={t('Weitere Angaben')}>
        <Groups of={invoice} without={APART} />
      </Card>
      {attachments.length > 0 && <Attachments id={id} groups={attachments} />}
    </>
  )
}

function Lines({ lines }: { lines: readonly InvoiceGroup[] }) {
  if (lines.length === 0) return null
  const titles = [t('Nr.'), t('Bezeichnung'), t('Menge'), t('Einzelpreis'), t('USt'), t('Netto')]
  return (
    <Card title={t('Positionen')} flush>
      <SmallTable label={t('Positionen')}>
        <HeadRow titles={titles} left={[0, 1]} />
        <tbody>
          {lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- numbers of lines may be there twice
            <Line key={index} line={line} />
          ))}
        </tbody>
      </SmallTable>
    </Card>
  )
}

const SHOWN = ['BT-126', 'BT-129', 'BT-130', 'BT-131']
function Line({ line }: { line: InvoiceGroup }) {
  const item = groupOf(line, 'BG-31')
  const shown = (group: InvoiceGroup | undefined, id: string): string => valueText(id, term(group, id))
  const unit = shown(line, 'BT-130').replace(/ \([^)]*\)$/, '')
  const rest = factsOf(line, SHOWN)
  return (
    <tr>
      <td className="nums">{term(line, 'BT-126')}</td>
      <td>
        <div className="eingang-value">{term(item, 'BT-153')}</div>
        <div className="soft eingang-value">{term(item, 'BT-154')}</div>
        <details>
          <summary>{t('Alle Angaben')}</summary>
          {rest.length > 0 && <Facts facts={rest} />}
          <Groups of={line} />
        </details>
      </td>
      <td className="cell-end nums">
        {shown(line, 'BT-129')} {unit}
      </td>
      <td className="cell-end nums">{shown(groupOf(line, 'BG-29'), 'BT-146')}</td>
      <td className="cell-end nums">{shown(groupOf(line, 'BG-30'), 'BT-152')}</td>
      <td className="cell-end nums">{shown(line, 'BT-131')}</td>
    </tr>
  )
}

function Taxes({ taxes }: { taxes: readonly InvoiceGroup[] }) {
  if (taxes.length === 0) return null
  return (
    <Card title={nameOf('BG-23')} flush>
      <SmallTable label={nameOf('BG-23')}>
        <HeadRow titles={['BT-118', 'BT-119', 'BT-116', 'BT-117'].map(nameOf)} left={[0]} />
        <tbody>
          {taxes.map((tax, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the file is read once and never changes
            <tr key={index}>
              <td>
                {valueText('BT-118', term(tax, 'BT-118'))}
                <div className="soft eingang-value">{term(tax, 'BT-120') || term(tax, 'BT-121')}</div>
              </td>
              {['BT-119', 'BT-116', 'BT-117'].map((one) => (
                <td key={one} className="cell-end nums">
                  {valueText(one, term(tax, one))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </Card>
  )
}

/** Somebody else's files: saved, never opened here. */
function Attachments({ id, groups }: { id: number; groups: readonly InvoiceGroup[] }) {
  const save = (index: number, name: string) =>
    void fetchBlob(eingangPaths.attachment(id, index)).then(
      (blob) => saveBlob(blob, name),
      (error: unknown) => toast.error(messageOf(error)),
    )
  const withFile = groups.filter((group) => term(group, 'BT-125') !== '')
  const rows = groups.map((group) => ({
    group,
    /** Counted from 1, like the address of the file; 0: none. */
    index: withFile.indexOf(group) + 1,
    name: term(group, 'BT-125-2') || term(group, 'BT-122'),
  }))
  return (
    <Card title={t('Beigefügte Unterlagen')}>
      <ul className="eingang-outcomes">
        {rows.map(({ index, group, name }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the file is read once and never changes
          <li key={at}>
            <Facts facts={factsOf(group)} />
            {index > 0 && (
              <Button size="small" icon="download" onClick={() => save(index, name)}>
                {t('Herunterladen')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
