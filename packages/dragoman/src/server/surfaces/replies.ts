import type { Context } from 'hono'

import { isErrorCode, ServiceError } from '../../errors.ts'
import { isDetached, isLive, type Failure, type Json, type Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { History, Projector } from '../../threads/index.ts'
import {
  parseCursor,
  formatCursor,
  type ReaderRegistry,
  type Cursor,
  type FanOut,
  type Feed,
  type ReadRequest,
} from '../fan-out/index.ts'
import { deliver, type HttpEnv } from '../http/index.ts'
import { historyPreamble } from './history-preamble.ts'
import { isUnread } from './is-unread.ts'

/** How a run is sent to whoever asked for it: as it goes on, or whole. */
export interface Replies {
  stream(
    c: Context<HttpEnv>,
    run: Run,
    how: {
      protocol: Protocol
      after?: Cursor | undefined
      /** The entry with which the answer ends, where that is known already. */
      to?: number | undefined
      startIndex?: number | undefined
      view?: Json
      /** The run is its caller's alone: it is ended when they leave before the answer's end and nobody else follows. */
      endsWithCaller?: boolean
    },
  ): Promise<Response>
  /** Waits for the end. Whoever leaves before stops the run, unless others read it. */
  whole(c: Context<HttpEnv>, run: Run, protocol: Protocol, view?: Json): Promise<Response>
  /**
   * Whether a run has had no reader in this process for one second, or has ended. Waits until that is clear. False
   * once `signal` aborts.
   */
  isUnread(run: Run, signal: AbortSignal): Promise<boolean>
}

export type RepliesOptions = {
  readonly runs: Runs
  readonly fanOut: FanOut
  readonly readerRegistry: ReaderRegistry
  readonly history: History
  readonly projector: Projector
}

export function createReplies({ runs, fanOut, readerRegistry, ...talk }: RepliesOptions): Replies {
  const openedAt = Date.now()
  /** How many wait for the whole of a run. */
  const waitingCallers = new Map<string, number>()
  const isRead = (runId: string): boolean => waitingCallers.has(runId) || fanOut.isFollowed(runId)

  /** Once the reader who has gone is counted no more. */
  const abandonIfUnread = (run: Run): void => {
    if (!isRead(run.id)) runs.abandon(run, run.userId)
  }

  return {
    async stream(c, run, { protocol, after: cursor, to, startIndex, view, endsWithCaller }) {
      const hasCursors = protocol.framing === 'events'
      const numbered = hasCursors && (protocol.numbered || c.req.query('ids') === '1')
      const preamble = historyPreamble(run, { protocol, after: cursor, startIndex }, talk)
      const request = { run, protocol, view: resolveView(c, run, protocol, view), numbered, ...preamble }
      if (startIndex !== undefined) readerRegistry.checkRoom(c.get('userId'))
      const chunkPosition = hasCursors ? await findChunkPosition(fanOut, request, startIndex) : undefined
      const after = chunkPosition?.after ?? cursor
      // An EventSource that has had the end comes back for ever, unless it is told that there is nothing more.
      if (after && after.seq === run.lastSeq && !isLive(run)) return c.body(null, 204)
      requireLog(run)
      const place = after && { 'x-after': formatCursor(after) }
      const headers = { ...protocol.headers, ...runHeaders(run), ...chunkPosition?.headers, ...place }
      // To HEAD nothing is said, so nobody would ever read it to its end.
      if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers)
      const closing = registerReader(c, readerRegistry)
      const trackEnd = endsWithCaller ? onEarlyLeave(closing.signal, () => abandonIfUnread(run)) : undefined
      try {
        const part = { ...(after && { after }), ...(to !== undefined && { to }) }
        const feed = await fanOut.open({ ...request, ...part })
        return deliver(c, {
          feed: trackEnd?.(feed) ?? feed,
          heartbeat: protocol.heartbeat,
          headers,
          closing,
        })
      } catch (error) {
        closing.abort()
        throw error
      }
    },

    async whole(c, run, protocol, requestedView) {
      requireLog(run)
      const callerSignal = c.req.raw.signal
      const view = resolveView(c, run, protocol, requestedView)
      const closing = registerReader(c, readerRegistry)
      waitingCallers.set(run.id, (waitingCallers.get(run.id) ?? 0) + 1)
      const message = await runs.whole(run, callerSignal).finally(() => {
        closing.abort()
        removeWaiter(waitingCallers, run.id)
      })
      if (callerSignal.aborted && !isRead(run.id)) await runs.stop(run, c.get('userId'))
      if (message.failure) throw toServiceError(run, message.failure)
      const endedRun = await runs.get(run.userId, run.id)
      return c.json(protocol.whole(endedRun, view, message), 200, runHeaders(run))
    },

    isUnread: (run, signal) =>
      isUnread(run, { isRead, lastReaderLeftAt: fanOut.lastReaderLeftAt, since: openedAt }, runs, signal),
  }
}

