// Dialogs that ask for nothing but a reason.
import { unlessFaulty } from '../../record/dialog-form.ts'
import { t } from '../../ui/text.ts'

export const checkReason = ({ grund }: { readonly grund: string }) =>
  unlessFaulty(grund.trim(), { grund: grund.trim() === '' ? t('Diese Angabe fehlt.') : undefined })
