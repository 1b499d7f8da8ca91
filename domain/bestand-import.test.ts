import { expect, test } from 'vitest'
import { addressKey } from './bestand.ts'
import { createFeChecker } from './bestand-import.ts'

test('a species with a share and an area of 0 has no area: the column is not used', () => {
  const address = { l: [null, null, '17', null, null], s: null }
  const { runCheck } = createFeChecker(
    {
      name: 'Baumarten',
      tabelle: 'baumarten',
      felder: { sLVL03: 'Abt', baumart: 'BA', anteil: 'Anteil', flaeche_ha: 'ha' },
    },
    { convert: null, ebenen: ['', '', 'Abteilung', '', ''], addresses: new Set([addressKey(address)]) },
    (fault) => {
      throw new Error(JSON.stringify(fault))
    },
  )
  const areaOf = (share: string, ha: string) =>
    runCheck({ nr: 1, geometrie: null, werte: { Abt: '17', BA: 'FI', Anteil: share, ha } })?.werte[
      'flaeche_ha'
    ]
  expect([areaOf('70', '0'), areaOf('70', '0,5'), areaOf('', '0'), areaOf('0', '0')]).toEqual([
    undefined,
    0.5,
    0,
    0,
  ])
})
