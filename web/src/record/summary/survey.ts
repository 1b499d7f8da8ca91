// The survey of a customer, counted by kind.
import type { SummarySurvey } from '#contract/summary.ts'

export const surveyed = ({ draenage, ausmuendung, schacht, schlucker, einlauf }: SummarySurvey): number =>
  draenage + ausmuendung + schacht + schlucker + einlauf
