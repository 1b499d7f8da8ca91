// The text of a rule named by the server when it refuses something.
import { useEffect, useState } from 'react'
import { ruleText } from '../../data/rule-text.ts'
import { t } from '../../ui/text.ts'

export function useRuleText(rule: string | null): string {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    void ruleText(rule ?? undefined).then((found) => !gone && setText(found === undefined ? null : t(found)))
    return () => {
      gone = true
    }
  }, [rule])
  return text ?? t('Der Server hat das nicht angenommen.')
}
