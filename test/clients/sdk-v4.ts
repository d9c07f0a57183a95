import { createRequire } from 'node:module'

/** The client of AI SDK 4 lies in a package of its own, under it. */
const sdk = createRequire(createRequire(import.meta.url).resolve('ai-4-3-19'))('@ai-sdk/ui-utils') as {
  callChatApi(request: Request): Promise<void>
}

export type Invocation = {
  readonly state: 'partial-call' | 'call' | 'result'
  readonly step: number
  readonly toolCallId: string
  readonly toolName: string
  readonly args: unknown
  readonly result?: unknown
}
export type V4Message = {
  readonly id?: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly reasoning?: string
  readonly parts: readonly { readonly type: string; readonly [field: string]: unknown }[]
  readonly toolInvocations?: readonly Invocation[]
  readonly annotations?: readonly unknown[]
}

type Request = {
  readonly api: string
  readonly body: { readonly id: string; readonly messages?: readonly V4Message[] }
  readonly requestType?: 'generate' | 'resume'
  readonly lastMessage?: V4Message | undefined
  readonly fetch?: (url: string) => Promise<Response>
  readonly restoreMessagesOnFailure: () => void
  readonly onUpdate: (update: { message: V4Message; data: readonly unknown[] }) => void
  readonly onFinish: (message: V4Message, end: V4End) => void
  readonly onResponse?: (response: Response) => void
  readonly generateId: () => string
}
type V4End = { readonly finishReason: string; readonly usage: { readonly totalTokens: number } }

/** What a chat of version 4 has made of one answer. */
export type V4Answer = {
  readonly message: V4Message | undefined
  readonly data: readonly unknown[]
  readonly end: V4End | undefined
  readonly error: string | undefined
  readonly headers: Headers | undefined
}

/** A chat of `useChat` 4.3.19 without React: what the hook calls, with what it calls it. */
export function openV4({ api, fetch: fetchOf }: { api: string; fetch?: (url: string) => Promise<Response> }) {
  const ask = async (
    rest: Pick<Request, 'body' | 'requestType' | 'lastMessage'>,
    shown: (message: V4Message) => void = () => {},
  ): Promise<V4Answer> => {
    let answer: V4Answer = {
      message: undefined,
      data: [],
      end: undefined,
      error: undefined,
      headers: undefined,
    }
    const note = (more: Partial<V4Answer>): void => {
      answer = { ...answer, ...more }
    }
    const asking = sdk.callChatApi({
      api,
      ...rest,
      ...(fetchOf && { fetch: fetchOf }),
      restoreMessagesOnFailure: () => {},
      generateId: () => 'made-by-the-client',
      onResponse: ({ headers }) => note({ headers }),
      onUpdate({ message, data }) {
        note({ message, data })
        shown(message)
      },
      onFinish: (_message, end) => note({ end }),
    })
    await asking.catch((error: Error) => note({ error: error.message }))
    return answer
  }
  return {
    /** `more` stands beside the messages in what it posts. */
    send: (
      id: string,
      messages: readonly V4Message[],
      onMessage?: (message: V4Message) => void,
      more: object = {},
    ) => ask({ body: { ...more, id, messages }, lastMessage: messages.at(-1) }, onMessage),
    resume: (id: string, messages: readonly V4Message[] = [], onMessage?: (message: V4Message) => void) =>
      ask({ body: { id }, requestType: 'resume', lastMessage: messages.at(-1) }, onMessage),
  }
}

export function v4User(content: string): V4Message {
  return { role: 'user', content, parts: [{ type: 'text', text: content }] }
}

/** The message with a result for its last call, as `addToolResult` of the hook leaves it. */
export function withResult(message: V4Message, result: unknown): V4Message {
  const { toolCallId } = message.toolInvocations?.at(-1) ?? {}
  const withCallId = <T extends { readonly toolCallId?: unknown }>(call: T): T =>
    call.toolCallId === toolCallId ? { ...call, state: 'result', result } : call
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-invocation'
        ? { ...part, toolInvocation: withCallId(part['toolInvocation'] as Invocation) }
        : part,
    ),
    toolInvocations: (message.toolInvocations ?? []).map(withCallId),
  }
}
