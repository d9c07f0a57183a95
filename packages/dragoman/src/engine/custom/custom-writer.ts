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
import type { Answer } from '../answer.ts'
import { usageOf, type Spent } from '../spent.ts'
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
  readonly answer: Answer
  /** Rejects with the signal's reason. */
  readonly stopped: Promise<never>
}

export function customWriter(options: WriterOptions): CustomWriter {
  const { job, host, answer, stopped } = options
  const recorded = settledCalls(job.partialAnswer)
  const step = stepWriter(options)
  /** The end of a step with calls: it lasts until they have their outcomes. */
  let ending: Promise<void> | undefined
  let isEnding = false
  let calls = 0

  /** Calls that are made together belong to one step. The host suspends a run only once its step has ended. */
  const endStep = async (): Promise<void> => {
    await immediate()
    isEnding = false
    await step.finish(step.count >= job.stepsLeft ? 'step-limit' : 'tool-calls')
  }
  const begin = async (): Promise<void> => {
    if (!step.isOpen) await ending
    await step.begin()
  }
  return {
    get isOver() {
      return step.isOver
    },
    async write(part) {
      if (isEnding) await ending
      await begin()
      await step.write(typeof part === 'string' ? { type: 'text', text: part } : part)
    },
    async callTool(tool, input) {
      const known = recorded.take(tool, input)
      if (known) return known
      await begin()
      const callId = `call-${(calls += 1)}`
      const called = step
        .call(callId, tool, input)
        .then(() => host.call({ callId, tool, input: { value: input } }))
      called.catch(() => undefined)
      if (!isEnding) {
        isEnding = true
        ending = endStep()
        ending.catch(() => undefined)
      }
      const outcome = await Promise.race([called, stopped])
      noteOutcome(answer, callId, outcome)
      // A call that depends on this outcome belongs to the next step.
      await Promise.race([ending, stopped])
      return outcome
    },
    async end() {
      await ending
      if (!step.isOpen && step.count > 0) return
      await begin()
      await step.finish('stop')
    },
  }
}

type OpenPart = { readonly type: 'text' | 'reasoning'; readonly partId: string }

/** Writes one step after the other. */
function stepWriter({ name, job, host, answer }: WriterOptions) {
  const emit = (event: EngineEvent): void | Promise<void> => {
    answer.note(event)
    return host.emit(event)
  }
  let count = 0
  let isOpen = false
  let isOver = false
  const part = partWriter(emit)
  let spent: Spent | undefined
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
    async write(given: Exclude<CustomPart, string>): Promise<void> {
      switch (given.type) {
        case 'text':
        case 'reasoning':
          return given.text === '' ? undefined : part.say(given.type, given.text)
        case 'data':
          return emit(given)
        case 'usage':
          spent = { ...NOT_SPENT, input: given.inputTokens, output: given.outputTokens }
          return undefined
        default:
          throw new TypeError(
            `A custom engine yields text, reasoning, data or usage: ${JSON.stringify(given)}`,
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
      const said = textOf(answer.message).slice(textOf(before).length)
      const usage = usageOf(spent, () => ({ asked: job.agent.instructions, said }))
      spent = undefined
      await emit({ type: 'step.finished', reason, usage })
    },
  }
}

/** Writes texts and reasoning: consecutive pieces of one type are one part. */
function partWriter(emit: (event: EngineEvent) => void | Promise<void>) {
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

const NOT_SPENT: Spent = { input: undefined, output: undefined, reasoning: undefined, cached: undefined }

function noteOutcome(answer: Answer, callId: string, { ok, output, text }: ToolOutcome): void {
  if (ok) return answer.note({ type: 'tool.returned', callId, output, text })
  const failure = { code: 'tool-failed', message: text, retryable: false }
  return answer.note({ type: 'tool.failed', callId, failure })
}

/** The calls of the attempts before this one. Each is given once. */
function settledCalls(soFar: AssistantMessage | undefined) {
  const left = (soFar?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool')
  return {
    take(tool: string, input: Json): ToolOutcome | undefined {
      const at = left.findIndex((part) => part.tool === tool && isDeepStrictEqual(part.input, input))
      const [part] = at < 0 ? [] : left.splice(at, 1)
      if (!part) return undefined
      const { failure, output = null, text = '' } = part
      return failure ? { ok: false, output: null, text: failure.message } : { ok: true, output, text }
    },
  }
}
