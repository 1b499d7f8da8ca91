// What the form of a key holds, and what of it can be sent. Pure.
import type { AskedByDevice, NewKeyRequest } from '#contract/zugang.ts'
import { type Half, type KeyGroup, halfOf, KEY_GROUPS, LONGEST_DAYS, LONGEST_NAME } from '#domain/zugang.ts'
import { type Checked, unlessFaulty } from '../../record/dialog-form.ts'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'

export interface KeyInput {
  readonly name: string
  readonly bis: string
  readonly may: 'read' | 'write'
  readonly haelfte: Half | ''
  readonly gruppen: readonly string[]
  readonly kunde: string
  /** Of the outside provider. */
  readonly client: string
  readonly passwort: string
  readonly code: string
}

export interface Asked {
  readonly art: 'person' | 'haus'
  /** Null: an external provider has the password. */
  readonly proof: { readonly zweiter_faktor: boolean } | null
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const plainCode = (typed: string): string => typed.toUpperCase().replaceAll(/[\s-]/g, '')

/** As the program shows it, if it is one. */
export function shownCode(typed: string): string {
  const code = plainCode(typed)
  return code.length === 8 ? `${code.slice(0, 4)}-${code.slice(4)}` : typed.slice(0, 20)
}

export function checkCode({ user_code }: { readonly user_code: string }): Checked<string> {
  const code = plainCode(user_code)
  const isCode = code.length === 8 && [...code].every((letter) => LETTERS.includes(letter))
  return isCode
    ? { values: code }
    : {
        faults: {
          user_code: t('Bitte geben Sie die acht Buchstaben ein, die das Programm anzeigt.'),
        },
      }
}

/** Within what the program asks for. */
export function checkConnection(
  input: KeyInput,
  who: Asked,
  { schreiben, gruppen }: Pick<AskedByDevice, 'schreiben' | 'gruppen'>,
): Checked<NewKeyRequest> {
  const chosen = groupsFor(input.haelfte).filter(
    (group) => input.gruppen.includes(group) && (gruppen?.includes(group) ?? true),
  )
  const checked = checkKey({ ...input, may: schreiben ? input.may : 'read', gruppen: chosen }, who)
  if (gruppen === null || chosen.length > 0) return checked
  return {
    faults: {
      ...('faults' in checked && checked.faults),
      gruppen: t('Bitte wählen Sie mindestens einen Bereich, oder lehnen Sie ab.'),
    },
  }
}

/** Those that make sense in the half. */
export const groupsFor = (half: Half | ''): KeyGroup[] =>
  KEY_GROUPS.filter((group) => half === '' || halfOf(group) === null || halfOf(group) === half)

export function checkKey(input: KeyInput, { art, proof }: Asked): Checked<NewKeyRequest> {
  const name = input.name.trim()
  const client = proof === null ? input.client.trim() : ''
  const bis = parseDay(input.bis.trim())
  const groups = groupsFor(input.haelfte).filter((group) => input.gruppen.includes(group))
  return unlessFaulty(
    {
      art,
      name,
      bis: bis ?? '',
      nur_lesen: input.may === 'read',
      haelfte: input.haelfte === '' ? null : input.haelfte,
      gruppen: groups.length === 0 ? null : groups,
      client_id: input.kunde === '' ? null : Number(input.kunde),
      ...(client !== '' && { client }),
      passwort: input.passwort,
      code: input.code.trim(),
    },
    {
      name:
        name === ''
          ? t('Bitte nennen Sie das Programm, zum Beispiel „QGIS Büro“.')
          : name.length > LONGEST_NAME
            ? t('Bitte höchstens {n} Zeichen.', { n: LONGEST_NAME })
            : undefined,
      bis:
        bis === null
          ? t('Bitte geben Sie den letzten Tag an.')
          : bis < today() || bis > dayAhead(LONGEST_DAYS)
            ? t('Bitte wählen Sie einen Tag von heute bis heute in einem Jahr.')
            : undefined,
      client: /^[!-~]*$/.test(client) ? undefined : t('Eine Kennung hat weder Leerzeichen noch Umlaute.'),
      passwort: proof !== null && input.passwort === '' ? t('Bitte geben Sie Ihr Passwort ein.') : undefined,
      code:
        proof?.zweiter_faktor === true && !/^\d{6}$/.test(input.code.replaceAll(/\s/g, ''))
          ? t('Bitte geben Sie den sechsstelligen Code der Authenticator-App ein.')
          : undefined,
    },
  )
}
