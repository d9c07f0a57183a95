import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import {
  validateInput,
  type ApprovalContext,
  type Tool,
  type EngineCall,
  type Validation,
} from '../agents/index.ts'
import { describeMistakes } from '../describe-mistakes.ts'
import type { Json, Run } from '../events/index.ts'
import type { FindTool } from './current-tools.ts'
import { repairInput } from './repair-input.ts'
import { failed, failedTool, isForeseen, type Failed } from './tool-failure.ts'

/** A call that may run: its tool, and its input as the tool's schema returns it. */
export type CheckedCall = { readonly tool: Tool; readonly value: unknown }

export type CheckOptions = {
  readonly run: Run
  readonly findTool: FindTool
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
}

/** Finds the tool of a call and validates the input. Returns nothing if the run is aborted meanwhile. */
export async function checkCall(
  options: CheckOptions,
  call: EngineCall,
): Promise<CheckedCall | Failed | undefined> {
  const tool = await options.findTool(call.tool)
  if ('failure' in tool) return tool
  const input = readableInput(call)
  if ('failure' in input) return input
  return guard(options, tool, async (awaitSettled) => {
    const validation = await validateLeniently(tool, input.value, awaitSettled)
    if (!validation.issues) return { tool, value: validation.value }
    return failed(
      'invalid-input',
      `The input of ${tool.name} is not as it must be. ${describeMistakes(validation.issues)}`,
    )
  })
}

/** Validates an input. If it is refused, what models often write is amended, and validated again. */
async function validateLeniently(
  { inputSchema }: Tool,
  input: Json,
  awaitSettled: AwaitSettled,
): Promise<Validation> {
  const first = await awaitSettled(validateInput(inputSchema, input))
  let value = input
  let { issues } = first
  for (const isLast of [false, true]) {
    const repaired = issues && repairInput(value, issues, isLast)
    if (repaired === undefined) continue
    value = repaired
    const again = await awaitSettled(validateInput(inputSchema, value))
    if (!again.issues) return again
    issues = again.issues
  }
  // The model reads what is wrong with what it wrote.
  return first
}

/** Checks a call that the model has just made, and whether a person must approve it first. */
export async function checkNewCall(
  options: CheckOptions,
  callId: string,
  call: EngineCall,
): Promise<(CheckedCall & { readonly needsApproval: boolean }) | Failed | undefined> {
  const checked = await checkCall(options, call)
  if (!checked || 'failure' in checked) return checked
  const { tool, value } = checked
  const scope = scopeOf(options.run, callId)
  return guard(options, tool, async (awaitSettled) => ({
    ...checked,
    needsApproval: await awaitSettled(tool.needsApproval(value, scope)),
  }))
}

/** What the functions of a tool get before its call begins. */
export function scopeOf({ id: runId, userId, threadId, request }: Run, callId: string): ApprovalContext {
  return { callId, runId, userId, threadId, context: request.context }
}

/** The input of a call, unless the model wrote no JSON. */
export function readableInput({ tool, input }: Pick<EngineCall, 'tool' | 'input'>): { value: Json } | Failed {
  if ('value' in input) return input
  return failed('invalid-input', `The input of ${tool} ${input.problem ?? 'is no valid JSON'}.`)
}

type AwaitSettled = <T>(value: T | PromiseLike<T>) => T | Promise<T>

/** Runs code of the tool before the call begins. A promise has at most the time of a hook, and ends with the run. */
async function guard<T>(
  { signal, report }: CheckOptions,
  tool: Tool,
  check: (settled: AwaitSettled) => Promise<T>,
): Promise<T | Failed | undefined> {
  try {
    return await check((value) =>
      isPromiseLike(value)
        ? withTimeout(signal, Math.min(tool.timeoutMs, HOOK_TIMEOUT_MS), async () => value)
        : value,
    )
  } catch (error) {
    if (signal.aborted) return undefined
    if (!isForeseen(error)) report(error)
    return failedTool(tool.name, error)
  }
}

function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}
