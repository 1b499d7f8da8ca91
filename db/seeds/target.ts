/** What sample data are written through: whoever owns the database, on either engine. */
export interface SampleTarget {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Row[] }>
  /** Several statements in one text, without values and without an answer. */
  script(sqlText: string): Promise<void>
}
