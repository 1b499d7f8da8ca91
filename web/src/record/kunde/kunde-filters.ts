// Filters shared by all lists of customers.
import { BUNDESLAENDER } from '#domain/bundeslaender.ts'
import { EPSG_CODES, epsgName } from '#domain/epsg.ts'
import { t } from '../../ui/text.ts'
import { fieldLabel } from './kunde-fields.ts'

export const KUNDE_FILTERS = [
  {
    kind: 'many',
    key: 'land',
    label: () => fieldLabel('bundesland'),
    column: 'bundesland',
    none: 'ohne',
    options: () => [
      ...BUNDESLAENDER.map((land) => ({ value: land, label: land })),
      { value: 'ohne', label: t('ohne Angabe') },
    ],
  },
  {
    kind: 'many',
    key: 'epsg',
    label: () => fieldLabel('epsg'),
    options: () => EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) })),
  },
  {
    kind: 'flag',
    key: 'kataster',
    label: () => fieldLabel('kataster_status'),
    column: 'kataster_status',
    words: ['an', 'aus'],
    texts: (): [string, string] => [t('freigeschaltet'), t('nicht freigeschaltet')],
  },
] as const
