import { sqlState } from './connection-errors.ts'

/** Names of statements by their texts. A connection parses and plans a statement with a name once. */
export interface StatementNames {
  /** Undefined once there are many texts: later ones are parsed each time. */
  of(text: string): string | undefined
  /** Gives every text another name from now on. */
  renew(): void
}

export function createStatementNames(prefix: string, max: number): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  return {
    of(text) {
      const name = names.get(text)
      if (name !== undefined || names.size >= max) return name
      names.set(text, `${prefix}-${generation}-${names.size}`)
      return names.get(text)
    },
    renew() {
      generation += 1
      names.clear()
    },
  }
}

/**
 * Whether a statement failed because a node of a newer version has changed the columns of its result. With a new name
 * it is planned again. https://www.postgresql.org/docs/current/sql-prepare.html
 */
export function isStalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.startsWith('cached plan must not change')
}
