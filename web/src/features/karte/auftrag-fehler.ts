// Why a job failed, and what to do next.
import { t } from '../../ui/text.ts'

function satz(fehler: string | null): string {
  switch (fehler) {
    default:
      return t('Bitte stellen Sie den Auftrag noch einmal. Bleibt es dabei, sagen Sie der Verwaltung Bescheid.')
  }
}
export const auftragFehler = (fehler: string | null, einzelheit: string | null): string =>
  einzelheit === null || einzelheit === '' ? satz(fehler) : `${satz(fehler)} (${einzelheit})`
