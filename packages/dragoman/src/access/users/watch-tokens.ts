import { setTimeout as pause } from 'node:timers/promises'

import type { Tokens } from './tokens.ts'

const PASS_INTERVAL_MS = 1000

export type WatchTokensOptions = {
  readonly tokens: Tokens
  /** Ids of the tokens by which somebody reads now. */
  readonly readerTokenIds: () => readonly string[]
  /** Told of one that was revoked meanwhile. */
  readonly disconnect: (tokenId: string) => void
  readonly report: (error: unknown) => void
}

/** Each second until `signal` aborts: ends what is read by tokens that were revoked, and notes the use of the others. */
export async function watchTokens(options: WatchTokensOptions, signal: AbortSignal): Promise<void> {
  const { tokens, readerTokenIds, disconnect, report } = options
  const pass = async (): Promise<void> => {
    for (const id of await tokens.findRevoked(readerTokenIds())) disconnect(id)
    await tokens.recordUse()
  }
  while (!signal.aborted) {
    await pass().catch(report)
    // It rejects when `signal` aborts, which the loop sees.
    await pause(PASS_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  await tokens.recordUse().catch(report)
}
