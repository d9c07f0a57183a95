import type { Context } from 'hono'

import { isErrorCode, ServiceError } from '../../errors.ts'
import { isDetached, type Failure, type Json, type Run, type RunSummary } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { MessagePages, Projector } from '../../threads/index.ts'
import { formatCursor, frameInterruption, type Cursor, type FanOut, type Feed } from '../fan-out/index.ts'
import { createPageReader, deliver, type AnswerPage, type HttpEnv, type PageReader } from '../http/index.ts'
import { deliverPage } from './deliver-page.ts'
import { historyPreamble } from './history-preamble.ts'
import { endsAt, findChunkPosition, locateStart } from './reader-place.ts'
import { readerOptions } from './reader-options.ts'
import { registerReader } from './register-reader.ts'
import { hasNoReader } from './has-no-reader.ts'

type StreamOptions = {
  readonly protocol: Protocol
  /** Where the body begins. */
  readonly after?: Cursor | undefined
  /** What the client has of the run, as it says: the body begins after that, if that is later. */
  readonly cursor?: string | undefined
  /** The last entry to send, if it is known. */
  readonly to?: number | undefined
  readonly startIndex?: number | undefined
  readonly view?: Json
  /** The run belongs to its caller: it ends when the caller disconnects early and no other reader follows it. */
  readonly endsWithCaller?: boolean
  /** Adds to the body what the log does not contain. */
  readonly extend?: (feed: Feed, pages: PageReader) => Feed
}

/** Sends a run to its caller, as a stream or as one JSON object. */
export interface Replies {
  stream(c: Context<HttpEnv>, run: Run, how: StreamOptions): Promise<Response>
  /** Waits for the end. A caller that disconnects earlier stops the run, unless others read it. */
  whole(c: Context<HttpEnv>, run: Run, protocol: Protocol, view?: Json): Promise<Response>
  /** The cursor of a reader that has a run's entries up to `seq`. */
  cursorAfter(run: RunSummary, seq: number): Promise<string>
  /** Whether a run has ended or its readers in this process have left. Waits until that is clear. */
  isUnread(run: RunSummary, signal: AbortSignal): Promise<boolean>
}

export type RepliesOptions = {
  readonly runs: Runs
  readonly fanOut: FanOut
  readonly messagePages: MessagePages
  readonly projector: Projector
}

export function createReplies(options: RepliesOptions): Replies {
  const { runs, fanOut } = options
  /** Callers that wait for the whole answer, by run. */
  const waitingCallers = new Map<string, number>()
  const isRead = (runId: string): boolean => waitingCallers.has(runId) || fanOut.isFollowed(runId)

  const readers = { isRead, departures: fanOut.departures, since: Date.now() }

  /** Called after the reader that left is no longer counted. */
  const abandonIfUnread = (run: Run): void => {
    if (!isRead(run.id)) runs.abandon(run, run.userId)
  }

  return {
    async stream(c, run, how) {
      const { protocol, to, endsWithCaller, extend } = how
      requireLog(run)
      const { request, after, headers } = await locateReader(c, run, how, options)
      // An EventSource reconnects forever after the end, unless it gets 204.
      if (after && endsAt(run, after, to)) return c.body(null, 204)
      // A response to HEAD has no body, so its feed would never be read.
      if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers)
      const closing = registerReader(c)
      const trackEnd = endsWithCaller ? onEarlyLeave(closing.signal, () => abandonIfUnread(run)) : undefined
      try {
        const part = { ...(after && { after }), ...(to !== undefined && { to }) }
        const pages = createPageReader(c.get('load'), closing.signal)
        const logFeed = await fanOut.open({ ...request, ...part }, pages)
        const feed = extend?.(logFeed, pages) ?? logFeed
        const interruption = frameInterruption(protocol, request.view)
        const { heartbeat } = protocol
        return deliver(c, { feed: trackEnd?.(feed) ?? feed, heartbeat, interruption, headers, closing })
      } catch (error) {
        closing.abort()
        throw error
      }
    },

    async whole(c, run, protocol, requestedView) {
      requireLog(run)
      const callerSignal = c.req.raw.signal
      const view = resolveView(c, run, protocol, requestedView)
      const closing = registerReader(c)
      const endWaiting = addWaiter(waitingCallers, run.id)
      const pause = runs.pause(run, callerSignal).finally(() => closing.abort())
      const last = await pause.finally(endWaiting)
      if (callerSignal.aborted) abandonIfUnread(run)
      const page = await wholePage(runs, run, { protocol, view, last })
      return deliverPage(c, page, runHeaders(run))
    },

    cursorAfter: async (run, seq) =>
      formatCursor(await fanOut.locate({ ...run, lastSeq: Math.max(run.lastSeq, seq) }, { seq, frames: 0 })),

    isUnread: (run, signal) => hasNoReader(run, readers, runs, signal),
  }
}

