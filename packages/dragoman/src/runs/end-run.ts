import { hideKeys, isServiceError, ServiceError, toFailure } from '../errors.ts'
import {
  addUsage,
  estimateTokens,
  isJsonObject,
  noUsage,
  type Failure,
  type Run,
  type TerminalEvent,
} from '../events/index.ts'
import { appendIf } from '../log/index.ts'
import { abortCause, type AbortCause } from './abort-cause.ts'
import { stopperOf } from './run-journal.ts'
import { MAX_ATTEMPTS } from './failed-attempts.ts'
import { maskRunFailure } from './mask-guest-failures.ts'
import type { RunContext } from './run-context.ts'
import type { EngineOutcome } from './run-engine.ts'
import type { RunTracker } from './run-tracker.ts'
import { noResult } from './tracker-state.ts'
import type { CallState } from './tool-calls.ts'

/**
 * Closes what is open and writes the terminal entry. What the user has done meanwhile comes first: a stop counts, and
 * a message is answered before the run may end.
 */
export async function endRun(
  context: RunContext,
  outcome: EngineOutcome,
  cause: AbortCause | undefined,
): Promise<'ended' | 'addressed'> {
  const { run, epoch, ports, writer, tracker, external, control } = context
  const error = outcome.kind === 'threw' && !cause ? outcome.error : undefined
  if (error !== undefined && !isForeseen(error)) ports.report(error, run.id)
  const closing = tracker.close(
    (state) => openCallFailure(state, cause),
    () => promptTokens(context),
  )
  let ending: Ending | undefined
  const entries = await appendIf(ports.log, run.id, async (isRetry) => {
    if (isRetry) await external.catchUp()
    // The answer is complete. A process that closes now has no reason to call it interrupted.
    const stop = isRetry ? abortCause(control.signal) : undefined
    const latest = cause ?? (stop?.kind === 'stopped' ? stop : undefined)
    const isAddressed = isRetry && external.pendingMessages().size > 0
    if (isAddressed && !latest && outcome.kind === 'returned') return undefined
    const ifLast = await writer.flush()
    const terminal = terminalEvent(run, { cause: latest, outcome }, endState(context))
    ending = { terminal, cause: latest }
    return { events: [...closing, terminal], epoch, ifLast }
  })
  if (entries && ending) {
    const by = stopperOf(ending.cause, ending.terminal)
    ports.journal?.ended(run, { terminal: ending.terminal, model: tracker.model, by, error })
    return 'ended'
  }
  for (const event of closing) void writer.write(event)
  await writer.flush()
  return 'addressed'
}

type Ending = { readonly terminal: TerminalEvent; readonly cause: AbortCause | undefined }

/** Whether the journal's line says all that is to be said of an error. */
export function isForeseen(error: unknown): boolean {
  return isServiceError(error) && error.code !== 'internal' && error.code !== 'unavailable'
}

/** What the model reads in a step that is cut off, by estimate. The call of another process is not known. */
export function promptTokens({ resolved, conversation, unanswered }: RunContext): number {
  return unanswered.promptTokens ?? estimateTokens(resolved.agent.instructions + JSON.stringify(conversation))
}

type EndState = Pick<RunTracker, 'usage' | 'reason' | 'hasStep'>

function endState({ tracker, unanswered }: RunContext): EndState {
  const { usage, reason, hasStep } = tracker
  const cut = unanswered.usage
  return { usage: cut === noUsage ? usage : addUsage(usage, cut), reason, hasStep }
}

/** How a call fails that has no outcome when its run ends. */
export function openCallFailure(state: CallState, cause: AbortCause | undefined): Failure {
  // Its tool may have done its work.
  if (state === 'executing') return outcomeUnknown
  if (state === 'asked') return unanswered
  if (state === 'provider' && cause === undefined) return noResult
  if (cause?.kind === 'stopped') return toFailure(new ServiceError('aborted', 'The run was stopped.'))
  return toFailure(new ServiceError('interrupted', 'The run ended before this call had an outcome.'))
}

const outcomeUnknown = toFailure(
  new ServiceError(
    'outcome-unknown',
    'The run ended while this tool ran: whether it has done its work is not known.',
  ),
)
const unanswered = toFailure(new ServiceError('unanswered', 'The run ended before this was answered.'))

/** How a run ends, by what made it end and by what its engine gave. */
export function terminalEvent(
  run: Run,
  { cause, outcome }: { readonly cause: AbortCause | undefined; readonly outcome: EngineOutcome },
  { usage, reason, hasStep }: EndState,
): TerminalEvent {
  if (cause?.kind === 'stopped') return { type: 'run.cancelled', by: cause.by, usage }
  if (cause) return { type: 'run.failed', failure: runFailure(run, errorOf(cause, run)), usage }
  if (outcome.kind === 'threw') {
    const error = hasStep || isServiceError(outcome.error) ? outcome.error : neverBegan(run)
    return { type: 'run.failed', failure: runFailure(run, error), usage }
  }
  return { type: 'run.finished', reason, usage }
}

/** In the language of the conversation, if the error has a sentence in it. */
export function runFailure(run: Run, error: unknown): Failure {
  const { context } = run.request
  const failure = withoutKeys(toFailure(error))
  const language = isJsonObject(context) ? context['language'] : undefined
  const isTranslated = isServiceError(error) && typeof language === 'string'
  return maskRunFailure(run, isTranslated ? { ...failure, message: error.messageIn(language) } : failure)
}

/** An engine may pass on what its service has said. */
function withoutKeys(failure: Failure): Failure {
  return { ...failure, message: hideKeys(failure.message) }
}

function errorOf(cause: Exclude<AbortCause, { kind: 'stopped' }>, { onCrash }: Run): ServiceError {
  if (cause.kind === 'failed') return cause.error
  if (cause.kind === 'deadline') return outOfTime(cause)
  return cause.kind === 'crashed' && onCrash === 'continue' ? givenUp() : interrupted()
}

function outOfTime({ seconds }: Extract<AbortCause, { kind: 'deadline' }>): ServiceError {
  return new ServiceError('timed-out', `The run was ended after ${seconds} s of work (limits.runSeconds).`, {
    translations: { zh: '这次回答用的时间太长了，已经停止，请再试一次。' },
  })
}

function interrupted(): ServiceError {
  return new ServiceError('interrupted', 'The server was interrupted before the answer was complete.', {
    translations: { zh: '服务器中断了，回答没有写完，请再试一次。' },
  })
}

/** The error of a run that ended before the model was asked. The words of what was thrown may hold a path or a key. */
function neverBegan({ agent }: Run): ServiceError {
  return new ServiceError(
    'internal',
    `The agent ${agent} failed before its first step. The server's log has the reason.`,
    { translations: { zh: `智能体 ${agent} 在开始之前出错了，原因见服务器日志。` } },
  )
}

/** The error of a run that no attempt has brought further. */
export function givenUp(): ServiceError {
  return new ServiceError(
    'interrupted',
    `The run was given up: ${MAX_ATTEMPTS} attempts in a row made no progress.`,
    {
      translations: { zh: `这次运行连续 ${MAX_ATTEMPTS} 次没有进展，已经放弃，请再试一次。` },
    },
  )
}
