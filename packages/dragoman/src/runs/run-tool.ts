import {
  ToolError,
  toolResult,
  type Tool,
  type ToolContext,
  type ToolResult,
  type UserQuestion,
} from '../agents/index.ts'
import { guardSignal, raceAbort } from '../async/index.ts'
import { isServiceError } from '../errors.ts'
import { toJson, type DataEvent, type Json } from '../events/index.ts'
import { createToolClock, type ToolClock } from './tool-clock.ts'
import { failed, failedTool, isForeseen, type Failed } from './tool-failure.ts'

/** A tool that ignores its signal is abandoned after so many ms. */
const TOOL_GRACE_MS = 150
/** Progress is written at most ten times a second, and at most 4 KB each time; a preliminary output may be larger. */
const PROGRESS_INTERVAL_MS = 100
const MAX_PROGRESS_BYTES = 4096
const MAX_PRELIMINARY_CHARACTERS = 32 * 1024
const DATA_NAME = /^[\w-]{1,64}$/

export type Outcome = Pick<ToolResult, 'output' | 'text' | 'data' | 'files'> | Failed

type ToolRun = {
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
  readonly onProgress: (progress: Progress) => void
  readonly onData: (data: DataEvent) => void
  readonly call: Omit<ToolContext, 'signal' | 'progress' | 'data' | 'ask'>
  /** Asks the user. The tool's time stands still meanwhile. */
  readonly ask: (question: UserQuestion, clock: ToolClock) => Promise<Json>
}

/** Runs a tool once: it returns or throws, its time is over, or it is abandoned. */
export async function runTool(
  tool: Tool,
  input: unknown,
  { signal, report, onProgress, onData, call, ask }: ToolRun,
): Promise<Outcome> {
  const clock = createToolClock(tool.timeoutMs)
  const { signal: timeout } = clock
  const either = AbortSignal.any([signal, timeout])
  const guarded = guardSignal(either, report)
  clock.go()
  let isAbandoned = false
  const progress = throttleProgress(onProgress)
  let isOver = false
  const data: ToolContext['data'] = (name, value, options) => {
    const event = toDataEvent(name, value, options)
    // A tool that was abandoned may still write.
    if (!isOver) onData(event)
  }

  const execute = async (): Promise<Outcome> => {
    // The log takes the outcome: a result may be made by hand, or changed after it was made.
    const result = await tool.execute(input, {
      ...call,
      signal: guarded.signal,
      progress: progress.add,
      data,
      // What the schema of the question returns.
      ask: async <Value>(question: UserQuestion<Value>) =>
        (await ask(question as UserQuestion, clock)) as Value,
    })
    const { output, text, data: attachment, files } = result
    return toolResult({ output, text: requireText(tool, text), data: attachment, files })
  }
  const work = execute().catch((error: unknown): Outcome => {
    // The tool was stopped after it had sent its work away.
    const isUnknown = isServiceError(error, 'outcome-unknown')
    if (either.aborted && !isUnknown) return stoppedOutcome(tool, timeout.aborted)
    // An abandoned tool has no caller to throw to.
    if (isAbandoned || !isForeseen(error)) report(error)
    return failedTool(tool.name, error)
  })
  const onAbandoned = (): Outcome => {
    isAbandoned = true
    return abandonedOutcome(tool, timeout.aborted)
  }
  return raceAbort(work, either, onAbandoned, TOOL_GRACE_MS).finally(() => {
    isOver = true
    clock.stop()
    guarded.release()
    progress.end()
  })
}

function stoppedOutcome(tool: Tool, timedOut: boolean): Failed {
  if (timedOut) return failed('timed-out', `${tool.name} took longer than ${tool.timeoutMs / 1000} s.`)
  return failed('aborted', `${tool.name} was stopped.`)
}

/** It may still do its work, unseen. */
function abandonedOutcome(tool: Tool, timedOut: boolean): Failed {
  if (tool.idempotent) return stoppedOutcome(tool, timedOut)
  return failed(
    'outcome-unknown',
    `${tool.name} did not stop when it was told to: whether it has done its work is not known.`,
  )
}

function toDataEvent(
  name: string,
  value: unknown,
  { id, transient }: NonNullable<Parameters<ToolContext['data']>[2]> = {},
): DataEvent {
  if (!DATA_NAME.test(name))
    throw new ToolError(
      `The name of a data part has 1 to 64 letters, digits, hyphens and underscores, not ${name}.`,
    )
  const { data } = toolResult({ output: null, text: '', data: { name, value } })
  return {
    type: 'data',
    name,
    value: data?.value ?? null,
    ...(id !== undefined && { id }),
    ...(transient && { transient }),
  }
}

type Progress = { delta?: string; output?: Json; preliminary?: true }
type ProgressUpdate = Parameters<ToolContext['progress']>[0]

/** Limits how often a tool's progress is written: what comes in between is joined, the newest output wins. */
function throttleProgress(write: (progress: Progress) => void): {
  add(progress: ProgressUpdate): void
  end(): void
} {
  let pending: Progress | undefined
  let timer: NodeJS.Timeout | undefined
  let over = false

  const flush = (): void => {
    if (pending) write(pending)
    timer = pending && setTimeout(flush, PROGRESS_INTERVAL_MS)
    pending = undefined
  }
  return {
    add(progress) {
      // A tool that was abandoned may still report.
      if (over) return
      pending = join(pending ?? {}, progress)
      if (pending && !timer) flush()
    },
    end() {
      over = true
      clearTimeout(timer)
      timer = undefined
      if (pending) write(pending)
      pending = undefined
    },
  }
}

/** The log holds JSON, whatever else the tool has put in. What is too large is passed over. */
function smallOutput(output: unknown, maxCharacters: number): Json | undefined {
  if (output === undefined) return undefined
  try {
    return toJson(output, { maxCharacters })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function requireText(tool: Tool, text: unknown): string {
  if (typeof text === 'string') return text
  throw new ToolError(`${tool.name} has run, but the text of its result is a ${typeof text}.`)
}

/** Keeps the end of too long a text, and leaves too large an output out. */
function join(before: Progress, progress: ProgressUpdate): Progress | undefined {
  const delta = ((before.delta ?? '') + (progress.delta ?? '')).slice(-MAX_PROGRESS_BYTES / 4)
  const maxCharacters = progress.preliminary ? MAX_PRELIMINARY_CHARACTERS : MAX_PROGRESS_BYTES / 2
  const newest = smallOutput(progress.output, maxCharacters)
  const output = newest ?? before.output
  const preliminary = newest === undefined ? before.preliminary : progress.preliminary
  if (delta === '' && output === undefined) return undefined
  return {
    ...(delta !== '' && { delta }),
    ...(output !== undefined && { output }),
    ...(preliminary && { preliminary: true }),
  }
}
