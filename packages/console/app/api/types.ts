import type { AssistantMessage, AssistantPart, Json } from '@dragoman/client'

export type { AssistantMessage, AssistantPart, Json }

type AskedCall = Required<Extract<AssistantPart, { type: 'tool' }>>
/** What a call would do, as its tool says when it asks. */
export type Preview = NonNullable<AskedCall['question']['preview']>

export type Sentence = { readonly en: string; readonly zh: string }

export type Agent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Name and description in other languages. */
  readonly translations: {
    readonly [language: string]: { readonly name?: string; readonly description?: string }
  }
  readonly ready: boolean
  readonly notes: readonly string[]
  readonly model: { readonly name: string; readonly reason: string; readonly demo: boolean }
  readonly prompts: readonly Sentence[]
  readonly views: readonly View[]
}

/** Whose requests the server takes those of this browser for. */
export type Caller =
  | { readonly valid: true; readonly user: string; readonly name: string | null; readonly guest?: true }
  | { readonly valid: false; readonly guests?: true }

/** A browser module of an agent. */
export type View = {
  readonly kind: 'card' | 'welcome' | 'page' | 'panel'
  readonly module: string
  readonly tools?: readonly string[]
  readonly isLive?: true
  readonly title?: { readonly en: string; readonly [language: string]: string }
}

export type Model = { readonly name: string; readonly provider: string }

export type RunStatus = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'

export type Run = {
  readonly id: string
  readonly threadId: string
  readonly agent: string
  /** The message that the run writes. */
  readonly messageId: string
  readonly status: RunStatus
  readonly lastSeq: number
  readonly createdAt: string
  readonly pruned: boolean
}

export type Thread = {
  readonly id: string
  readonly agent: string
  readonly title: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly archived: boolean
  /** The last message of the chosen path. */
  readonly chosen: string | null
  readonly model: string | null
}

export type OpenThread = Thread & { readonly live: Run | null }

export type TextPart = { readonly type: 'text'; readonly text: string }
export type FilePart = {
  readonly type: 'file'
  readonly url: string
  readonly mediaType: string
  readonly filename?: string
}
export type UserPart = TextPart | FilePart

/** Messages that follow the same message are siblings. `place` counts from 1. */
type Siblings = { readonly siblings: readonly string[]; readonly place: number }

export type UserMessage = {
  readonly role: 'user'
  readonly id: string
  readonly parts: readonly UserPart[]
}
export type Message = (UserMessage | AssistantMessage) & Partial<Siblings>

export type MessagePage = { readonly messages: readonly Message[]; readonly before?: string }

export type Question = {
  readonly callId: string
  readonly runId: string
  readonly threadId: string | null
  readonly agent: string
  readonly tool: string
  readonly input: Json
  readonly kind: 'approval' | 'form' | 'output'
  readonly message?: string
  readonly schema?: Json
  readonly preview?: Preview
  readonly askedAt: string
  readonly expiresAt: string | null
}

export type Answer =
  | {
      readonly kind: 'approval'
      readonly approved: boolean
      readonly input?: Json
      readonly reason?: string
    }
  | { readonly kind: 'output' | 'form'; readonly output: Json }
  | { readonly kind: 'error'; readonly message: string }

export type FoundMessage = {
  readonly thread: Thread
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  readonly at: string
  readonly snippet: {
    readonly text: string
    readonly marks: readonly (readonly [from: number, to: number])[]
  }
}

export type SearchResult = {
  readonly threads: readonly Thread[]
  readonly messages: readonly FoundMessage[]
}
