import type * as ai from 'ai'
import type { ChatState, ChatStatus, UIMessage } from 'ai'

import { isFull } from '../support/is-full.ts'

/** What every published build of the client has. */
export type Sdk = Pick<
  typeof ai,
  | 'AbstractChat'
  | 'DefaultChatTransport'
  | 'convertToModelMessages'
  | 'lastAssistantMessageIsCompleteWithToolCalls'
> &
  /** From version 6 on. */
  Partial<Pick<typeof ai, 'lastAssistantMessageIsCompleteWithApprovalResponses'>>

/** The published clients: the oldest, the last that refuse unknown fields, and the latest of each major version. */
export const allBuilds: Readonly<Record<string, () => Promise<Sdk>>> = {
  '5.0.0': async () => (await import('ai-5-0-0')) as unknown as Sdk,
  '5.0.216': async () => (await import('ai-5-0-216')) as unknown as Sdk,
  '5.0.277': async () => (await import('ai-5-0-277')) as unknown as Sdk,
  '6.0.230': async () => (await import('ai-6-0-230')) as unknown as Sdk,
  '6.0.326': async () => (await import('ai-6-0-326')) as unknown as Sdk,
  '7.0.31': async () => (await import('ai-7-0-31')) as unknown as Sdk,
  '7.0.173': () => import('ai'),
}

/** The builds that the tests of every client run: all of them, or the oldest and the newest. */
export const builds = Object.fromEntries(
  Object.entries(allBuilds).filter((_, index, { length }) => isFull || index === 0 || index === length - 1),
)

export type Metadata = {
  readonly runId?: string
  readonly conversationId?: string
  readonly finishReason?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  readonly stopped?: boolean
  readonly waiting?: readonly string[]
}
export type ChatMessage = UIMessage<Metadata>

/** What `useChat` keeps in React, kept in plain fields. Tells when something changes. */
class WatchedState implements ChatState<ChatMessage> {
  #status: ChatStatus = 'ready'
  #messages: ChatMessage[]
  readonly #tell: () => void
  error: Error | undefined

  constructor(messages: readonly ChatMessage[], tell: () => void) {
    this.#messages = [...messages]
    this.#tell = tell
  }

  get status(): ChatStatus {
    return this.#status
  }
  set status(status) {
    this.#status = status
    this.#tell()
  }
  get messages(): ChatMessage[] {
    return this.#messages
  }
  set messages(messages) {
    this.#messages = [...messages]
    this.#tell()
  }
  pushMessage = (message: ChatMessage): void => {
    this.messages = [...this.#messages, message]
  }
  popMessage = (): void => {
    this.messages = this.#messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: ChatMessage): void => {
    this.messages = this.#messages.with(index, structuredClone(message))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

export type ChatOptions = {
  readonly url: string
  readonly id: string
  /** Of which agent it is; `jobs` where nothing is said. */
  readonly agent?: string
  /** Where that is spoken to, if not at its own chat. */
  readonly at?: string
  readonly messages?: readonly ChatMessage[]
  /** What it says that it is: by default a client of version 5 says so. */
  readonly profile?: string | undefined
  /** What stands beside the messages in what it posts. */
  readonly body?: object
  readonly onToolCall?: (call: {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
  }) => void
  readonly sendAutomaticallyWhen?: Sdk['lastAssistantMessageIsCompleteWithToolCalls']
  readonly onFinish?: (end: {
    readonly message?: object
    readonly messages?: object
    readonly finishReason?: string
  }) => void
  /** In place of the stock transport. */
  readonly transport?: ai.ChatTransport<ChatMessage>
  /** In place of the network. */
  readonly fetch?: typeof fetch
  /** Where it resumes, in place of its chat's own address. */
  readonly resume?: string | undefined
}

/** A chat of that build, with its stock transport, on our jobs chat. */
export function openChat(sdk: Sdk, { url, id, messages = [], ...more }: ChatOptions) {
  const profile = more.profile ?? (isVersion5(sdk) ? 'v5' : undefined)
  const watchers = new Set<() => void>()
  class Chat extends sdk.AbstractChat<ChatMessage> {
    constructor() {
      super({
        id,
        transport:
          more.transport ??
          new sdk.DefaultChatTransport<ChatMessage>({
            api: `${url}${more.at ?? `/${more.agent ?? 'jobs'}/chat`}`,
            body: { ...more.body, ...(profile && { options: { profile } }) },
            ...(more.fetch && { fetch: more.fetch }),
            ...(more.resume && { prepareReconnectToStreamRequest: () => ({ api: `${url}${more.resume}` }) }),
          }),
        ...(more.onFinish && { onFinish: more.onFinish }),
        ...(more.sendAutomaticallyWhen && { sendAutomaticallyWhen: more.sendAutomaticallyWhen }),
        onToolCall: ({ toolCall }) => more.onToolCall?.(toolCall),
        state: new WatchedState(messages, () => {
          for (const look of watchers) look()
        }),
      })
    }

    /** Gives a call's output: `addToolOutput`, which the first builds called otherwise. */
    async give(tool: string, toolCallId: string, output: unknown): Promise<void> {
      type Add = (given: object) => PromiseLike<void>
      const { addToolOutput, addToolResult } = this as unknown as Record<string, Add | undefined>
      await (addToolOutput ?? addToolResult)?.({ tool, toolCallId, output })
    }

    /** Resolves once the chat shows these words. */
    shows(words: string): Promise<void> {
      const firstText = Promise.withResolvers<void>()
      const look = (): void => {
        if (JSON.stringify(this.messages).includes(words)) firstText.resolve()
      }
      watchers.add(look)
      look()
      return firstText.promise.finally(() => watchers.delete(look))
    }
  }
  return new Chat()
}

/** Approvals came with version 6. */
function isVersion5(sdk: Sdk): boolean {
  return !sdk.lastAssistantMessageIsCompleteWithApprovalResponses
}

export function textOf(message: ChatMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** The conversation as a page loads it. */
export async function historyOf(url: string, id: string, at = '/jobs/chat') {
  const response = await fetch(`${url}${at}/history?conversationId=${id}&format=ui`)
  return (await response.json()) as {
    messages: ChatMessage[]
    live?: { messageId: string; status: string; resume?: string }
  }
}
