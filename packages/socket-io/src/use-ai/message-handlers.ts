import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { findJsonExcess, isForPerson, parseJson, type Json } from 'dragoman/events'
import { useAi } from '@dragoman/ag-ui/protocol'
import { anyJson, parseBody } from 'dragoman/protocols'
import { formatCursor } from 'dragoman/fan-out'
import { createAgUiRuns, findRun, openQuestions, rangeAfterAnswer } from '@dragoman/ag-ui/routes'
import { isLateAnswer } from 'dragoman/surfaces'
import type { PageToolSockets } from './page-tool-sockets.ts'
import type { MessageHandler, UseAiOptions } from './socket-context.ts'
import { handleModuleMessage } from './handle-module-message.ts'
import { runNamesIn, runNames } from './run-names.ts'
import { questionEvents } from './question-events.ts'
import { applyTextApproval } from './apply-text-approval.ts'
import { storeFeedback } from './store-feedback.ts'

type Options = UseAiOptions & { readonly pageToolSockets: PageToolSockets }

/** A tool that returns nothing has no content. */
const resultSchema = z.looseObject({
  toolCallId: z.string(),
  content: anyJson.default(null),
  error: z.string().nullish(),
})
const abortSchema = z.looseObject({ runId: z.string().nullish() })
const followSchema = z.looseObject({
  threadId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  after: z.string().exactOptional(),
})

/** The message types of clients and their handlers. */
export function createMessageHandlers(options: Options): Map<string, MessageHandler> {
  return new Map<string, MessageHandler>([
    ['run_agent', runAgent(options)],
    ...options.moduleMessages.map((each) => [each.type, handleModuleMessage(each, options)] as const),
    ['tool_result', toolResult(options)],
    ['abort_run', abortRun(options)],
    ['follow_run', followRun(options)],
    ['message_feedback', storeFeedback(options)],
  ])
}

/** A request that contains answers, as a client's full history does, resumes the waiting run. */
function runAgent({ agents, defaultAgent, pageToolSockets, ...ports }: Options): MessageHandler {
  const { startOrResume } = createAgUiRuns(ports)
  return async ({ connection, followedRuns: all }, data) => {
    const { userId } = connection
    const request = useAi.parse(data)
    const { agent = defaultAgent } = request
    if (!agents.some(({ id }) => id === agent)) {
      const ids = agents.map(({ id }) => id).join(', ')
      const sentence = `forwardedProps.agent: there is no agent ${agent.slice(0, 80)}; there are ${ids}.`
      throw new ServiceError('not-found', sentence)
    }
    all.checkRoom()
    const runOptions = { userId, agent, protocol: useAi, policy: 'enqueue' } as const
    const applied = await applyTextApproval(request, runOptions, ports, all.questionSeqs)
    if ('text' in applied) {
      const names = runNamesIn(request.view, applied.run)
      for (const event of questionEvents(applied, names)) all.sendEvent(applied.run.threadId, event, names)
      all.questionSeqs.set(applied.run.id, applied.seq)
      return { ok: true, runId: applied.run.id }
    }
    const { run, after, view } = await startOrResume(applied, runOptions)
    const cursor = after ? formatCursor(await ports.fanOut.locate(run, after)) : '0'
    all.follow(run, {
      after: cursor,
      watches: !pageToolSockets.assign(run, connection),
      as: runNamesIn(view, run),
    })
    return { ok: true, runId: run.id }
  }
}

/**
 * Accepted from any socket of the user. A result that is no longer expected is ignored: its sender may not know yet.
 */
function toolResult({ runs, fanOut, logMessage, pageToolSockets }: Options): MessageHandler {
  return async ({ connection, followedRuns: all }, data) => {
    const { userId } = connection
    const { toolCallId, content, error: failed } = parseBody(resultSchema, data)
    const isJson = typeof content === 'string' && !findJsonExcess(content)
    const output = isJson ? (parseJson(content) ?? content) : content
    const answer = failed ? { kind: 'error' as const, message: failed } : { kind: 'output' as const, output }
    try {
      // A call id starts with its run's id.
      const run = await runs.get(userId, toolCallId.slice(0, toolCallId.lastIndexOf('.')))
      // Events after an approval or a form carry the name of the run that asked.
      const { key } = run
      const isQuestion = isForPerson(openQuestions(await runs.structure(run)).get(toolCallId))
      await runs.answer(run, { callId: toolCallId, answer, ...(isQuestion && { key }) }, userId)
      if (isQuestion) {
        const calls = new Set([toolCallId])
        const { after } = rangeAfterAnswer(await runs.structure(run), { key, calls }, useAi)
        all.follow(run, {
          after: formatCursor(await fanOut.locate(await runs.get(userId, run.id), after)),
          watches: !pageToolSockets.assign(run, connection),
        })
      }
      return { ok: true, runId: run.id }
    } catch (error) {
      if (!isLateAnswer(error)) throw error
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

/**
 * Follows a run that was started elsewhere or earlier, by its id or as its thread's latest. A repeated request takes
 * over a run without an assigned socket.
 */
function followRun({ runs, threads, fanOut, pageToolSockets }: Options): MessageHandler {
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
    const place = formatCursor(await fanOut.locate(run, after))
    const isAssigned = pageToolSockets.assign(run, connection)
    const answer: Json = { ok: true, ...runNames(run), id: run.id, watches: !isAssigned }
    if (all.isWatching(run.id) === undefined) {
      all.checkRoom()
      all.follow(run, { after: place, watches: !isAssigned })
    } else if (isAssigned) await all.takeOver(run.id)
    return answer
  }
}
