import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { parseJson, type Json } from 'dragoman/events'
import { parseBody, useAi } from 'dragoman/protocols'
import { formatCursor } from 'dragoman/fan-out'
import { openQuestions, createAgUiRuns, findRun, IGNORED_ANSWER_ERRORS } from 'dragoman/surfaces'
import type { Holders } from './holders.ts'
import type { MessageType, SocketApiOptions } from './line.ts'
import { moduleMessage } from './module-message.ts'
import { namesIn, namesOf } from './names.ts'
import { withVerdict } from './verdict.ts'

type Options = SocketApiOptions & { readonly holders: Holders }

const result = z.looseObject({ toolCallId: z.string(), content: z.json(), error: z.string().nullish() })
const aborted = z.looseObject({ runId: z.string().nullish() })
const followed = z.looseObject({
  threadId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  after: z.string().exactOptional(),
})
const feedback = z.looseObject({ messageId: z.string() })

/** What a client may say, in a `message`. */
export function messageTypes(options: Options): Map<string, MessageType> {
  return new Map<string, MessageType>([
    ['run_agent', runAgent(options)],
    ...options.moduleMessages.map((each) => [each.type, moduleMessage(each, options)] as const),
    ['tool_result', toolResult(options)],
    ['abort_run', abortRun(options)],
    ['follow_run', followRun(options)],
    ['message_feedback', messageFeedback(options)],
  ])
}

/** Where it brings what a run waits for, as its client's whole history does, that run goes on. */
function runAgent({ agents, defaultAgent, holders, ...ports }: Options): MessageType {
  const { startOrResume } = createAgUiRuns(ports)
  return async ({ connection, followed: all }, data) => {
    const { userId } = connection
    const request = useAi.parse(data)
    const { agent = defaultAgent } = request
    if (!agents.some(({ id }) => id === agent)) {
      const known = agents.map(({ id }) => id).join(', ')
      const sentence = `forwardedProps.agent: there is no agent ${agent.slice(0, 80)}; there are ${known}.`
      throw new ServiceError('not-found', sentence)
    }
    all.check()
    const asking = { userId, agent, protocol: useAi, policy: 'enqueue' } as const
    const { run, after, view } = await startOrResume(await withVerdict(request, asking, ports), asking)
    const place = after ? formatCursor(after) : '0'
    all.follow(run, { after: place, watches: !holders.join(run, connection), as: namesIn(view, run) })
    return { ok: true, runId: run.id }
  }
}

/** From any socket of the user's. What is not waited for is passed over: its sender may have been told late that it is not. */
function toolResult({ runs, noted, holders }: Options): MessageType {
  return async ({ connection, followed: all }, data) => {
    const { userId } = connection
    const { toolCallId, content, error: failed } = parseBody(result, data)
    const output = typeof content === 'string' ? (parseJson(content) ?? content) : content
    const answer = failed ? { kind: 'error' as const, message: failed } : { kind: 'output' as const, output }
    try {
      // The id of a call begins with its run's.
      const run = await runs.get(userId, toolCallId.slice(0, toolCallId.lastIndexOf('.')))
      const entries = await runs.structure(run)
      // What follows an approval bears the name of the run that asked.
      const isApproval = openQuestions(entries).get(toolCallId)?.kind === 'approval'
      await runs.answer(run, { callId: toolCallId, answer, ...(isApproval && { key: run.key }) }, userId)
      if (isApproval) {
        const after = String(entries.at(-1)?.seq ?? 0)
        all.follow(run, { after, watches: !holders.join(run, connection) })
      }
      return { ok: true, runId: run.id }
    } catch (error) {
      if (!isServiceError(error) || !IGNORED_ANSWER_ERRORS.has(error.code)) throw error
      noted({ passedOver: 'tool_result', callId: toolCallId.slice(0, 80), because: error.code })
      return { error: error.message, code: error.code }
    }
  }
}

function abortRun({ runs }: Options): MessageType {
  return async ({ connection: { userId }, followed: all }, data) => {
    const { runId } = parseBody(aborted, data)
    const own = all.named(runId ?? undefined)
    const named = own.length > 0 || !runId ? undefined : await findRun(runs, userId, runId)
    const found = named ? [named] : own
    const stopped = await Promise.all(found.map((run) => runs.stop(run, userId)))
    return { ok: true, stopped: stopped.includes(true) }
  }
}

/** Follows a run that was begun elsewhere or before: by our id, or as its conversation's latest. Who asks again for one that nobody holds is asked from then on. */
function followRun({ runs, threads, holders }: Options): MessageType {
  return async ({ connection, followed: all }, data) => {
    const { threadId, runId, after = '0' } = parseBody(followed, data)
    const { userId } = connection
    const thread =
      runId === undefined && threadId !== undefined ? await threads.get(userId, threadId) : undefined
    const run =
      runId === undefined ? thread && (await runs.current(thread.id)) : await runs.get(userId, runId)
    if (!run)
      throw new ServiceError(
        thread ? 'not-found' : 'invalid-request',
        thread ? 'This conversation has no run yet.' : 'data: must have a runId or a threadId.',
      )
    const holds = holders.join(run, connection)
    const answer: Json = { ok: true, ...namesOf(run), id: run.id, watches: !holds }
    if (all.isWatching(run.id) === undefined) {
      all.check()
      all.follow(run, { after, watches: !holds })
    } else if (holds) await all.takeOver(run.id)
    return answer
  }
}

/** There is no place for it: it is taken, and gone. */
function messageFeedback({ noted }: Options): MessageType {
  return async (_line, data) => {
    const { messageId } = parseBody(feedback, data)
    noted({ passedOver: 'message_feedback', messageId: messageId.slice(0, 80) })
    return { ok: true }
  }
}
