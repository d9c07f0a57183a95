import type { ServerTool, ToolResult } from '../agent/index.ts'
import { isServiceError, ServiceError, toFailure, type ErrorCode } from '../errors.ts'
import type { Failure, Json } from '../events/index.ts'

/** A tool that ignores its signal is left behind after so many ms. */
const GRACE_MS = 150

export type Failed = { readonly failure: Failure }
export type Outcome = ToolResult | Failed

export function failed(code: ErrorCode, message: string): Failed {
  return { failure: toFailure(new ServiceError(code, message)) }
}

/** A tool's words reach the model: those of an unforeseen error may hold a path or a key. */
export function failedTool(tool: string, error: unknown): Failed {
  if (error instanceof ServiceError) return { failure: toFailure(error) }
  return failed('tool-failed', `${tool} failed for a reason that it did not foresee.`)
}

type ToolRun = {
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
  readonly call: Omit<Parameters<ServerTool['execute']>[1], 'signal'>
}

/** The outcome of one try: what it returned or threw, or that its time is over, or that it was left behind. */
export async function runTool(
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
    // A tool that was stopped after it had sent its work away knows that best.
    const isUnknown = isServiceError(error, 'outcome-unknown')
    if (either.aborted && !isUnknown) return stoppedOutcome(tool, timeout.aborted)
    // Its caller has gone on, and what it throws now reaches nobody else.
    if (left || !(error instanceof ServiceError)) report(error)
    return failedTool(tool.name, error)
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
