// What every statement of the data API returns, and what is answered with it.

/** The one row that every statement returns. */
export interface Outcome {
  readonly n?: number | string
  readonly body?: string | null
  readonly total?: number | string
  /** Rows that an upsert replaced. */
  readonly replaced?: number
  /** response.headers and response.status, as functions have set them. */
  readonly rh?: string | null
  readonly rs?: string | null
  readonly [key: `k${number}`]: string | null
}

/** Several values are several headers of that name. */
export type AnswerHeaders = Record<string, string | string[]>

export interface Answer {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string | null
  /** The body is bytes, written as hexadecimal digits. */
  readonly hex?: boolean
}
