import type { LogEntry } from '../packages/dragoman/src/index.ts'
import type { Said } from '../test/laws/said.ts'
import type { ServerNode } from './server-node.ts'
import type { AnswerPlan, Policy } from './plan.ts'
import type { ToolEffect } from './tool-effect.ts'

/** What a user says, where and how: `agent` and `dialect` are names that the server gives, `thread` and `name` (unique) the client's. */
export type Message = {
  readonly name: string
  readonly thread: string
  readonly agent: string
  readonly dialect: string
  readonly words: string
  /** The same message under the same key is the same run. */
  readonly key?: string | undefined
  /** What becomes of the run that goes on in the thread. There is none where it is not said. */
  readonly policy?: Policy | undefined
}

/** One frame of a body: its bytes as text, where it ends among the bytes, and the cursor to come back after where it has one. */
export type Frame = { readonly text: string; readonly end: number; readonly cursor: string | undefined }

/** A wire format as a client sees it. */
export type WireFormat = {
  /** Whether a reader may come back after a cursor. One that may not is told all from the start. */
  readonly cursors: boolean
  /** Whether a message that is sent again, since its answer did not come, gives the run that it had, also without a key. */
  readonly keyed: boolean
  /** The complete frames among a body's bytes, without what only keeps the line open. */
  frames(bytes: Buffer): readonly Frame[]
  /** What a client of it has in the end of a whole body. `complete` are the calls whose input had come whole. */
  said(body: Buffer, complete: ReadonlySet<string>): Promise<Said>
}

/**
 * A server as the suite needs it. Another one is put in place of ours by writing this for it: nothing else here knows of routes, bodies
 * and files. `at` is the address of one of its nodes; whoever asks one that is gone is told by `fetch`'s own error.
 */
export interface ServerUnderTest {
  readonly agents: readonly [string, ...string[]]
  readonly dialects: Readonly<Record<string, WireFormat>>
  /** The dialect whose frames are the entries of the log. */
  readonly own: string
  /**
   * So many processes on one home, none of them begun. `onError` is told of what none of them should have said in their logs; `freeze`: but
   * when one of them was frozen for long, maybe in the middle of writing, and its runs were taken.
   */
  nodes(
    home: string,
    count: number,
    onError: (line: string, kind: 'freeze' | 'error') => void,
  ): readonly ServerNode[]
  /** Says something in a thread, which is made where it is not there. The answer streams. */
  say(at: string, message: Message): Promise<Response>
  /** Whose answer it is. */
  runOf(response: Response): string
  /** The run that a message was given, where it was taken although nobody heard so. */
  find(at: string, message: Message): Promise<string | undefined>
  follow(at: string, runId: string, how: { dialect: string; after?: string | undefined }): Promise<Response>
  /** Allows a call of a run, or does not. Gives whether it counted, where the dialect says: only one answer does. */
  answer(at: string, runId: string, given: AnswerPlan & { callId: string }): Promise<boolean | undefined>
  /** Asks a run to end. Asking twice does no harm. */
  stop(at: string, runId: string): Promise<void>
  statusOf(at: string, runId: string): Promise<'live' | 'waiting' | 'ended'>
  entryOf(frame: Frame): LogEntry
  /** What the tools have done. */
  effects(home: string): Promise<readonly ToolEffect[]>
}
