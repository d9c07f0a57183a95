import type { Answer } from './answer.ts'
import type { CallHooks, EngineCall, EngineHost, ToolOutcome } from '../agents/index.ts'

/** The calls of one step, at work in the host. */
export interface StepCalls {
  /** In the order of their making. */
  readonly made: readonly EngineCall[]
  /** Has the host run one. What the host throws is heard by those who wait. */
  run(call: EngineCall): void
  /** What the model reads of a call; nothing once the run is aborted. @throws what the host threw */
  outcome(callId: string): Promise<ToolOutcome | undefined>
  /** Every call has its outcome, or the run is aborted. @throws what the host threw at one of them */
  settled(): Promise<void>
}

type StepCallsOptions = {
  readonly host: EngineHost
  readonly answer: Answer
  /** Resolves when the run is aborted: a host that asks a person never answers then. */
  readonly stopped: Promise<undefined>
  readonly hooks: CallHooks | undefined
}

export function stepCalls({ host, answer, stopped, hooks }: StepCallsOptions): StepCalls {
  const made: EngineCall[] = []
  const outcomes = new Map<string, Promise<ToolOutcome>>()
  const outcomeOf = async (call: EngineCall): Promise<ToolOutcome> => {
    const outcome = await host.call(call, hooks)
    const { ok, output, text } = outcome
    const { callId } = call
    const failure = { code: 'tool-failed', message: text, retryable: false }
    answer.note(
      ok ? { type: 'tool.returned', callId, output, text } : { type: 'tool.failed', callId, failure },
    )
    return outcome
  }
  return {
    made,
    run(call) {
      const outcome = outcomeOf(call)
      // It may fail long before anybody waits for it.
      outcome.catch(() => undefined)
      made.push(call)
      outcomes.set(call.callId, outcome)
    },
    outcome: (callId) => Promise.race([outcomes.get(callId), stopped]),
    async settled() {
      const results = await Promise.race([Promise.allSettled(outcomes.values()), stopped])
      const thrown = results?.find((result) => result.status === 'rejected')
      if (thrown) throw thrown.reason
    },
  }
}