/** What is read for a caller, and the place where it begins. */
async function locateReader(
  c: Context<HttpEnv>,
  run: Run,
  { protocol, startIndex, view, ...how }: StreamOptions,
  { fanOut, ...source }: RepliesOptions,
) {
  const hasCursors = protocol.framing === 'events'
  const numbered = hasCursors && (protocol.numbered || c.req.query('ids') === '1')
  const start = await locateStart(fanOut, run, how)
  const preamble = historyPreamble(run, { protocol, after: start, startIndex }, source)
  const request = { run, protocol, view: resolveView(c, run, protocol, view), numbered, ...preamble }
  if (startIndex !== undefined) c.get('load').requireRoom('readers')
  const chunkPosition = hasCursors ? await findChunkPosition(fanOut, request, startIndex) : undefined
  const after = chunkPosition?.after ?? start
  const headers = { ...protocol.headers, ...runHeaders(run, after), ...chunkPosition?.headers }
  return { request, after, headers }
}

/** What a run has said up to an entry. It fails if the run has failed. */
async function wholePage(
  runs: Runs,
  run: Run,
  { protocol, view, last }: { readonly protocol: Protocol; readonly view: Json; readonly last: number },
): Promise<AnswerPage> {
  const { bytes, read } = await runs.snapshot(run, last)
  return {
    bytes,
    async make() {
      const message = await read()
      if (message.failure) throw toServiceError(run, message.failure, protocol)
      return JSON.stringify(protocol.whole(await runs.get(run.userId, run.id), view, message))
    },
  }
}

function addWaiter(waitingCallers: Map<string, number>, runId: string): () => void {
  waitingCallers.set(runId, (waitingCallers.get(runId) ?? 0) + 1)
  return () => {
    const others = (waitingCallers.get(runId) ?? 1) - 1
    if (others > 0) waitingCallers.set(runId, others)
    else waitingCallers.delete(runId)
  }
}

function toServiceError({ messageId, threadId }: Run, failure: Failure, protocol: Protocol): ServiceError {
  const error = protocol.wholeError?.(failure)
  const { code, message, retryAfter } = failure
  return new ServiceError(error?.code ?? (isErrorCode(code) ? code : 'internal'), message, {
    details: { messageId, conversationId: threadId, ...error?.details },
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

/** Calls `onLeft` if the reader closes before its feed's end. A waiting run may end the feed, too. */
function onEarlyLeave(closing: AbortSignal, onLeft: () => void): (feed: Feed) => Feed {
  let isAtEnd = false
  closing.addEventListener('abort', () => queueMicrotask(() => void (isAtEnd || onLeft())))
  return (feed) => ({
    ...feed,
    take() {
      const chunk = feed.take()
      isAtEnd ||= chunk === 'end'
      return chunk
    },
  })
}

/** @throws ServiceError `log-pruned`, with the path of the thread's messages */
export function requireLog({ id, messageId, threadId, pruned }: Run): void {
  if (!pruned) return
  throw new ServiceError(
    'log-pruned',
    `Run ${id} ended long ago: its stream is no longer kept, what it said is in its conversation.`,
    {
      details: {
        runId: id,
        messageId,
        conversationId: threadId,
        history: `/v1/threads/${threadId}/messages`,
      },
    },
  )
}

/** The view of the body, or else of the run's first caller in the same protocol. The query overrides both. */
function resolveView(c: Context, { reply }: Run, protocol: Protocol, requestedView?: Json): Json {
  const ofRun = reply.protocol === protocol.name ? reply.view : {}
  return protocol.view(requestedView ?? ofRun, readerOptions(c))
}

function runHeaders(run: Run, after?: Cursor): Record<string, string> {
  const conversation = isDetached(run) ? {} : { 'x-conversation-id': run.threadId }
  const place = after && { 'x-after': formatCursor(after) }
  return { 'x-run-id': run.id, ...conversation, 'x-workflow-run-id': run.id, ...place }
}

/** Checks whether a run is unread, for at most as long as the caller waits. */
export function unreadCheck(
  c: Context,
  { isUnread: ask }: Pick<Replies, 'isUnread'>,
): (run: RunSummary) => Promise<boolean> {
  return (run) => ask(run, c.req.raw.signal)
}
