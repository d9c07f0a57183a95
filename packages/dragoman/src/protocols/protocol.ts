import type { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type {
  AnswerRequest,
  AssistantMessage,
  ChatRequest,
  Json,
  LogEntry,
  Message,
  Run,
} from '../events/index.ts'
import { bodyIssueMessage } from './body-issue-message.ts'

/** One message on the wire, before its transport's framing: a line of text. */
export type Frame = string

/** How frames become a body: as server-sent events, or as lines, which have no place for a cursor. */
export type Framing = 'events' | 'lines'

/** How the answer is wanted. */
type ReplyOptions = {
  /** Which agent, where the surface serves several. */
  readonly agent?: string
  /** False: the whole answer at once. */
  readonly stream: boolean
  readonly view: Json
  /** For the run's tools alone, and written nowhere. */
  readonly secrets?: Json
}

/** A request as one protocol has read it: a message, or answers to what a run has asked; in AG-UI it may be both. */
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
  /** What each event is named, where readers listen for a name. */
  readonly eventName?: string
  /** Whether each event carries its cursor as its `id:`, unless the query says otherwise. */
  readonly numbered: boolean
  /** Whether a reader's body ends when the run waits for a person, or only when it waits for nothing but approvals. */
  readonly endsAtWaiting: boolean | 'approvals'
  /**
   * Whether it reads bodies that hold nothing but texts, as `{ message: '…' }`, where no protocol is named. If several
   * protocols do, the one that was registered last counts.
   */
  readonly readsPlainTexts?: true
  /** What `parse` checks a body with. */
  readonly body: z.ZodType
  /** @throws ServiceError `invalid-request`, naming the field */
  parse(body: Json): RunRequest
  /** What one reader wants: the run's own, changed by the query. Equal views share bytes. */
  view(ofRun: Json, query: Readonly<Record<string, string>>): Json
  /** Remembers structure (open parts, calls), never deltas: fed the structural entries before a place, it goes on from there. */
  encoder(start: EncoderStart): Encoder
  /** Whether its encoder must be told the conversation before the run. */
  readonly needsThread?: true
  /** Ms between frames of which each says everything: of those that come sooner the newest is sent, and always the last. 0: each is sent. */
  pace?(view: Json): number
  /** Whether its encoder must be told all entries, deltas too: to go on somewhere costs what was said before. */
  remembersAll?(view: Json): boolean
  /** For `stream: false`. */
  whole(run: Run, view: Json, message: AssistantMessage): Json
}

/** `before`: the conversation up to the run's own message, that included, oldest first; told to those who need it. */
export type EncoderStart = { readonly run: Run; readonly view: Json; readonly before?: readonly Message[] }

/** `more`: another entry follows at once. Where each frame says everything, one that nobody will see need not be written. */
export type Encoder = (entry: LogEntry, more?: boolean) => readonly Frame[]

/** Only the first mistake is told: a body may have a hundred thousand. */
const FIRST_ISSUE_ONLY: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  error: bodyIssueMessage,
  abortEarly: true,
}

/** Checks a request's body, or the part of it that stands at `place`. Unknown fields are passed over. @throws ServiceError `invalid-request`, naming the first wrong field */
export function parseBody<S extends z.ZodType>(schema: S, body: Json, place?: string): z.infer<S> {
  const result = schema.safeParse(body, FIRST_ISSUE_ONLY)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = [...(place === undefined ? [] : [place]), ...(issue?.path ?? []).map(String)].join('.')
  const problem = issue?.message ?? 'It is not as it must be.'
  throw new ServiceError('invalid-request', problem.startsWith(field) ? problem : `${field}: ${problem}`)
}
