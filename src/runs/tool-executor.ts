import { z } from 'zod'

import type { ServerTool, ToolResult } from '../agent/index.ts'
import type { EngineCall, ToolOutcome } from '../engines/index.ts'
import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import type { Failure, Json, Run, RunEvent } from '../events/index.ts'
import { progressMeter } from './progress-meter.ts'

/** A tool that ignores its signal is left behind after so many ms. */
const GRACE_MS = 150

export type ToolExecutor = {
  /** Runs one call and writes its outcome: what fails is an outcome too. @throws what the store refused, when the run is over */
  execute(callId: string, call: EngineCall): Promise<ToolOutcome>
}

/**
 * Runs tools at most once each: `tool.executing` is in the log before a tool begins, and its outcome before the model reads it.
 * `report` is told what a tool threw that we did not foresee.
 */
export function toolExecutor(options: {
  run: Run
  tools: ReadonlyMap<string, ServerTool>
  signal: AbortSignal
  write: (event: RunEvent) => void
  flush: () => Promise<unknown>
  report: (error: unknown, callId: string) => void
}): ToolExecutor {
  const { run, tools, signal, write, flush, report } = options

  const settle = async (callId: string, outcome: Outcome): Promise<ToolOutcome> => {
    if ('failure' in outcome) write({ type: 'tool.failed', callId, failure: outcome.failure })
    else write({ type: 'tool.returned', callId, output: outcome.output, text: outcome.text })
    await flush()
    if ('failure' in outcome) return { ok: false, output: null, text: outcome.failure.message }
    return { ok: true, output: outcome.output, text: outcome.text }
  }

  return {
    async execute(callId, call) {
      const heard = (error: unknown): void => report(error, callId)
      const tool = tools.get(call.tool)
      const input = validInput(tool, call, heard)
      if ('failure' in input || !tool) return settle(callId, input as Failed)
      if (signal.aborted)
        return settle(callId, failed('aborted', 'The run was stopped before this tool began.'))

      write({ type: 'tool.executing', callId })
      await flush()
      const meter = progressMeter((news) => write({ type: 'tool.progressed', callId, ...news }))
      const { id: runId, userId, request } = run
      const outcome = await runTool(tool, input.value, {
        signal,
        report: heard,
        call: {
          callId,
          runId,
          key: `${runId}/${callId}`,
          userId,
          context: request.context,
          progress: meter.add,
        },
      }).finally(meter.end)
      return settle(callId, outcome)
    },
  }
}

type Failed = { readonly failure: Failure }
type Outcome = ToolResult | Failed

function failed(code: ConstructorParameters<typeof ServiceError>[0], message: string): Failed {
  return { failure: toFailure(new ServiceError(code, message)) }
}

function validInput(
  tool: ServerTool | undefined,
  { tool: name, input }: EngineCall,
  report: (error: unknown) => void,
): { value: unknown } | Failed {
  if (!tool) return failed('unknown-tool', `There is no tool named ${name}.`)
  if ('unreadable' in input) {
    return failed('invalid-input', `The input of ${name} is no valid JSON.`)
  }
  try {
    const parsed = tool.input.safeParse(input.value)
    if (parsed.success) return { value: parsed.data }
    return failed(
      'invalid-input',
      `The input of ${name} is not as it must be. ${z.prettifyError(parsed.error)}`,
    )
  } catch (error) {
    // A transform of the schema threw.
    if (!isServiceError(error)) report(error)
    return { failure: toolFailure(name, error) }
  }
}

type ToolRun = {
  signal: AbortSignal
  report: (error: unknown) => void
  call: Omit<Parameters<ServerTool['execute']>[1], 'signal'>
}

/** The outcome of one try: what it returned or threw, or that its time is over, or that it was left behind. */
async function runTool(
  tool: ServerTool,
  input: unknown,
  { signal, report, call }: ToolRun,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(tool.timeoutMs)
  const either = AbortSignal.any([signal, timeout])
  let left = false

  const execute = async (): Promise<Outcome> =>
    checked(tool, await tool.execute(input, { ...call, signal: either }))
  const work = execute().catch((error: unknown): Outcome => {
    if (either.aborted) return stoppedOutcome(tool, timeout.aborted)
    // Its caller has gone on, and what it throws now reaches nobody else.
    if (left || !(error instanceof ServiceError)) report(error)
    return { failure: toolFailure(tool.name, error) }
  })
  const abandoned = afterAbort(either, GRACE_MS)
  try {
    return await Promise.race([
      work,
      abandoned.promise.then((): Outcome => {
        left = true
        return leftBehind(tool, timeout.aborted)
      }),
    ])
  } finally {
    abandoned.cancel()
  }
}

/** A tool's words reach the model: those of an unforeseen error may hold a path or a key. */
function toolFailure(tool: string, error: unknown): Failure {
  if (error instanceof ServiceError) return toFailure(error)
  return toFailure(new ServiceError('tool-failed', `${tool} failed for a reason that it did not foresee.`))
}

function checked(tool: ServerTool, result: ToolResult): Outcome {
  const output = toJson(result.output)
  return output === undefined
    ? failed('tool-failed', `${tool.name} returned what JSON cannot hold.`)
    : { output, text: result.text }
}

/** As JSON has it: what is written is what was given. */
function toJson(output: unknown): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(output ?? null)) as Json
  } catch {
    return undefined
  }
}

function stoppedOutcome(tool: ServerTool, timedOut: boolean): Failed {
  if (timedOut) return failed('timed-out', `${tool.name} took longer than ${tool.timeoutMs / 1000} s.`)
  return failed('aborted', `${tool.name} was stopped.`)
}

/** It may still do its work, unseen. */
function leftBehind(tool: ServerTool, timedOut: boolean): Failed {
  if (tool.idempotent) return stoppedOutcome(tool, timedOut)
  return failed(
    'outcome-unknown',
    `${tool.name} did not stop when it was told to: whether it has done its work is not known.`,
  )
}

function afterAbort(signal: AbortSignal, ms: number): { promise: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const start = (): void => {
    timer = setTimeout(resolve, ms)
  }
  if (signal.aborted) start()
  else signal.addEventListener('abort', start, { once: true })
  return {
    promise,
    cancel: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', start)
    },
  }
}
