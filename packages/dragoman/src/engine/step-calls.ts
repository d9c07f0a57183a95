import type { AnswerBuilder } from './answer-builder.ts'
import { applyOutcome } from './apply-outcome.ts'
import type { CallHooks, EngineCall, EngineHost, ToolOutcome } from '../agents/index.ts'

/** The calls of one step, at work in the host. */
export interface StepCalls {
  /** In the order of their making. */
  readonly all: readonly EngineCall[]
  /** Has the host run a call. Errors of the host reject the methods that wait. */
  run(call: EngineCall): void
  /** The outcome of a call; undefined once the run is aborted. @throws what the host threw */
  outcome(callId: string): Promise<ToolOutcome | undefined>
  /** Waits until every call has its outcome, or the run is aborted. @throws what the host threw at one of them */
  waitForOutcomes(): Promise<void>
}

type StepCallsOptions = {
  readonly host: EngineHost
  readonly answer: AnswerBuilder
  /** Resolves when the run is aborted: a host that waits for a person never answers then. */
  readonly abortion: Promise<undefined>
  readonly hooks: CallHooks | undefined
}

export function createStepCalls({ host, answer, abortion, hooks }: StepCallsOptions): StepCalls {
  const all: EngineCall[] = []
  const outcomes = new Map<string, Promise<ToolOutcome>>()
  const outcomeOf = async (call: EngineCall): Promise<ToolOutcome> => {
    const outcome = await host.call(call, hooks)
    applyOutcome(answer, call.callId, outcome)
    return outcome
  }
  return {
    all,
    run(call) {
      const outcome = outcomeOf(call)
      // It may fail long before anybody waits for it.
      outcome.catch(() => undefined)
      all.push(call)
      outcomes.set(call.callId, outcome)
    },
    outcome: (callId) => Promise.race([outcomes.get(callId), abortion]),
    async waitForOutcomes() {
      const results = await Promise.race([Promise.allSettled(outcomes.values()), abortion])
      const rejection = results?.find((result) => result.status === 'rejected')
      if (rejection) throw rejection.reason
    },
  }
}
