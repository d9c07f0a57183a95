import type { AgentEngine, EngineHost, EngineJob } from '../agents/index.ts'
import { raceAbort } from '../async/index.ts'
import type { RunnerPorts } from './claimed.ts'

/** An engine that does not return is let go of so many ms after its signal: tools have 150 of them. */
const GRACE_MS = 200

export type Outcome = { readonly kind: 'returned' } | { readonly kind: 'threw'; readonly error: unknown }

/**
 * Runs the engine until it returns or throws, or its grace after the signal is over. A job that cannot be made counts
 * as thrown.
 */
export async function driven(
  engine: AgentEngine,
  job: () => Promise<EngineJob>,
  host: EngineHost,
  report: RunnerPorts['report'],
): Promise<Outcome> {
  let left = false
  const drive = async (): Promise<void> => engine.run(await job(), host)
  const work = drive().then(
    (): Outcome => ({ kind: 'returned' }),
    (error: unknown): Outcome => {
      if (left) report(error, 'after its end')
      return { kind: 'threw', error }
    },
  )
  try {
    return await raceAbort(work, host.signal, (): Outcome => ({ kind: 'returned' }), GRACE_MS)
  } finally {
    left = true
  }
}
