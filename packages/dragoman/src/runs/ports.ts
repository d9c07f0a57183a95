import type {
  Agent,
  AgentEngine,
  ContextRules,
  InputGuardrail,
  OutputGuardrail,
  ToolModel,
  ToolResolver,
} from '../agents/index.ts'
import type { NewRun, Run, Usage } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { History, Projector, Threads } from '../threads/index.ts'
import type { RunSecrets } from './run-secrets.ts'

/** All that a run of this agent needs. */
export type ResolvedAgent = {
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
  readonly secrets: RunSecrets
  /** What one run may use: see `Limits` of the configuration. */
  readonly limits: { readonly runSeconds: number; readonly toolInputBytes: number }
  /** For which a question waits whose tool has no time of its own, in seconds. */
  readonly answerWithin: number
  /** Told of each run as this process begins to drive it, and after which entry. */
  readonly driving?: (run: Run, after: number) => void
  /** Told of a run that can write no more: its readers here must not take the silence for an end. */
  readonly letGo: (runId: string) => void
}

export type RunsOptions = RunnerPorts & {
  readonly threads: Threads
  readonly history: History
  readonly projector: Projector
  /** By agent id. */
  readonly agents: ReadonlyMap<string, ResolvedAgent>
  /** Asked before anything of a new run is written. Rejects where the user may not start one now. */
  readonly mayStart?: (starting: Starting) => Promise<void>
  /** Told of a run that was let start, and of which nothing came: its request was refused after all, or was known, or joined another. */
  readonly notStarted?: (runId: string) => Promise<void>
}

/** A run that is about to be, and whose. `isAnswered`: the server answers it itself. `ownKey`: its caller's own key pays for it. */
export type Starting = Pick<NewRun, 'userId' | 'agent'> & {
  readonly runId: string
  readonly isAnswered?: boolean
  readonly ownKey?: boolean
}
