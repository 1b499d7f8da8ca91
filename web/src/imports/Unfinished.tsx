// Why an import was not completed.
import type { ReactNode } from 'react'
import { reasonText } from '../record/import/import-faults.ts'
import { Card, Notice } from '../ui/Display.tsx'
import { t } from '../ui/text.ts'

interface Props {
  reason: Parameters<typeof reasonText>[0]
  /** The faulty rows, if rows are at fault. */
  children: ReactNode
}
export const Unfinished = ({ reason, children }: Props) => (
  <Card title={t('Der Import wurde nicht abgeschlossen')}>
    <Notice tone="danger">{reasonText(reason)}</Notice>
    {children}
  </Card>
)
