// The draft of an offer as used by the form, the conflict dialog and saving.
import { queryOptions } from '@tanstack/react-query'
import type { AngebotValues } from '#contract/buchhaltung.ts'
import { rpc } from '../../../data/rpc.ts'
import { ApiError, errorText } from '../../../data/api-error.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { type Angebot, draftKey, fetchPositions } from '../beleg.data.ts'
import { draftKind, type FieldDef, printPositions } from '../draft-fields.ts'
import { MORE_FIELDS } from '../place-fields.ts'

export type AngebotField = keyof AngebotValues | 'positionen'
export type AngebotDraft = Angebot & { readonly positionen: string }

const DEFS: Readonly<Record<AngebotField, FieldDef>> = {
  bearbeiter: { art: { kind: 'zeile', longest: 100 }, label: () => t('Bearbeiter') },
  an_datum: { art: { kind: 'tag', required: true }, label: () => t('Angebotsdatum') },
  gueltig_bis: { art: { kind: 'tag' }, label: () => t('Gültig bis') },
  ust_satz: {
    art: { kind: 'zahl', decimals: 2, integerDigits: 2, required: true },
    label: () => t('Steuersatz'),
  },
  chance: { art: { kind: 'ganz', most: 100 }, label: () => t('Chance') },
  positionen: { art: { kind: 'positionen' }, label: () => t('Positionen') },
  anrede: { art: { kind: 'text', longest: 500 }, label: () => t('Anrede') },
  anschreiben: { art: { kind: 'text', longest: 10_000 }, label: () => t('Anschreiben') },
  zuerl: { art: { kind: 'text', longest: 10_000 }, label: () => t('Schlusstext') },
  rabatt_prozent: {
    art: { kind: 'zahl', decimals: 2, integerDigits: 3, most: 100, allowNegative: true },
    label: () => t('Rabatt oder Zuschlag auf alles'),
  },
  rabatt_grund: { art: { kind: 'zeile', longest: 200 }, label: () => t('Grund für Rabatt oder Zuschlag') },
  ...MORE_FIELDS,
}

export const ANGEBOT_FIELDS = DEFS

export const ANGEBOT = draftKind<AngebotField, AngebotDraft>(
  DEFS,
  {
    draftOf: ({ id }) => `angebot/${id}`,
    changedBy: (values) =>
      t(
        '{who} hat dieses Angebot am {when} geändert, während Sie es bearbeitet haben. Noch ist nichts ' +
          'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
        values,
      ),
  },
  ({ an_datum, gueltig_bis }) => {
    const [from, to] = [parseDay(an_datum), parseDay(gueltig_bis)]
    return from !== null && to !== null && to < from
      ? { gueltig_bis: t('Das Ende liegt vor dem Anfang.') }
      : {}
  },
)

const load = async (id: string, signal?: AbortSignal): Promise<AngebotDraft> => {
  const [[angebot], positions] = await Promise.all([
    rpc('a_get_offer_details', { offer_id: id }, signal ? { signal } : {}),
    fetchPositions('angebot', id, signal ? { signal } : {}),
  ])
  if (angebot === undefined) throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  return { ...angebot, positionen: printPositions(positions) }
}
export const angebotDraft = (id: string) =>
  queryOptions({ queryKey: draftKey('angebot', id), queryFn: ({ signal }) => load(id, signal) })
