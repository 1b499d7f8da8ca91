// Why a job failed, and what to do next.
import { BY_RULE } from '../../data/rule-texts.ts'
import { t } from '../../ui/text.ts'

/** The rule's text; a general one for a code that this version does not know. */
export function jobErrorText(fault: string | null, detail: string | null): string {
  const known = fault === null ? undefined : BY_RULE[fault]
  const sentence =
    known === undefined
      ? t('Bitte stellen Sie den Auftrag noch einmal. Bleibt es dabei, sagen Sie der Verwaltung Bescheid.')
      : t(known)
  return detail === null || detail === '' ? sentence : `${sentence} (${detail})`
}
