import type { Json } from './json.ts'
import type { Message, ClientTurn } from './message.ts'
import type { Answer } from './question.ts'
import type { ClientTool } from './run.ts'
import type { UserPart } from './user-part.ts'

/** A request of a client, independent of any wire protocol. */
export type ChatRequest = {
  /** The conversation, by our id or the client's name. */
  readonly thread?: string
  /** The turns before the message, as the client reports them. */
  readonly turns: readonly ClientTurn[]
  /**
   * The history, in place of turns, if the client keeps the conversation itself. The model gets it as it is,
   * with calls and outcomes.
   */
  readonly history?: readonly Message[]
  /**
   * `clientId` is the client's id of the message. `sentAt` is the time by the client's clock (ISO 8601). Without parts,
   * and where it replaces none, the agent begins the conversation.
   */
  readonly message: {
    readonly clientId?: string
    readonly sentAt?: string
    readonly parts: readonly UserPart[]
  }
  /** `again`: another answer to a known message. `edit`: a changed message. Both create a branch. */
  readonly branch?: 'again' | 'edit'
  /**
   * The message to branch from, by either id or by its run's id: the new message becomes its sibling. Without
   * parts, it repeats that message, or the message that it answers.
   */
  readonly replaces?: string
  /**
   * Set if the client's format cannot ask for another answer. The client then sends its message and the turns
   * before it again.
   */
  readonly resends?: true
  /** The context that the client reports. */
  readonly context: Json
  /** Tools that the client runs, besides the agent's own. */
  readonly tools?: readonly ClientTool[]
  /** The shared state, as the client has it. By default, the state after the conversation's last run. */
  readonly state?: Json
  /** The model that must answer, by a name that the server knows. By default the agent's own. */
  readonly model?: string
  /** What to do if the thread has a running run. By default the surface decides. */
  readonly policy?: ThreadPolicy
}

/**
 * What happens to a message to a thread with a running run: it is refused, waits in a queue, stops the run and
 * takes its place, or joins the run at its next step.
 */
export type ThreadPolicy = 'reject' | 'enqueue' | 'interrupt' | 'steer'

/** Answers to a run's questions. The run continues, in the same message. */
export type AnswerRequest = {
  /** The conversation, by our id or the client's name. */
  readonly thread?: string
  /** The message that asks, by its id. By default the conversation's latest message. */
  readonly messageId?: string
  readonly answers: readonly ClientAnswer[]
  /** The shared state, as the client has it now. By default the run's own state. */
  readonly state?: Json
  /** The client's name for this request: it finds the run then, as the run's own does. */
  readonly key?: string
}

/**
 * An `output` may also be an approval's `{approved, reason?}`: clients that know no approvals answer by a tool's
 * output.
 */
export type ClientAnswer = { readonly callId: string; readonly answer: Answer }
