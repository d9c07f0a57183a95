import type { Agent, Capability, ServerTool, ToolModel } from '../agent/index.ts'
import type { AgentEngine } from '../engines/index.ts'
import type { Message, Run, Usage } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { Keyring } from './keyring.ts'
import type { Past } from './recovery.ts'

/** All that a run of this agent needs. */
export type Staff = {
  readonly agent: Agent
  readonly tools: readonly ServerTool[]
  readonly engine: AgentEngine
  /** The agent's model for its tools; `count` is told what each question used. */
  readonly model: (count: (usage: Usage) => void) => ToolModel
  readonly settleContext?: Capability['settleContext']
  readonly toolsFor?: Capability['toolsFor']
  readonly review?: Capability['review']
}

export type RunnerPorts = {
  readonly store: Store
  readonly log: RunLog
  /** Told of what nobody foresaw; the log and the readers get a fixed sentence. */
  readonly report: (error: unknown, runId: string) => void
  /** Told of a run that another process has taken over, as may happen to one that was frozen. */
  readonly taken: (runId: string) => void
  readonly keyring: Keyring
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
  /** Whether the process that had it is gone without having let go of it. */
  readonly hasDied: boolean
}

/** Why a run's signal aborts. `waiting`: it is parked; `refused`: the store takes nothing more; `closing`: this process goes. */
export type Cause =
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'waiting' | 'closing' | 'refused' | 'crashed' }
