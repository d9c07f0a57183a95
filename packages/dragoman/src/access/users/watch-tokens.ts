import { pause } from '../../log/index.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'

const PASS_INTERVAL_MS = 1000
/** While nothing is open: a server that does nothing wakes once in seven seconds. */
const IDLE_INTERVAL_MS = 2000

export type WatchTokensOptions = {
  readonly tokens: Pick<Tokens, 'findRevoked' | 'recordUse'>
  readonly sessions: Pick<Sessions, 'findEnded' | 'recordUse'>
  /** Ids of the tokens and sessions with open answers, sockets or requests. */
  readonly credentialIds: () => readonly string[]
  /** Called for a revoked token, and for a session that has ended. */
  readonly disconnect: (credentialId: string) => void
  readonly report: (error: unknown) => void
}

/**
 * Each second until `signal` aborts, ends what revoked tokens and ended sessions hold, and records the use of the
 * others. What is opened when nothing else is open is first looked at after two seconds.
 */
export async function watchTokens(options: WatchTokensOptions, signal: AbortSignal): Promise<void> {
  const { tokens, sessions, credentialIds, disconnect, report } = options
  const recordUse = async (): Promise<void> => {
    await tokens.recordUse()
    await sessions.recordUse()
  }
  const pass = async (): Promise<void> => {
    const ids = credentialIds()
    for (const id of [...(await tokens.findRevoked(ids)), ...(await sessions.findEnded(ids))]) disconnect(id)
    await recordUse()
  }
  while (!signal.aborted) {
    await pass().catch(report)
    await pause(credentialIds().length > 0 ? PASS_INTERVAL_MS : IDLE_INTERVAL_MS, signal)
  }
  await recordUse().catch(report)
}
