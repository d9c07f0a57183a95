import type { Json, UserPart } from '../events/index.ts'

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
  /** How many characters of its first message name a conversation, where that is not as usual. */
  readonly titleLength?: number
  /** What it is told once its steps are used up and it still calls tools: it is asked once more, and may call none. Without it the run ends there. */
  readonly lastWord?: string
  /** How many of a conversation's last messages it is given, and the first one, which says what it is about; without it, all that fits. */
  readonly window?: (context: Json) => number
  /** How the client's surroundings are told to the model: lines that go before the user's words. @throws ServiceError `invalid-request` */
  readonly contextLines: (context: Json) => readonly string[]
}

/** What a briefing may rest on: whose the run is and in which conversation, what the user said, the client's surroundings, the names of the run's tools and which of them the client runs, and what client and agent share. */
export type Briefed = {
  readonly userId: string
  /** Our id of it: `conv_…`. */
  readonly conversation: string
  readonly said: readonly UserPart[]
  readonly context: Json
  readonly tools: readonly string[]
  readonly ofPage: readonly string[]
  readonly state?: Json
}
