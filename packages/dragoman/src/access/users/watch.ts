import { setTimeout as pause } from 'node:timers/promises'

import type { Tokens } from './tokens.ts'

const PASS_MS = 1000

export type WatchOptions = {
  readonly tokens: Tokens
  /** Ids of the tokens by which somebody reads now. */
  readonly readBy: () => readonly string[]
  /** Told of one that was revoked meanwhile. */
  readonly dismiss: (tokenId: string) => void
  readonly report: (error: unknown) => void
}

/** Each second until `signal` aborts: ends what is read by tokens that were revoked, and notes the use of the others. */
export async function watchTokens(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const { tokens, readBy, dismiss, report } = options
  const pass = async (): Promise<void> => {
    for (const id of await tokens.revoked(readBy())) dismiss(id)
    await tokens.noteUse()
  }
  while (!signal.aborted) {
    await pass().catch(report)
    // It rejects when `signal` aborts, which the loop sees.
    await pause(PASS_MS, undefined, { signal }).catch(() => undefined)
  }
  await tokens.noteUse().catch(report)
}
