// Words of the import of trees, on its list and on its map.
import type { HabitatImportRow } from '#contract/habitat-file.ts'
import { t } from '../../ui/text.ts'

/** What taking over would do to a row. */
export const wasText = (was: HabitatImportRow[3]): string =>
  ({ neu: t('neu'), geaendert: t('geändert'), unveraendert: t('unverändert') })[was]
