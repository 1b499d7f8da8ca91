// The lines of an offer; optional ones can be chosen as long as it is open.
import { type ReactNode, useId } from 'react'
import { type Choice, choiceOf } from '#domain/angebot.ts'
import type { BelegPosition } from '#domain/beleg.ts'
import { decimal, formatEuro, formatGerman, sign } from '#domain/geld.ts'
import { discountText } from '../../record/beleg/discount-words.ts'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import type { Chosen } from './angebot-choice.ts'

type Choose = (among: readonly string[], taken: string | null) => void
const amountOf = ({ art, betrag }: BelegPosition) => (art === 'ueberschrift' ? '' : formatEuro(betrag))

export function AngebotLines({
  positionen,
  chosen,
  choose,
}: {
  positionen: readonly BelegPosition[]
  chosen: Chosen
  choose?: Choose
}) {
  const choices = choiceOf(positionen)
  const choiceAt = (at: number) => choices.find(({ basis, options }) => basis === at || options.includes(at))
  return (
    <ol className="dok-lines">
      {positionen.map((position, at) => {
        const choice = choiceAt(at)
        // A choice is rendered as a whole at its first line.
        if (choice && at !== (choice.basis ?? choice.options[0])) return null
        if (choice)
          return (
            <ChoiceLines
              key={position.id}
              {...linesOf(choice, positionen)}
              chosen={chosen}
              {...(choose && { choose })}
            />
          )
        return (
          <li
            key={position.id}
            className={position.art === 'ueberschrift' ? 'dok-line dok-line-heading' : 'dok-line'}
          >
            <TableRow position={position} />
          </li>
        )
      })}
    </ol>
  )
}

function TableRow({
  position,
  mark,
  off = false,
}: {
  position: BelegPosition
  mark?: ReactNode
  off?: boolean
}) {
  const { nr, bez, art, anzahl, einheit, ep, rabatt_prozent, erl, erl_on, erl_titel } = position
  const isHeading = art === 'ueberschrift'
  const explanation = erl_on ? [erl_titel, erl].filter((text) => text !== '').join('\n') : ''
  return (
    <>
      <span className="dok-line-text">
        <span className="dok-line-name">
          <span className="nums">{nr}</span> {bez} {mark}
        </span>
        {!isHeading && (
          <span className="soft nums">
            {`${formatGerman(decimal(anzahl))} ${einheit} × ${formatEuro(ep)}`.replace('  ', ' ')}
            {sign(decimal(rabatt_prozent)) !== 0 && ` ${discountText(rabatt_prozent)}`}
          </span>
        )}
        {explanation !== '' && <span className="soft beleg-pre">{explanation}</span>}
      </span>
      <span className={off ? 'dok-line-sum soft nums' : 'dok-line-sum nums'}>
        {off ? t('({betrag})', { betrag: amountOf(position) }) : amountOf(position)}
      </span>
    </>
  )
}

interface ChoiceProps {
  /** The line that the others replace; null if they are extras. */
  plain: BelegPosition | null
  lines: readonly BelegPosition[]
  taken: BelegPosition | undefined
}
const linesOf = ({ basis, art, options }: Choice, positions: readonly BelegPosition[]) => ({
  plain: art === 'position' ? positions[basis!]! : null,
  lines: options.map((at) => positions[at]!),
})

/** One choice: a single extra line or not, or one of several. */
function ChoiceLines({
  plain,
  lines,
  chosen,
  choose,
}: Omit<ChoiceProps, 'taken'> & { chosen: Chosen; choose?: Choose }) {
  const taken = lines.find(({ id }) => chosen.has(id))
  if (!choose) return <ChosenLines plain={plain} lines={lines} taken={taken} />
  const take = (id: string | null) =>
    choose(
      lines.map((line) => line.id),
      id,
    )
  return (
    <li className="dok-line dok-line-choice">
      {plain === null && lines.length === 1 ? (
        <Extra line={lines[0]!} isTaken={taken !== undefined} onTake={take} />
      ) : (
        <Alternatives plain={plain} lines={lines} taken={taken} onTake={take} />
      )}
    </li>
  )
}

function ChosenLines({ plain, lines, taken }: ChoiceProps) {
  return (
    <>
      {[...(plain ? [plain] : []), ...lines].map((line) => {
        const isTaken = line === taken || (line === plain && taken === undefined)
        return (
          <li key={line.id} className="dok-line">
            <TableRow
              position={line}
              off={!isTaken}
              mark={
                <Badge tone={isTaken ? 'success' : 'neutral'}>
                  {isTaken ? t('gewählt') : t('nicht gewählt')}
                </Badge>
              }
            />
          </li>
        )
      })}
    </>
  )
}

function Extra({
  line,
  isTaken,
  onTake,
}: {
  line: BelegPosition
  isTaken: boolean
  onTake: (id: string | null) => void
}) {
  return (
    <label className="dok-option">
      <input
        type="checkbox"
        checked={isTaken}
        onChange={({ target }) => onTake(target.checked ? line.id : null)}
      />
      <TableRow position={line} off={!isTaken} mark={<Badge>{t('auf Wunsch')}</Badge>} />
    </label>
  )
}

function Alternatives({
  plain,
  lines,
  taken,
  onTake,
}: ChoiceProps & { onTake: (id: string | null) => void }) {
  const name = useId()
  const { nr } = plain ?? lines[0]!
  return (
    <fieldset className="dok-choice">
      <legend>
        {plain ? t('Position {nr}: welche Ausführung?', { nr }) : t('Position {nr}: auf Wunsch', { nr })}
      </legend>
      <label className="dok-option">
        <input type="radio" name={name} checked={taken === undefined} onChange={() => onTake(null)} />
        {plain ? (
          <TableRow position={plain} off={taken !== undefined} mark={<Badge>{t('wie angeboten')}</Badge>} />
        ) : (
          <span className="dok-line-text">{t('nichts davon')}</span>
        )}
      </label>
      {lines.map((line) => (
        <label key={line.id} className="dok-option">
          <input type="radio" name={name} checked={line === taken} onChange={() => onTake(line.id)} />
          <TableRow
            position={line}
            off={line !== taken}
            mark={<Badge>{plain ? t('stattdessen') : t('auf Wunsch')}</Badge>}
          />
        </label>
      ))}
    </fieldset>
  )
}
