import type { LogEntry } from '../packages/dragoman/src/index.ts'
import type { MessageContent } from '../test/laws/message-content.ts'
import type { ServerNode } from './server-node.ts'
import type { AnswerPlan, Policy } from './plan.ts'
import type { ToolEffect } from './tool-effect.ts'

/** A user's message. `agent` and `protocol` are the server's names; `thread` and `name` (unique) are the client's. */
export type Message = {
  readonly name: string
  readonly thread: string
  readonly agent: string
  readonly protocol: string
  readonly words: string
  /** The idempotency key. */
  readonly key?: string | undefined
  /** What happens to a live run in the thread. Undefined if none is expected. */
  readonly policy?: Policy | undefined
}

/** A frame of a body: its text, its end among the bytes, and its cursor. */
export type Frame = { readonly text: string; readonly end: number; readonly cursor: string | undefined }

/** A wire format as a client sees it. */
export type WireFormat = {
  /** Whether a reader can resume after a cursor. Otherwise it reads from the start. */
  readonly cursors: boolean
  /** Whether a repeated message returns its existing run without a key. */
  readonly keyed: boolean
  /** The complete frames of a body, without heartbeats. */
  frames(bytes: Buffer): readonly Frame[]
  /** What a client reads from a complete body. `complete` are the calls with complete input. */
  said(body: Buffer, complete: ReadonlySet<string>): Promise<MessageContent>
}

/**
 * The server that the suite tests. Another server is tested by implementing this: nothing else knows routes, bodies
 * and files. `at` is a node's address; a request to a dead node fails with `fetch`'s error.
 */
export interface ServerUnderTest {
  readonly agents: readonly [string, ...string[]]
  readonly wireFormats: Readonly<Record<string, WireFormat>>
  /** The protocol whose frames are log entries. */
  readonly own: string
  /**
   * Creates nodes on one home, not started. `onError` gets unexpected log lines; `freeze` marks those that a long
   * freeze explains.
   */
  nodes(
    home: string,
    count: number,
    onError: (line: string, kind: 'freeze' | 'error') => void,
  ): readonly ServerNode[]
  /** Sends a message to a thread, which is created if it does not exist. The response streams. */
  say(at: string, message: Message): Promise<Response>
  /** The run of a response. */
  runOf(response: Response): string
  /** Finds the run of a message whose response was lost. */
  find(at: string, message: Message): Promise<string | undefined>
  follow(at: string, runId: string, how: { protocol: string; after?: string | undefined }): Promise<Response>
  /** Answers an approval. Returns whether the answer was accepted, if the protocol shows it. */
  answer(at: string, runId: string, given: AnswerPlan & { callId: string }): Promise<boolean | undefined>
  /** Stops a run. It may be repeated. */
  stop(at: string, runId: string): Promise<void>
  statusOf(at: string, runId: string): Promise<'live' | 'waiting' | 'ended'>
  entryOf(frame: Frame): LogEntry
  /** The effects of the tools. */
  effects(home: string): Promise<readonly ToolEffect[]>
}
