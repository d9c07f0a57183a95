import type { Json } from '../events/index.ts'

/** Words and model of an agent, as data. What it may do stands in its tools. */
export type Agent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The system prompt. */
  readonly instructions: string
  /** What of the system prompt depends on the client's surroundings, and on the names of the tools of the run: it stands behind `instructions`. */
  readonly briefing?: (context: Json, tools: readonly string[]) => string
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
