import { describe, expect, test } from 'vitest'
import { newTree, toTreeValues } from '../../record/habitat/habitat-form.ts'
import type { TreeView } from './capture.ts'
import { addressValuesOf, commonSpecies, commonStructures, hasContent, nextTree } from './suggestions.ts'

const treeView = (art: string, structures = ''): TreeView => ({
  kennung: art,
  idHQ: 1,
  id: 1,
  stand: null,
  werte: { ...toTreeValues({ ...newTree('Feld'), art, lat: '51', lon: '9' }), strukturen: structures },
})

describe('what is offered first', () => {
  test('what the holding has most, then what is common; each once', () => {
    const kinds = commonSpecies([
      treeView('ki'),
      treeView('ki'),
      treeView('es'),
      treeView('sonstige'),
      treeView('gibtesnicht'),
    ])
    expect(kinds.slice(0, 2)).toEqual(['ki', 'es'])
    expect(kinds).toHaveLength(6)
    expect(new Set(kinds).size).toBe(6)
    expect(kinds).not.toContain('sonstige')
    expect(commonStructures([treeView('bu', '3.1 7.1'), treeView('bu', '3.1x4')]).slice(0, 2)).toEqual([
      '3.1',
      '7.1',
    ])
  })
  test('the next tree has the marking and the recorder of the last one, and nothing of the tree itself', () => {
    const previous = {
      ...newTree('Anna'),
      art: 'bu',
      bhd_cm: '60',
      lat: '51',
      markierung_art: 'plakette',
      markierung_datum: '22.11.2026',
    }
    expect(nextTree(newTree('Feld'), previous)).toMatchObject({
      art: '',
      bhd_cm: '',
      lat: '',
      erfasser: 'Anna',
      markierung_art: 'plakette',
      markierung_datum: '22.11.2026',
    })
  })
  test('a place that measured itself is no work to be kept; a single letter is', () => {
    const leer = newTree('Feld')
    expect(
      hasContent(
        { ...leer, lat: '51', lon: '9', genauigkeit_m: '3', lage_methode: 'gnss', sLVL01: 'I', iSTAND: '3' },
        leer,
      ),
    ).toBe(false)
    expect(hasContent({ ...leer, nummer: '1' }, leer)).toBe(true)
  })
  test('the stand’s address', () =>
    expect(addressValuesOf({ l: ['I', null, '12', 'a', null], s: 3 })).toEqual({
      sLVL01: 'I',
      sLVL02: '',
      sLVL03: '12',
      sLVL04: 'a',
      sLVL05: '',
      iSTAND: '3',
    }))
})
