// An offer as its customer reads and answers it: lines, choices, the resulting sum, and accept or decline.
// Used in the application and behind one-time links.
import { useState } from 'react'
import { choiceOf } from '#domain/angebot.ts'
import { BelegSums } from '../../record/beleg/BelegSums.tsx'
import { Card } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { AngebotAnswer, type AngebotProps, Decided } from './AngebotAnswer.tsx'
import { AngebotLines } from './AngebotLines.tsx'
import { choose, chosenAtFirst, sumsOf } from './angebot-choice.ts'
import { totalText } from './document-words.ts'
import './documents.css'

export function AngebotReader({ angebot, wer, decide }: AngebotProps) {
  const [chosen, setChosen] = useState(() => chosenAtFirst(angebot))
  const open = angebot.stand === 'versendet'
  const sums = sumsOf(angebot, chosen)
  const take = (among: readonly string[], taken: string | null) => setChosen(choose(chosen, among, taken))
  return (
    <>
      <Card
        title={
          open && choiceOf(angebot.positionen).length > 0
            ? t('Leistungen: bitte wählen Sie')
            : t('Leistungen')
        }
      >
        <div className="stack dok-sums">
          <AngebotLines positionen={angebot.positionen} chosen={chosen} {...(open && { choose: take })} />
          <BelegSums summen={sums} rabatt_prozent={angebot.rabatt_prozent} />
          <p className="visually-hidden" aria-live="polite">
            {t('Summe: {summe}', { summe: totalText(sums) })}
          </p>
        </div>
      </Card>
      {open ? (
        <AngebotAnswer angebot={angebot} wer={wer} chosen={chosen} summen={sums} decide={decide} />
      ) : (
        <Decided angebot={angebot} />
      )}
    </>
  )
}
