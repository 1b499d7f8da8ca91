// The sentence of a rule that the database or a job names.

/** The texts load when the first rule is broken; if that fails, the general message is used. */
export const ruleText = async (rule: string | undefined): Promise<string | undefined> =>
  rule === undefined
    ? undefined
    : import('./rule-texts.ts').then(
        ({ BY_RULE }) => BY_RULE[rule],
        () => undefined,
      )
