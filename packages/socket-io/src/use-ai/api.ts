import { z } from 'zod'

import { isServiceError, ServiceError, toFailure } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { parseBody } from 'dragoman/protocols'
import { limitJsonDepth } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { Heard, Take } from '../transport/inbox.ts'
import { findRun } from 'dragoman/surfaces'
import { errorEvent } from './error.ts'
import { followings } from './followings.ts'
import { holders, type Holders } from './holders.ts'
import type { Line, MessageType, SocketApiOptions } from './line.ts'
import { failLostResults } from './lost-results.ts'
import { messageTypes } from './messages.ts'

const message = z.object({ type: z.string(), data: z.json().optional() })
/** What a request calls itself, as far as that can be told: longer names than may be are not said back. */
const spoken = z.string().max(200).exactOptional().catch('')
const named = z.object({ data: z.object({ threadId: spoken, runId: spoken }) })

/** Every agent over Socket.IO, in the words of use-ai's clients. */
export function socketIoApi(options: SocketApiOptions): (connection: Connection) => Take {
  const { agents, defaultAgent, report } = options
  const shared = { ...options, holders: holders() }
  const types = messageTypes(shared)
  return (connection) => {
    const followed = followings(connection, shared)
    const line = { connection, followed }
    connection.emit('agents', { agents: [...agents], defaultAgent })
    const back = comeBack(line, shared).catch((error: unknown) => report(error, 'socket.io'))
    return async (heard) => {
      await back
      try {
        const answer = await taken(line, heard, types)
        heard.acknowledge?.(answer)
      } catch (error) {
        if (!isServiceError(error) || error.code === 'internal') report(error, 'socket.io')
        const { message: words, code, retryAfter } = toFailure(error)
        heard.acknowledge?.({ error: words, code, ...(retryAfter !== undefined && { retryAfter }) })
        await tell(error, heard, line, options)
      }
    }
  }
}

async function taken(line: Line, heard: Heard, types: ReadonlyMap<string, MessageType>): Promise<Json> {
  const { type, data } = wordsOf(heard)
  const take = types.get(type)
  if (take) return take(line, data)
  throw new ServiceError('invalid-request', `type: must be one of ${[...types.keys()].join(', ')}.`)
}

/** Also the event `abort_run`, which says alone what a message of that type says. */
function wordsOf({ name, said }: Heard): { type: string; data: Json } {
  if (ArrayBuffer.isView(said)) throw new ServiceError('invalid-request', 'Bytes are sent as text in base64.')
  const body = limitJsonDepth((said ?? {}) as Json)
  if (name === 'abort_run') return { type: name, data: body }
  if (name !== 'message')
    throw new ServiceError('invalid-request', `There is no event ${name.slice(0, 40)}: send message.`)
  const { type, data = {} } = parseBody(message, body)
  return { type, data }
}

/** What is wrong with a request is told in its conversation's turn: to a client that knows only the last word of a run it would else be that of another. */
async function tell(
  error: unknown,
  { said }: Heard,
  line: Line,
  { threads }: SocketApiOptions,
): Promise<void> {
  const names = named.safeParse(said).data?.data ?? {}
  const thread = names.threadId && (await threads.find(line.connection.userId, names.threadId))
  line.followed.say(thread ? thread.id : undefined, errorEvent(error), names)
}

/** Goes on with the runs that a client followed when its line broke, also where another process had it then. */
async function comeBack(
  { connection, followed }: Line,
  options: SocketApiOptions & { holders: Holders },
): Promise<void> {
  const { runs, holders: all } = options
  const { offset = '', userId } = connection
  const places = offset.split(',').slice(0, 100)
  const found = await Promise.all(
    places.map(async (place) => {
      const [, runId, after, watched] = /^(run_[\w-]{12}):(\d+(?:\.\d+)?)(:w)?$/.exec(place) ?? []
      const run = runId === undefined ? undefined : await findRun(runs, userId, runId)
      return run && after !== undefined ? [{ run, after, watched: watched !== undefined }] : []
    }),
  )
  for (const { run, after, watched } of found.flat()) {
    const watches = watched || !all.join(run, connection)
    followed.follow(run, { after, watches })
    if (!watches) await failLostResults({ run, seen: Number.parseInt(after, 10) }, connection, options)
  }
}
