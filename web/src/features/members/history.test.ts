import { expect, test } from 'vitest'
import { linesOf } from '../../record/history-lines.ts'
import { joinedKundeText, joinedText, LINK_WORDS, linksIn, PERSON_WORDS } from './history.ts'

test('links are found in the history by their key', () =>
  expect(
    linksIn([
      { tabelle: 'kunde', schluessel: '5' },
      { tabelle: 'benutzer_kunde', schluessel: '5/17' },
    ]),
  ).toEqual([{ client_id: 5, user_id: 17 }]))

test('a changed link tells role and Kataster in words and keeps its numbers to itself', () =>
  expect(
    linesOf(
      {
        aktion: 'neu',
        alt: null,
        neu: { client_id: 5, user_id: 17, rolle: 'admin', kataster_enabled: true },
      },
      LINK_WORDS,
    ),
  ).toEqual([
    { label: 'Rolle', before: '', after: 'Administrator' },
    { label: 'Kataster', before: '', after: 'ja' },
  ]))

test('a changed person tells flags and base role in words', () =>
  expect(
    linesOf(
      {
        aktion: 'geaendert',
        alt: { apus_team: false, system_status: 'appuser' },
        neu: { apus_team: true, system_status: 'apus_team' },
      },
      PERSON_WORDS,
    ),
  ).toEqual([
    { label: 'Grundrolle', before: 'Kartennutzung', after: 'Team Vermessung' },
    { label: 'Team Vermessung', before: 'nein', after: 'ja' },
  ]))

test('who joined and left is said from both sides', () => {
  expect([joinedText('neu', 'A'), joinedText('geaendert', 'A'), joinedText('geloescht', 'A')]).toEqual([
    'A hinzugefügt',
    'A geändert',
    'A entfernt',
  ])
  expect([joinedKundeText('neu', 'K'), joinedKundeText('geloescht', 'K')]).toEqual([
    'Zu K hinzugefügt',
    'Aus K entfernt',
  ])
})
