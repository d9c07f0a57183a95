import { z } from 'zod'

import { isServiceError, ServiceError, toFailure } from 'dragoman/errors'
import type { Json, Run } from 'dragoman/events'
import { anyJson, parseBody } from 'dragoman/protocols'
import { formatCursor, limitJsonDepth } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { SocketMessage, HandleMessage } from '../transport/receive-messages.ts'
import { findRun } from '@dragoman/ag-ui/routes'
import { errorEvent } from './error-event.ts'
import { createFollowedRuns } from './followed-runs.ts'
import { createPageToolSockets, type PageToolSockets } from './page-tool-sockets.ts'
import type { SocketContext, MessageHandler, UseAiOptions } from './socket-context.ts'
import { failLostResults } from './fail-lost-results.ts'
import { createMessageHandlers } from './message-handlers.ts'

const messageSchema = z.object({ type: z.string(), data: anyJson.optional() })
/** Names in a request, for error messages. Longer names than allowed are not repeated. */
const nameSchema = z.string().max(200).exactOptional().catch('')
const namesSchema = z.object({ data: z.object({ threadId: nameSchema, runId: nameSchema }) })

/** Every agent over Socket.IO, with the messages of use-ai's clients. */
export function createUseAiApi(options: UseAiOptions): (connection: Connection) => HandleMessage {
  const { agents, defaultAgent, report } = options
  const shared = { ...options, pageToolSockets: createPageToolSockets() }
  const types = createMessageHandlers(shared)
  return (connection) => {
    const followedRuns = createFollowedRuns(connection, shared)
    const context = { connection, followedRuns }
    connection.emit('agents', { agents: [...agents], defaultAgent })
    // Its clients show buttons for feedback where it is kept, and know one keeper by name.
    connection.emit('config', { langfuseEnabled: true })
    const restoration = restoreRuns(context, shared).catch((error: unknown) => report(error, 'socket.io'))
    return async (received) => {
      await restoration
      try {
        const answer = await handleMessage(context, received, types)
        received.acknowledge?.(answer)
      } catch (error) {
        if (!isServiceError(error) || error.code === 'internal') report(error, 'socket.io')
        const { message: words, code, retryAfter } = toFailure(error)
        received.acknowledge?.({ error: words, code, ...(retryAfter !== undefined && { retryAfter }) })
        await sendError(error, received, context, options)
      }
    }
  }
}

async function handleMessage(
  context: SocketContext,
  received: SocketMessage,
  types: ReadonlyMap<string, MessageHandler>,
): Promise<Json> {
  const { type, data } = parseMessage(received)
  const handler = types.get(type)
  if (handler) return handler(context, data)
  throw new ServiceError('invalid-request', `type: must be one of ${[...types.keys()].join(', ')}.`)
}

/** The event `abort_run` is the same as a message of that type. */
function parseMessage({ name, payload }: SocketMessage): { type: string; data: Json } {
  const body = limitJsonDepth((payload ?? {}) as Json)
  if (name === 'abort_run') return { type: name, data: body }
  if (name !== 'message')
    throw new ServiceError('invalid-request', `There is no event ${name.slice(0, 40)}: send message.`)
  const { type, data } = parseBody(messageSchema, body)
  return { type, data: data ?? {} }
}

/**
 * Sends an error in the order of its thread's events: a client that tracks only the latest run would otherwise
 * attribute it to another one.
 */
async function sendError(
  error: unknown,
  { payload }: SocketMessage,
  context: SocketContext,
  { threads }: UseAiOptions,
): Promise<void> {
  const names = namesSchema.safeParse(payload).data?.data ?? {}
  const thread = names.threadId && (await threads.find(context.connection.userId, names.threadId))
  context.followedRuns.sendEvent(thread ? thread.id : undefined, errorEvent(error), names)
}

/** Resumes the runs that a client followed before its connection broke, in any process. */
async function restoreRuns(
  { connection, followedRuns }: SocketContext,
  options: UseAiOptions & { pageToolSockets: PageToolSockets },
): Promise<void> {
  const { runs, pageToolSockets: all } = options
  const { offset = '', userId } = connection
  const places = offset.split(',').slice(0, 100)
  const found = await Promise.all(
    places.map(async (place) => {
      const [, runId, after, watched] = /^(run_[\w-]{12}):([\w.-]{1,40})(:w)?$/.exec(place) ?? []
      const run = runId === undefined ? undefined : await findRun(runs, userId, runId)
      if (!run || after === undefined) return []
      return [{ run, after: await locateOrBegin(run, after, options), watched: watched !== undefined }]
    }),
  )
  for (const { run, after, watched } of found.flat()) {
    const watches = watched || !all.assign(run, connection)
    followedRuns.follow(run, { after, watches })
    if (!watches) await failLostResults({ run, seen: Number.parseInt(after, 10) }, connection, options)
  }
}

/** A run of which the client has another log is sent from its start, which replaces what the client has of it. */
async function locateOrBegin(
  run: Run,
  cursor: string,
  { fanOut }: Pick<UseAiOptions, 'fanOut'>,
): Promise<string> {
  try {
    return formatCursor(await fanOut.locate(run, cursor))
  } catch (error) {
    if (isServiceError(error, 'cursor-ahead') || isServiceError(error, 'cursor-unknown')) return '0'
    // Its reader is told.
    return cursor
  }
}
