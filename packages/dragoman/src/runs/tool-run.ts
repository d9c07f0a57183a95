import type { Tool, ToolResult } from '../agents/index.ts'
import { raceAbort } from '../async/index.ts'
import { isServiceError } from '../errors.ts'
import { failed, failedTool, isForeseen, type Failed } from './tool-failure.ts'

/** A tool that ignores its signal is left behind after so many ms. */
const GRACE_MS = 150

export type Outcome = Pick<ToolResult, 'output' | 'text'> | Failed

type ToolRun = {
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
  readonly call: Omit<Parameters<Tool['execute']>[1], 'signal'>
}

/** The outcome of one try: what it returned or threw, or that its time is over, or that it was left behind. */
export async function runTool(
  tool: Tool,
  input: unknown,
  { signal, report, call }: ToolRun,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(tool.timeoutMs)
  const either = AbortSignal.any([signal, timeout])
  let left = false

  const execute = async (): Promise<Outcome> => tool.execute(input, { ...call, signal: either })
  const work = execute().catch((error: unknown): Outcome => {
    // A tool that was stopped after it had sent its work away knows that best.
    const isUnknown = isServiceError(error, 'outcome-unknown')
    if (either.aborted && !isUnknown) return stoppedOutcome(tool, timeout.aborted)
    // Its caller has gone on, and what it throws now reaches nobody else.
    if (left || !isForeseen(error)) report(error)
    return failedTool(tool.name, error)
  })
  const onAbandoned = (): Outcome => {
    left = true
    return leftBehind(tool, timeout.aborted)
  }
  return raceAbort(work, either, onAbandoned, GRACE_MS)
}

function stoppedOutcome(tool: Tool, timedOut: boolean): Failed {
  if (timedOut) return failed('timed-out', `${tool.name} took longer than ${tool.timeoutMs / 1000} s.`)
  return failed('aborted', `${tool.name} was stopped.`)
}

/** It may still do its work, unseen. */
function leftBehind(tool: Tool, timedOut: boolean): Failed {
  if (tool.idempotent) return stoppedOutcome(tool, timedOut)
  return failed(
    'outcome-unknown',
    `${tool.name} did not stop when it was told to: whether it has done its work is not known.`,
  )
}
