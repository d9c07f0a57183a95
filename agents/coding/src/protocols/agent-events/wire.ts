import type { Json, Usage } from 'dragoman/events'

/** What is said of a run, in the words of `/api/agent-chat`. */
export type AgentEvent =
  | { readonly type: 'agent_start' | 'thinking_start' | 'thinking_end' | 'turn_end' }
  | { readonly type: 'content' | 'thinking'; readonly content: string }
  | {
      readonly type: 'tool_use'
      readonly toolName: string
      readonly toolInput: Json
      readonly toolId: string
    }
  | {
      readonly type: 'tool_update'
      readonly toolId: string
      readonly toolName: string
      readonly content: string
    }
  | {
      readonly type: 'tool_result'
      readonly toolId: string
      readonly toolName: string
      readonly content: string
      readonly isError: boolean
    }
  | {
      readonly type: 'error'
      /** The same words under both names: servers of this format have sent the one, clients have read the other. */
      readonly error: string
      readonly message: string
      readonly code: string
    }
  | AgentComplete

/** The last. `messages` is what the next request may send as its `history`. */
export type AgentComplete = {
  readonly type: 'complete'
  readonly messages: readonly AgentHistoryMessage[]
  readonly usage: Usage
  /** Where it is another than `stop`. */
  readonly finishReason?: string
  readonly stopped?: true
}

/** One message of a conversation that its client keeps. Those of role `tool` belong to the assistant's before them. */
export type AgentHistoryMessage =
  | { readonly role: 'user'; readonly content: string | readonly AgentContent[] }
  | { readonly role: 'assistant'; readonly content: string }
  | {
      readonly role: 'tool'
      /** What the tool said. */
      readonly content: string
      readonly toolName: string
      readonly toolInput: Json
      readonly toolId: string
      readonly isError?: true
    }

export type AgentContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string; readonly filename?: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string }
