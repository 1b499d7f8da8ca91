// What the line editor announces: deleted lines with how to get them back, and what others tell it.
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../ui/text.ts'
import type { Grid } from './grid.ts'
import { countGone } from './saved-lines.ts'

export function useNews(grid: Grid): readonly [news: string, tell: (news: string) => void] {
  const [news, setNews] = useState('')
  const before = useRef(grid)
  useEffect(() => {
    const gone = countGone(before.current.zeilen, grid.zeilen)
    // An undo is not announced.
    const isStepBack = grid.future.length > before.current.future.length
    before.current = grid
    if (gone > 0 && grid.past.length > 0 && !isStepBack)
      setNews(
        gone === 1
          ? t('1 Zeile gelöscht. Strg+Z holt sie zurück.')
          : t('{n} Zeilen gelöscht. Strg+Z holt sie zurück.', { n: gone }),
      )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only changed lines matter
  }, [grid.zeilen])
  return [news, setNews]
}
