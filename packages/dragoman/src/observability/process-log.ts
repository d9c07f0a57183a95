import { pino } from 'pino'

import { isServiceError } from '../errors.ts'
import type { Run } from '../events/index.ts'
import type { RunActivity } from './attempt-tracker.ts'
import { prettyLog } from './pretty-log.ts'

/** What the process tells of itself: a line of JSON each on standard error, for standard output carries the ready line alone. */
export interface ProcessLog {
  info(fields: object, message: string): void
  /** A sentence on what is configured wrongly, and was passed over. */
  warn(problem: string): void
  /** That another process goes on with a run that this one drove: it was frozen too long. */
  runLost(runId: string): void
  /** An error that no code has foreseen and no request or run has caused: the process closes and exits. */
  crash(error: unknown): void
  /** Why the process does not do what it was started for. */
  refusal(error: Error): void
  /**
   * An error, and the run or work in which it happened. A refusal with a code, as of a model provider, is one
   * warning. An unforeseen error has
   * its stack. A database that cannot be used has its own words (a full disk).
   */
  report(error: unknown, where: string): void
  /** A request and its answer, at level debug. */
  request(line: object): void
  /** Whether runs are told of, at level debug: how each begins, and how it ends or is parked, by ids and numbers. */
  readonly logsRuns: boolean
  runStart(run: Run): void
  runActivity(run: Run, activity: RunActivity): void
}

export function createProcessLog(level: string): ProcessLog {
  const lines = pino(
    { level, base: null, serializers: { err: serializeError } },
    process.stderr.isTTY ? prettyLog(process.stderr) : pino.destination({ dest: 2, sync: true }),
  )
  return {
    info: (fields, message) => lines.info(fields, message),
    warn: (problem) => lines.warn({ problem }, 'passed over'),
    runLost: (runId) => lines.warn({ runId }, 'another process has taken the run over'),
    crash: (err) => lines.fatal({ err }, 'unforeseen error: the server closes and exits'),
    refusal: ({ message }) => lines.fatal({ reason: message }, 'refused'),
    report(err, where) {
      const reason =
        isServiceError(err, 'unavailable') && err.cause instanceof Error ? err.cause.message : undefined
      if (reason !== undefined) lines.error({ reason, where }, 'unavailable')
      else if (!isServiceError(err) || err.code === 'internal') lines.error({ err, where }, 'unforeseen')
      else {
        lines.warn({ code: err.code, reason: err.message, where }, 'failed')
        lines.debug({ err, where }, 'its cause')
      }
    },
    request: (line) => lines.debug(line, 'answered'),
    logsRuns: lines.isLevelEnabled('debug'),
    runStart: (run) => lines.debug({ ...namesOf(run), protocol: run.reply.protocol }, 'run begun'),
    runActivity(run, activity) {
      if (activity.type !== 'attempt') return
      const { outcome, error, model, steps, usage, start, end } = activity
      const { inputTokens, outputTokens } = usage
      const line = { outcome, error, model, steps, inputTokens, outputTokens, ms: end - start }
      lines.debug({ ...namesOf(run), ...line }, 'run over')
    },
  }
}

function namesOf({ id: runId, threadId, agent, userId, epoch: attempt }: Run): object {
  return { runId, threadId, agent, userId, attempt }
}

const MAX_CAUSES = 4

/** An error without what a provider answered: its words may quote a key. */
function serializeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: String(error.code) } : {}
  if ('responseBody' in error || 'requestBodyValues' in error) {
    return { type: error.name, ...('statusCode' in error && { statusCode: Number(error.statusCode) }) }
  }
  return {
    type: error.name,
    ...code,
    message: error.message,
    stack: error.stack,
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: serializeError(error.cause, depth + 1) }),
  }
}
