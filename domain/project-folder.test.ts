import fc from 'fast-check'
import { expect, test } from 'vitest'
import cases from './project-folder.cases.json' with { type: 'json' }
import { folderFault, proposeFolder } from './project-folder.ts'

test.each(cases)('$why', ({ ordner, right }) => expect(folderFault(ordner) === null).toBe(right))

test.each([
  ['../x', 'path'],
  ['CON', 'device'],
  ['ende.', 'end'],
  ['.git', 'start'],
  ['a*', 'signs'],
  ['a'.repeat(101), 'long'],
  ['', null],
])('what is wrong with %j is said by its reason', (text, fault) => expect(folderFault(text)).toBe(fault))

test.each([
  ['Gut Eichberg', 'Gut_Eichberg'],
  ['Forst & Höfe Größe GmbH & Co. KG', 'Forst_Hoefe_Groesse_GmbH_Co_KG'],
  ['Château Forêt', 'Chateau_Foret'],
  ['../../etc', 'etc'],
  ['Con', '_Con'],
  ['森林', 'Kunde_7'],
  ['x'.repeat(200), 'x'.repeat(60)],
])('%s becomes %s', (name, folder) => expect(proposeFolder(name, 7)).toBe(folder))

test('whatever a customer is called, the proposal is a folder', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 250 }),
      (name) => folderFault(proposeFolder(name, 1)) === null,
    ),
  ))
