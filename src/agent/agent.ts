import type { Json } from '../events/index.ts'

/** Words and model of an agent, as data. What it may do stands in its tools. */
export type Agent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The system prompt. */
  readonly instructions: string
  /** What of the system prompt is only known once a run is asked for: it stands behind `instructions`. */
  readonly briefing?: (asked: Briefed) => string | Promise<string>
  /** Which engine drives it, and with what settings. `model` is an alias or `provider:model`. */
  readonly engine: string
  readonly model: {
    readonly primary: string
    readonly fallback: string
    readonly temperature?: number
    readonly thinking?: 'none' | 'low' | 'medium' | 'high'
    readonly maxOutputTokens?: number
    /** Tries after the first, where another may help, and the pause before the first of them: each further one is twice as long. */
    readonly retries?: number
    readonly retryDelayMs?: number
  }
  /** Calls of the model in one run, at most. */
  readonly maxSteps: number
  /** How the client's surroundings are told to the model: lines that go before the user's words. @throws ServiceError `invalid-request` */
  readonly contextLines: (context: Json) => readonly string[]
}

/** What a briefing may rest on: the client's surroundings, the names of the run's tools and which of them the client runs, and what client and agent share. */
export type Briefed = {
  readonly context: Json
  readonly tools: readonly string[]
  readonly ofPage: readonly string[]
  readonly state?: Json
}
