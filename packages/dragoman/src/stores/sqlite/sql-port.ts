import type { StoredState } from '../rows/index.ts'
import type { SQLInputValue } from 'node:sqlite'

/** One connection: each text is prepared once and kept. `now` is the store's clock, in ms since 1970. */
export interface Sql {
  readonly states: StateCache
  all<Row>(text: string, ...values: SQLInputValue[]): Row[]
  /** The rows up to and with the first that `isLast` accepts. */
  until<Row>(isLast: (row: Row) => boolean, text: string, ...values: SQLInputValue[]): Row[]
  one<Row>(text: string, ...values: SQLInputValue[]): Row | undefined
  change(
    text: string,
    ...values: SQLInputValue[]
  ): { changes: number | bigint; lastInsertRowid: number | bigint }
  exec(text: string): void
  inTransaction(): boolean
  now(): number
  close(): void
}

/**
 * The states of the runs that this connection writes, and the number of the newest change, so that an append
 * need not ask for them. Believed until another connection has committed.
 */
export interface StateCache {
  /** Looks whether another connection has committed, and forgets what may be old. True where it wrote a log. */
  refresh(): boolean
  get(runId: string): StoredState | undefined
  keep(state: StoredState): void
  forget(runId: string): void
  forgetAll(): void
  /** The number of the next change. */
  nextChange(): number
  /** The number of the tail's last row, of which nothing is remembered but in a transaction. 0 if it is empty. */
  tailEnd(): number
  setTailEnd(id: number): void
  /** Writes down the newest number, inside the transaction that made it. */
  settle(): void
  /** After a transaction that was taken back: nothing is believed. */
  distrust(): void
}
