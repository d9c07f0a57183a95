import type { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type {
  AnswerRequest,
  AssistantMessage,
  ChatRequest,
  Failure,
  Json,
  LogEntry,
  Message,
  Run,
  ThreadPolicy,
} from '../events/index.ts'
import { bodyIssueMessage } from './body-issue-message.ts'

/** One message on the wire, before its transport's framing: a line of text. */
export type Frame = string

/** How frames become a body: as server-sent events, or as lines, which have no place for a cursor. */
export type Framing = 'events' | 'lines'

/** How the answer is wanted. */
type ReplyOptions = {
  /** The agent, if the surface serves several. */
  readonly agent?: string
  /** False: the whole answer at once. */
  readonly stream: boolean
  readonly view: Json
  /** For the run's tools alone, and written nowhere. */
  readonly secrets?: Json
}

/** A parsed request: a message, or answers to a run's questions. In some protocols it may be both. */
export type RunRequest = (ChatRequest & ReplyOptions) | (AnswerRequest & ReplyOptions)

/**
 * A wire format: how a request reads, and how a run's log is written. No I/O, no clock, no chance.
 *
 * @example
 * const lines: Protocol = { ...native, name: 'lines', heartbeat: ': still here\n\n' }
 * const server = await createServer({ agents: [dice], protocols: [lines] })
 */
export interface Protocol {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent after 15 s of silence. */
  readonly heartbeat: string
  readonly framing: Framing
  /** The name of each server-sent event, if clients listen for one. */
  readonly eventName?: string
  /** Whether each event has its cursor as `id:`, unless the query disables it. */
  readonly numbered: boolean
  /** Whether a reader's body ends when the run waits for a person, or only when it waits for nothing but approvals. */
  readonly endsAtWaiting: boolean | 'approvals'
  /**
   * Whether its clients can stop a run only by disconnecting: a caller that disconnects ends the run that it started,
   * if no other reader follows it. `?disconnect=` of a request overrides this, and `?ids=1`, which asks for cursors.
   */
  readonly endsWithCaller?: true
  /**
   * Whether a body is in this protocol, by its shape, if the request names no protocol. The protocol that was
   * registered last wins: those of `createServer` come after those of its plug-ins and agents.
   */
  recognizes?(body: Json, headers: Headers): boolean
  /**
   * Whether it reads the bodies with nothing but texts, such as `{ message: '…' }`, of a client with these headers, if
   * no protocol recognizes them. The protocol that was registered last wins here, too.
   */
  readsPlainTexts?(headers: Headers): boolean
  /** What a chat does with a message for a thread with a live run, if the request does not say. Default: `reject`. */
  policy?(request: ChatRequest): ThreadPolicy
  /** Whether its clients stop by disconnecting: a message without its own policy interrupts a run without a reader. */
  readonly stopsOnDisconnect?: true
  /** How a chat's history is written for its clients, with `?format=ui`. */
  readonly history?: HistoryFormat
  /**
   * The body of a resume that finds nothing to send, for clients that take 204 for an error. `byIndex`: the reader
   * counts chunks.
   */
  emptyBody?(byIndex: boolean): string | undefined
  /** The schema that `parse` checks a body with. */
  readonly body: z.ZodType
  /** @throws ServiceError `invalid-request`, naming the field */
  parse(body: Json): RunRequest
  /** The options of one reader: the run's own, changed by the query. Readers with equal views share bytes. */
  view(ofRun: Json, query: Readonly<Record<string, string>>): Json
  /**
   * An encoder remembers structure (open parts, calls), never deltas. To resume, it gets the structural entries
   * before its cursor.
   */
  encoder(start: EncoderStart): Encoder
  /** Whether the encoder needs the conversation before the run. */
  readonly needsThread?: true
  /**
   * The frame that tells a reader that its body is cut off before the answer has ended, because the server stops: one
   * that no client takes for an end, also where a proxy ends the body in order. Undefined: a body is whole only with
   * the last frame of its run, and the clients of the format know that.
   */
  interruption?(view: Json): Frame | undefined
  /**
   * The ms between full-state frames. The newest of the frames in between is sent, and always the last one. 0:
   * every frame is sent.
   */
  pace?(view: Json): number
  /** Whether the encoder needs all entries, deltas included. A resume then costs as much as the whole run. */
  remembersAll?(view: Json): boolean
  /** For `stream: false`. */
  whole(run: Run, view: Json, message: AssistantMessage): Json
  /** The error of a failed run for `stream: false`, if it is another than the failure's own. */
  wholeError?(failure: Failure): ServiceError | undefined
}

/** A history in the form of a protocol's clients. */
export type HistoryFormat = {
  readonly message: (message: Message, ids: MessageIds, view: Json) => Json
  /** Where its clients resume a live run: what follows the path of the chat. */
  readonly resumePath: (runId: string) => string
}

/** Where a message belongs. A message without a run has an empty `runId`. */
type MessageIds = { readonly runId: string; readonly conversationId: string }

/**
 * `before` is the conversation up to and including the run's own message, oldest first, for protocols with
 * `needsThread`.
 */
export type EncoderStart = { readonly run: Run; readonly view: Json; readonly before?: readonly Message[] }

/** `more`: another entry follows at once, so a full-state frame for this one may be skipped. */
export type Encoder = (entry: LogEntry, more?: boolean) => readonly Frame[]

/** Reports only the first issue: a body may have a hundred thousand. */
const FIRST_ISSUE_ONLY: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  error: bodyIssueMessage,
  abortEarly: true,
}

/**
 * Validates a request's body, or the part of it at `place`. Ignores unknown fields.
 * @throws ServiceError `invalid-request`, naming the first wrong field
 */
export function parseBody<S extends z.ZodType>(schema: S, body: Json, place?: string): z.infer<S> {
  const result = schema.safeParse(body, FIRST_ISSUE_ONLY)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = [...(place === undefined ? [] : [place]), ...(issue?.path ?? []).map(String)].join('.')
  const problem = issue?.message ?? 'It is not as it must be.'
  throw new ServiceError('invalid-request', problem.startsWith(field) ? problem : `${field}: ${problem}`)
}
