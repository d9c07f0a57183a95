import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { parseJson, type Json } from 'dragoman/events'
import { parseBody, useAi } from 'dragoman/protocols'
import { formatCursor } from 'dragoman/fan-out'
import { openQuestions, createAgUiRuns, findRun, IGNORED_ANSWER_ERRORS } from 'dragoman/surfaces'
import type { PageToolSockets } from './page-tool-sockets.ts'
import type { MessageHandler, UseAiOptions } from './socket-context.ts'
import { handleModuleMessage } from './handle-module-message.ts'
import { runNamesIn, runNames } from './run-names.ts'
import { withSpokenApproval } from './spoken-approval.ts'

type Options = UseAiOptions & { readonly pageToolSockets: PageToolSockets }

const resultSchema = z.looseObject({ toolCallId: z.string(), content: z.json(), error: z.string().nullish() })
const abortSchema = z.looseObject({ runId: z.string().nullish() })
const followSchema = z.looseObject({
  threadId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  after: z.string().exactOptional(),
})
const feedbackSchema = z.looseObject({ messageId: z.string() })

/** What a client may say, in a `message`. */
export function createMessageHandlers(options: Options): Map<string, MessageHandler> {
  return new Map<string, MessageHandler>([
    ['run_agent', runAgent(options)],
    ...options.moduleMessages.map((each) => [each.type, handleModuleMessage(each, options)] as const),
    ['tool_result', toolResult(options)],
    ['abort_run', abortRun(options)],
    ['follow_run', followRun(options)],
    ['message_feedback', messageFeedback(options)],
  ])
}

/** Where it brings what a run waits for, as its client's whole history does, that run goes on. */
function runAgent({ agents, defaultAgent, pageToolSockets, ...ports }: Options): MessageHandler {
  const { startOrResume } = createAgUiRuns(ports)
  return async ({ connection, followedRuns: all }, data) => {
    const { userId } = connection
    const request = useAi.parse(data)
    const { agent = defaultAgent } = request
    if (!agents.some(({ id }) => id === agent)) {
      const known = agents.map(({ id }) => id).join(', ')
      const sentence = `forwardedProps.agent: there is no agent ${agent.slice(0, 80)}; there are ${known}.`
      throw new ServiceError('not-found', sentence)
    }
    all.checkRoom()
    const runOptions = { userId, agent, protocol: useAi, policy: 'enqueue' } as const
    const { run, after, view } = await startOrResume(
      await withSpokenApproval(request, runOptions, ports),
      runOptions,
    )
    const cursor = after ? formatCursor(after) : '0'
    all.follow(run, {
      after: cursor,
      watches: !pageToolSockets.assign(run, connection),
      as: runNamesIn(view, run),
    })
    return { ok: true, runId: run.id }
  }
}

/** From any socket of the user's. What is not waited for is passed over: its sender may have been told late that it is not. */
function toolResult({ runs, logMessage, pageToolSockets }: Options): MessageHandler {
  return async ({ connection, followedRuns: all }, data) => {
    const { userId } = connection
    const { toolCallId, content, error: failed } = parseBody(resultSchema, data)
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
        all.follow(run, { after, watches: !pageToolSockets.assign(run, connection) })
      }
      return { ok: true, runId: run.id }
    } catch (error) {
      if (!isServiceError(error) || !IGNORED_ANSWER_ERRORS.has(error.code)) throw error
      logMessage({ passedOver: 'tool_result', callId: toolCallId.slice(0, 80), because: error.code })
      return { error: error.message, code: error.code }
    }
  }
}

function abortRun({ runs }: Options): MessageHandler {
  return async ({ connection: { userId }, followedRuns: all }, data) => {
    const { runId } = parseBody(abortSchema, data)
    const ownRuns = all.find(runId ?? undefined)
    const named = ownRuns.length > 0 || !runId ? undefined : await findRun(runs, userId, runId)
    const found = named ? [named] : ownRuns
    const stopped = await Promise.all(found.map((run) => runs.stop(run, userId)))
    return { ok: true, stopped: stopped.includes(true) }
  }
}

/** Follows a run that was begun elsewhere or before: by our id, or as its conversation's latest. Who asks again for one that nobody holds is asked from then on. */
function followRun({ runs, threads, pageToolSockets }: Options): MessageHandler {
  return async ({ connection, followedRuns: all }, data) => {
    const { threadId, runId, after = '0' } = parseBody(followSchema, data)
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
    const isAssigned = pageToolSockets.assign(run, connection)
    const answer: Json = { ok: true, ...runNames(run), id: run.id, watches: !isAssigned }
    if (all.isWatching(run.id) === undefined) {
      all.checkRoom()
      all.follow(run, { after, watches: !isAssigned })
    } else if (isAssigned) await all.takeOver(run.id)
    return answer
  }
}

/** There is no place for it: it is taken, and gone. */
function messageFeedback({ logMessage }: Options): MessageHandler {
  return async (_line, data) => {
    const { messageId } = parseBody(feedbackSchema, data)
    logMessage({ passedOver: 'message_feedback', messageId: messageId.slice(0, 80) })
    return { ok: true }
  }
}
