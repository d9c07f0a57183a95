import { setImmediate as immediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import type { EngineEvent, EngineHost, EngineJob, ToolOutcome } from '../../agents/index.ts'
import {
  textOf,
  type AssistantMessage,
  type FinishReason,
  type Json,
  type ToolPart,
} from '../../events/index.ts'
import { ServiceError } from '../../errors.ts'
import type { AnswerBuilder } from '../answer-builder.ts'
import { applyOutcome } from '../apply-outcome.ts'
import { toUsage, type ReportedUsage } from '../reported-usage.ts'
import type { CustomPart } from './custom-job.ts'

/** Writes the parts of a custom engine's answer as steps of a run. */
export interface CustomWriter {
  write(part: CustomPart): Promise<void>
  /** @throws the signal's reason if the run is stopped or waits */
  callTool(tool: string, input: Json): Promise<ToolOutcome>
  /** Closes what is open. A run that has written nothing gets an empty step. */
  end(): Promise<void>
  /** Whether the agent's steps are used up. */
  readonly isOver: boolean
}

type WriterOptions = {
  readonly name: string
  readonly job: EngineJob
  readonly host: EngineHost
  readonly answer: AnswerBuilder
  /** Rejects with the signal's reason. */
  readonly abortion: Promise<never>
}

export function createCustomWriter(options: WriterOptions): CustomWriter {
  const { job, host, answer, abortion } = options
  const recorded = recordedCalls(job.partialAnswer)
  const step = createStepWriter(options)
  /** The end of a step with calls: it lasts until they have their outcomes. */
  let stepEnd: Promise<void> | undefined
  let isEnding = false
  let calls = 0

  /** Calls that are made together belong to one step. The host suspends a run only once its step has ended. */
  const endStep = async (): Promise<void> => {
    await immediate()
    isEnding = false
    await step.finish(step.count >= job.stepsLeft ? 'step-limit' : 'tool-calls')
  }
  const begin = async (): Promise<void> => {
    if (!step.isOpen) await stepEnd
    await step.begin()
  }
  return {
    get isOver() {
      return step.isOver
    },
    async write(part) {
      if (isEnding) await stepEnd
      await begin()
      await step.write(typeof part === 'string' ? { type: 'text', text: part } : part)
    },
    async callTool(tool, input) {
      const recordedCall = recorded.take(tool, input)
      if (recordedCall) return recordedCall
      requireTool(tool, job)
      await begin()
      const callId = `call-${(calls += 1)}`
      const pending = step
        .call(callId, tool, input)
        .then(() => host.call({ callId, tool, input: { value: input } }))
      pending.catch(() => undefined)
      if (!isEnding) {
        isEnding = true
        stepEnd = endStep()
        stepEnd.catch(() => undefined)
      }
      const outcome = await Promise.race([pending, abortion])
      applyOutcome(answer, callId, outcome)
      // A call that depends on this outcome belongs to the next step.
      await Promise.race([stepEnd, abortion])
      return outcome
    },
    async end() {
      await stepEnd
      if (!step.isOpen && step.count > 0) return
      await begin()
      await step.finish('stop')
    },
  }
}

/** A name that is wrong in the engine's own code. The run would go on with a failed call, as if a model had made it. */
function requireTool(tool: string, { tools }: EngineJob): void {
  if (tools.some(({ name }) => name === tool)) return
  const names = tools.map(({ name }) => name).join(', ')
  throw new ServiceError(
    'invalid-request',
    `callTool: ${JSON.stringify(tool)} is not a tool of this run. ` +
      (names === '' ? 'It has none: add the tool to the tools of the agent.' : `Use one of ${names}.`),
  )
}

type OpenPart = { readonly type: 'text' | 'reasoning'; readonly partId: string }

/** Writes one step after the other. */
function createStepWriter({ name, job, host, answer }: WriterOptions) {
  const emit = (event: EngineEvent): void | Promise<void> => {
    answer.apply(event)
    return host.emit(event)
  }
  let count = 0
  let isOpen = false
  let isOver = false
  const part = createPartWriter(emit)
  let usageReport: ReportedUsage | undefined
  let before = answer.message
  return {
    get count() {
      return count
    },
    get isOpen() {
      return isOpen
    },
    get isOver() {
      return isOver
    },
    async begin(): Promise<void> {
      if (isOpen) return
      if (isOver) throw new Error('The steps of this run are used up.')
      isOpen = true
      count += 1
      before = answer.message
      await emit({ type: 'step.started', model: name })
    },
    async write(input: Exclude<CustomPart, string>): Promise<void> {
      switch (input.type) {
        case 'text':
        case 'reasoning':
          return input.text === '' ? undefined : part.say(input.type, input.text)
        case 'data':
          return emit(input)
        case 'usage':
          usageReport = { ...NO_USAGE, input: input.inputTokens, output: input.outputTokens }
          return undefined
        default:
          throw new TypeError(
            `A custom engine yields text, reasoning, data or usage: ${JSON.stringify(input)}`,
          )
      }
    },
    async call(callId: string, tool: string, input: Json): Promise<void> {
      await part.close()
      await emit({ type: 'tool.called', callId, tool, input })
    },
    async finish(reason: FinishReason): Promise<void> {
      await part.close()
      isOpen = false
      isOver = reason === 'step-limit'
      const outputText = textOf(answer.message).slice(textOf(before).length)
      const usage = toUsage(usageReport, () => ({ input: job.agent.instructions, output: outputText }))
      usageReport = undefined
      await emit({ type: 'step.finished', reason, usage })
    },
  }
}

/** Writes texts and reasoning: consecutive pieces of one type are one part. */
function createPartWriter(emit: (event: EngineEvent) => void | Promise<void>) {
  let open: OpenPart | undefined
  let count = 0
  const close = async (): Promise<void> => {
    const closing = open
    open = undefined
    if (closing) await emit({ type: `${closing.type}.ended`, partId: closing.partId })
  }
  return {
    close,
    async say(type: OpenPart['type'], text: string): Promise<void> {
      if (open?.type !== type) {
        await close()
        open = { type, partId: `part-${(count += 1)}` }
        await emit({ type: `${type}.started`, partId: open.partId })
      }
      await emit({ type: `${type}.delta`, partId: open.partId, delta: text })
    },
  }
}

const NO_USAGE: ReportedUsage = {
  input: undefined,
  output: undefined,
  reasoning: undefined,
  cached: undefined,
}

/** The calls of the attempts before this one. Each is given once. */
function recordedCalls(partialAnswer: AssistantMessage | undefined) {
  const remaining = (partialAnswer?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool')
  return {
    take(tool: string, input: Json): ToolOutcome | undefined {
      const at = remaining.findIndex((part) => part.tool === tool && isDeepStrictEqual(part.input, input))
      const [part] = at < 0 ? [] : remaining.splice(at, 1)
      if (!part) return undefined
      const { failure, output = null, text = '' } = part
      return failure ? { ok: false, output: null, text: failure.message } : { ok: true, output, text }
    },
  }
}
