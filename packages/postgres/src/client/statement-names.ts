import { sqlState, unavailable } from './connection-errors.ts'

/** Names of statements by their texts. A connection parses and plans a statement with a name once. */
export interface StatementNames {
  /**
   * Runs a statement by its name. There is none once there are many texts: later ones are parsed each time. If a node
   * of a newer version has changed the columns of its result meanwhile, it is planned and run again.
   * @throws ServiceError `unavailable` in a transaction, which has failed then and succeeds when it is repeated
   */
  run<T>(
    text: string,
    query: (name: string | undefined) => Promise<T>,
    options?: { readonly isInTransaction: boolean },
  ): Promise<T>
}

export function createStatementNames(prefix: string, max: number): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  const nameOf = (text: string): string | undefined => {
    const name = names.get(text)
    if (name !== undefined || names.size >= max) return name
    names.set(text, `${prefix}-${generation}-${names.size}`)
    return names.get(text)
  }
  return {
    async run(text, query, { isInTransaction } = { isInTransaction: false }) {
      try {
        return await query(nameOf(text))
      } catch (error) {
        if (!isStalePlan(error)) throw error
        generation += 1
        names.clear()
        if (isInTransaction) throw unavailable(error)
        return query(nameOf(text))
      }
    },
  }
}

/** https://www.postgresql.org/docs/current/sql-prepare.html */
function isStalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.startsWith('cached plan must not change')
}
