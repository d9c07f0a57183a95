import type { Json } from './json.ts'
import type { Message, ClientTurn } from './message.ts'
import type { Answer } from './run-event.ts'
import type { ClientTool } from './run.ts'
import type { UserPart } from './user-part.ts'

/** What a client wants said, in no wire protocol's words. */
export type ChatRequest = {
  /** The conversation, by our id or the client's name. */
  readonly thread?: string
  /** What the client tells of the turns before the message. */
  readonly turns: readonly ClientTurn[]
  /** In place of turns, from one who keeps the conversation itself: what its model is told as it stands, calls and outcomes included. */
  readonly history?: readonly Message[]
  /** `clientId` and `sentAt` are what the client calls it, and when it was said by its clock (ISO 8601). */
  readonly message: {
    readonly clientId?: string
    readonly sentAt?: string
    readonly parts: readonly UserPart[]
  }
  /** `again`: another answer to a message that we know. `edit`: the message in another wording. Both make a branch. */
  readonly branch?: 'again' | 'edit'
  /** In place of which message it stands, by either name or its run's: beside it, as a branch. No parts: the message that it answers, or is, once more. */
  readonly replaces?: string
  /** That the client has no word for another answer: it sends its message, and what was before it, once more. */
  readonly resends?: true
  /** What the client says of its surroundings. */
  readonly context: Json
  /** Tools that the client runs, beside the agent's own. */
  readonly tools?: readonly ClientTool[]
  /** What agent and client share, as the client has it. Where it names none: as the conversation's last run has left it. */
  readonly state?: Json
  /** Which model is to answer, by a name that the server knows; the agent's own where none is named. */
  readonly model?: string
  /** What happens where the thread's run goes on; the surface's usual where none is named. */
  readonly policy?: ThreadPolicy
}

/**
 * What becomes of a message to a thread whose run goes on: it is refused, waits its turn, stops the run and takes its place, or joins it at its
 * next step.
 */
export type ThreadPolicy = 'reject' | 'enqueue' | 'interrupt' | 'steer'

/** Answers to a run's questions, with which a client has come by: the run goes on, in the same message. */
export type AnswerRequest = {
  /** The conversation, by our id or the client's name. */
  readonly thread?: string
  /** The message that asks, by its id. Without one the conversation's latest is meant. */
  readonly messageId?: string
  readonly answers: readonly ClientAnswer[]
  /** What agent and client share, as the client has it by now. Where it names none: as the run has it. */
  readonly state?: Json
  /** The client's name for this request: it finds the run then, as the run's own does. */
  readonly key?: string
}

/** An `output` may also be an approval's `{approved, reason?}`: clients that know no approvals answer by a tool's output. */
export type ClientAnswer = { readonly callId: string; readonly answer: Answer }
