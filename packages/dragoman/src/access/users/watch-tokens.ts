import { setTimeout as pause } from 'node:timers/promises'

import type { Tokens } from './tokens.ts'

const PASS_INTERVAL_MS = 1000

export type WatchTokensOptions = {
  readonly tokens: Tokens
  /** Ids of the tokens of open readers. */
  readonly readerTokenIds: () => readonly string[]
  /** Called for a revoked token. */
  readonly disconnect: (tokenId: string) => void
  readonly report: (error: unknown) => void
}

/** Each second until `signal` aborts, disconnects readers of revoked tokens and records the use of the others. */
export async function watchTokens(options: WatchTokensOptions, signal: AbortSignal): Promise<void> {
  const { tokens, readerTokenIds, disconnect, report } = options
  const pass = async (): Promise<void> => {
    for (const id of await tokens.findRevoked(readerTokenIds())) disconnect(id)
    await tokens.recordUse()
  }
  while (!signal.aborted) {
    await pass().catch(report)
    // It rejects when `signal` aborts; the loop checks that.
    await pause(PASS_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  await tokens.recordUse().catch(report)
}
