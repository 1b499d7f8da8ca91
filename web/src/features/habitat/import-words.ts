// Texts of the tree import, for its list and its map.
import type { HabitatImportRow } from '#contract/habitat-file.ts'
import { t } from '../../ui/text.ts'

/** What the import would do to a row. */
export const wasText = (was: HabitatImportRow[3]): string =>
  ({ neu: t('neu'), geaendert: t('geändert'), unveraendert: t('unverändert') })[was]
