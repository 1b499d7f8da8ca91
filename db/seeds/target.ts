/** The connection that sample data is written through: the owner of the database, on either engine. */
export interface SampleTarget {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Row[] }>
  /** Several statements in one text, without values and without a result. */
  script(sqlText: string): Promise<void>
}
