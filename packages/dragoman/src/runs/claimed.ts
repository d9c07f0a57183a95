import type {
  Agent,
  ContextRules,
  InputGuardrail,
  OutputGuardrail,
  ToolModel,
  ToolResolver,
  AgentEngine,
} from '../agents/index.ts'
import type { Message, Run, Usage } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { Keyring } from './keyring.ts'
import type { Past } from './past.ts'

/** All that a run of this agent needs. */
export type Staff = {
  readonly agent: Agent
  readonly engine: AgentEngine
  /** The model is paid for by the caller's own key. */
  readonly ownKey?: true
  /** The agent's model for its tools; `count` is told what each question used. */
  readonly model: (count: (usage: Usage) => void) => ToolModel
  readonly context?: ContextRules
  readonly toolsFor?: ToolResolver
  readonly outputGuardrail?: OutputGuardrail
  readonly inputGuardrail?: InputGuardrail
  /** Model calls in one run of a guest, at most. */
  readonly guestSteps?: number
}

export type RunnerPorts = {
  readonly store: Store
  readonly log: RunLog
  /** Told of what nobody foresaw; the log and the readers get a fixed sentence. */
  readonly report: (error: unknown, runId: string) => void
  /** Told of a run that another process has taken over, as may happen to one that was frozen. */
  readonly taken: (runId: string) => void
  readonly keyring: Keyring
  /** What one run may use: see `Limits` of the configuration. */
  readonly limits: { readonly runSeconds: number; readonly toolInputBytes: number }
  /** For which a question waits whose tool has no time of its own, in seconds. */
  readonly answerWithin: number
  /** Told of each run as this process begins to drive it, and after which entry. */
  readonly driving?: (run: Run, after: number) => void
  /** Told of a run that can write no more: its readers here must not take the silence for an end. */
  readonly letGo: (runId: string) => void
}

/** A run that is ours to drive under an epoch. `history` is the conversation, the user's words last. `past`: what an earlier attempt left. */
export type Claimed = {
  readonly run: Run
  readonly epoch: number
  readonly staff: Staff
  readonly history: readonly Message[]
  readonly past?: Past
}
