/** How often something was used within a window of time. */
export type UseCount = { readonly count: number; readonly endsInMs: number }

/** A process that serves, as the others see it. */
export type ClusterNode = {
  /** The process: host, process id and a random part. */
  readonly name: string
  /** Where its files are. */
  readonly place: string | null
  /** The time of its last report, in ms since 1970. */
  readonly reportedAt: number
  /** Whether the others count it as alive. */
  readonly isAlive: boolean
  /** The runs that it has claimed and that have not ended. */
  readonly runs: number
}

/** How this node reaches the others, as it is now. */
export type NodeHealth = {
  /** Open connections to the database, and requests that wait for one. */
  readonly connections: number
  readonly waiting: number
  /** How long the latest notice took through the database, in ms. */
  readonly noticeLagMs?: number | undefined
}

/** What a node does with its numbers. */
export type SharedWork = (mine: readonly number[], signal: AbortSignal) => Promise<void>

/**
 * What the nodes of one server share besides the log and the rows. A server with one node has it in memory.
 *
 * @example
 * const clean = (cluster: Cluster, signal: AbortSignal): Promise<void> =>
 *   cluster.lead('clean', async (leading) => removeOldRolls(leading), signal)
 */
export interface Cluster {
  /**
   * Does `work` on one node at a time, until `signal` aborts. The signal of `work` aborts as soon as this node may no
   * longer lead; then another node begins.
   */
  lead(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /**
   * Divides the numbers from 0 to `parts` (at most 200) among the nodes that ask for it: each is one node's at a time,
   * and each node has about as many. Does `work` with those of this node, until `signal` aborts. The signal of `work`
   * aborts when they change; then it is called again.
   */
  share(name: string, parts: number, work: SharedWork, signal: AbortSignal): Promise<void>
  /**
   * Counts uses of `key`, on all nodes, one by default. The first use begins the window; after its end the count begins
   * again.
   */
  count(key: string, windowMs: number, uses?: number): Promise<UseCount>
  /** All nodes that have reported lately. */
  nodes(): Promise<readonly ClusterNode[]>
  /** Calls `listen` with the reason when the connection to the database is lost. One node has none to lose. */
  onLost(listen: (reason: string) => void): void
  /** Undefined if the server is the only node. */
  health(): NodeHealth | undefined
}