function removeWaiter(waitingCallers: Map<string, number>, runId: string): void {
  const others = (waitingCallers.get(runId) ?? 1) - 1
  if (others > 0) waitingCallers.set(runId, others)
  else waitingCallers.delete(runId)
}

function toServiceError({ messageId, threadId }: Run, { code, message, retryAfter }: Failure): ServiceError {
  return new ServiceError(isErrorCode(code) ? code : 'internal', message, {
    details: { messageId, conversationId: threadId },
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

/** Hears of a caller who leaves before all is told. Whoever goes then has not left: a run may wait, and be gone on with. */
function onEarlyLeave(closing: AbortSignal, onLeft: () => void): (feed: Feed) => Feed {
  let isAtEnd = false
  closing.addEventListener('abort', () => queueMicrotask(() => void (isAtEnd || onLeft())))
  return (feed) => ({
    ...feed,
    take() {
      const taken = feed.take()
      isAtEnd ||= taken === 'end'
      return taken
    },
  })
}

/** Where one who counts chunks goes on, and what they are told of where the end is. */
async function findChunkPosition(fanOut: FanOut, request: ReadRequest, startIndex: number | undefined) {
  if (startIndex === undefined || request.run.pruned) return undefined
  const { after, lastIndex } = await fanOut.findChunk(request, startIndex)
  return { after, headers: { 'x-workflow-stream-tail-index': String(lastIndex) } }
}

/** Until the controller aborts the caller counts as one who reads. @throws ServiceError `rate-limited` */
function registerReader(c: Context<HttpEnv>, readerRegistry: ReaderRegistry): AbortController {
  const closing = new AbortController()
  const socket = findSocket(c)
  // Where another server has taken the request, it says so when its caller has left.
  if (!socket) c.req.raw.signal.addEventListener('abort', () => closing.abort(), { once: true })
  const disconnect = (): void => (socket ? void socket.destroy() : closing.abort())
  readerRegistry.add({
    userId: c.get('userId'),
    tokenId: c.get('tokenId'),
    closed: closing.signal,
    disconnect,
  })
  c.get('progress')?.end()
  return closing
}

/** @throws ServiceError `log-pruned`, with the place where what the run said can be read */
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

/** There is none where the server is asked without the network. */
function findSocket(c: Context<HttpEnv>): { destroy(): unknown } | undefined {
  return (c.env as HttpEnv['Bindings'] | undefined)?.outgoing
}

/** Where a reader who comes back goes on: the header of the standard, which an EventSource adds to the URL that it began with, or `?after=`. */
export function readCursor(c: Context): Cursor | undefined {
  return parseCursor(c.req.header('last-event-id') ?? c.req.query('after'))
}

/** Where one goes on who counts chunks, as the AI SDK's `WorkflowChatTransport` does; negative: so many before the end. */
export function readStartIndex(c: Context): number | undefined {
  const text = c.req.query('startIndex')
  if (text === undefined) return undefined
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new ServiceError('invalid-request', 'startIndex must be a whole number of chunks, like 12 or -10.')
}

/** What the body asks for, else what the first caller wanted: that counts for all who read in the same protocol, but where the query says otherwise. */
function resolveView(c: Context, { reply }: Run, protocol: Protocol, requestedView?: Json): Json {
  const ofRun = reply.protocol === protocol.name ? reply.view : {}
  return protocol.view(requestedView ?? ofRun, c.req.query())
}

function runHeaders(run: Run): Record<string, string> {
  const conversation = isDetached(run) ? {} : { 'x-conversation-id': run.threadId }
  return { 'x-run-id': run.id, ...conversation, 'x-workflow-run-id': run.id }
}

/** Whether nobody reads a run, as the caller of a request asks: it waits no longer than the caller does. */
export function unreadCheck(
  c: Context,
  { isUnread: ask }: Pick<Replies, 'isUnread'>,
): (run: Run) => Promise<boolean> {
  return (run) => ask(run, c.req.raw.signal)
}
