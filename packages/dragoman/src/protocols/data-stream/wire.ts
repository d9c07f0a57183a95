import type { Json } from '../../events/index.ts'

/** A line of the stream, `CODE:JSON`. There are more codes; these are all that we have something to say with. */
export type Line =
  /** Text. */
  | readonly ['0', string]
  /** Reasoning. */
  | readonly ['g', string]
  /** Data that is shown once, outside the messages. `useChat` adds it to `data`. */
  | readonly ['2', readonly [DataPart]]
  /** Data of the message. `useChat` adds it to `annotations`. */
  | readonly ['8', readonly [DataPart | Note]]
  | readonly [
      'h',
      { readonly sourceType: 'url'; readonly id: string; readonly url: string; readonly title?: string },
    ]
  /** The client throws it, and reads nothing after it. */
  | readonly ['3', string]
  | readonly ['b', { readonly toolCallId: string; readonly toolName: string }]
  | readonly ['c', { readonly toolCallId: string; readonly argsTextDelta: string }]
  | readonly ['9', { readonly toolCallId: string; readonly toolName: string; readonly args: Args }]
  | readonly ['a', { readonly toolCallId: string; readonly result: Json }]
  | readonly ['f', { readonly messageId: string }]
  | readonly ['e', Finish & { readonly isContinued: false }]
  | readonly ['d', Finish]

/** The client refuses the stream if the arguments are no object. */
export type Args = { readonly [key: string]: Json }

/** The same form as in the UI message stream, so that one component can show both. */
export type DataPart = { readonly type: `data-${string}`; readonly id?: string; readonly data: Json }

/** Fields without a place in the lines. `stopped`: a user stopped the run, which the end line does not say. */
export type Note = {
  readonly runId?: string
  readonly conversationId?: string
  readonly stopped?: true
}

export type Finish = {
  readonly finishReason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number }
}
