import type * as Sdk from 'ai'

import {
  emptyMessage,
  estimateTokens,
  fold,
  type AssistantMessage,
  type RunEvent,
} from '../../events/index.ts'
import type { ModelChoice, Models, Speaker } from '../../models/index.ts'
import type { AgentEngine, EngineCall, EngineEvent, EngineHost, EngineJob } from '../engine.ts'
import { toModelMessages } from './messages.ts'
import { translator, type Heard } from './translate.ts'

/**
 * Drives a model through the AI SDK, one `streamText` a step. Its tools have no `execute`: every call goes to the host, and the next
 * step's messages are built from what the log says, so that a run that goes on after a crash goes the same road.
 */
export function aiSdkEngine(models: Models): AgentEngine {
  return {
    name: 'ai-sdk',
    async run(job, host) {
      const chosen = models.choose(job.agent.model)
      let speaker: Speaker = { name: chosen.name, provider: chosen.name.split(':')[0] ?? chosen.name }
      const [sdk, model] = await Promise.all([loadSdk(), chosen.load((by) => (speaker = by))])
      const answer = answerTo(host)
      for (let step = 1; step <= job.stepsLeft && !host.signal.aborted; step++) {
        if (await runStep({ sdk, chosen, model, job, answer, step, speaker: () => speaker })) return
      }
    },
  }
}

/** Loaded at first use: a server that has just started should not wait for it. Its warnings would go to standard error, unasked. */
function loadSdk(): Promise<typeof Sdk> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}

/** What this run says: told to the host, and folded as the log will be, for the next step's request is made from it. */
type Answer = {
  readonly host: EngineHost
  readonly message: AssistantMessage
  tell(event: EngineEvent): void | Promise<void>
  /** Has the host run a call, and takes note of its outcome. */
  call(call: EngineCall): Promise<void>
}

function answerTo(host: EngineHost): Answer {
  let message = emptyMessage('')
  const note = (event: RunEvent): void => {
    message = fold(message, event)
  }
  return {
    host,
    get message() {
      return message
    },
    tell(event) {
      note(event)
      return host.emit(event)
    },
    async call(call) {
      const { ok, output, text } = await host.call(call)
      const { callId } = call
      if (ok) note({ type: 'tool.returned', callId, output, text })
      else
        note({
          type: 'tool.failed',
          callId,
          failure: { code: 'tool-failed', message: text, retryable: false },
        })
    },
  }
}

type Step = {
  readonly sdk: typeof Sdk
  readonly chosen: ModelChoice
  readonly model: Sdk.LanguageModel
  readonly job: EngineJob
  readonly answer: Answer
  readonly step: number
  /** Who speaks, or spoke last. */
  readonly speaker: () => Speaker
}

/** One call of the model and the tools that it asked for. True when there is nothing more to do. */
async function runStep(at: Step): Promise<boolean> {
  const { answer, chosen, job, step } = at
  const { signal } = answer.host
  const outcomes: Promise<void>[] = []
  let finish: Extract<Heard, { kind: 'finish' }> | undefined
  let started = false
  try {
    for await (const heard of listen(at)) {
      if (heard.kind === 'aborted') return true
      // Only with its first word is it sure which model of a chain answers.
      if (heard.kind !== 'nothing' && !started) {
        started = true
        await answer.tell({ type: 'step.started', model: at.speaker().name })
      }
      if (heard.kind === 'error') throw heard.error
      if (heard.kind === 'finish') finish = heard
      if (heard.kind === 'event' || heard.kind === 'call') await answer.tell(heard.event)
      if (heard.kind === 'call') outcomes.push(heardLater(answer.call(heard.call)))
    }
    if (!finish && !signal.aborted) throw new Error('The stream has no end.')
  } catch (error) {
    if (signal.aborted) return true
    throw chosen.failure(error)
  } finally {
    await Promise.all(outcomes)
  }
  if (!finish) return true
  const more = outcomes.length > 0
  const reason = more && step === job.stepsLeft ? 'step-limit' : finish.reason
  await answer.tell({ type: 'step.finished', reason, usage: finish.usage })
  return !more
}

/** A promise that is awaited only when the model is done: what it throws before is heard then. */
function heardLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** The model's stream of one step, in our words. */
async function* listen({ sdk, model, job, answer, step, speaker }: Step): AsyncGenerator<Heard, void> {
  const { instructions, model: settings } = job.agent
  const provider = (): string => speaker().provider
  const messages = toModelMessages([...job.history, answer.message], provider())
  const hear = translator(step, provider, () => estimateTokens(instructions + JSON.stringify(messages)))
  const { stream } = sdk.streamText({
    model,
    instructions,
    messages,
    tools: Object.fromEntries(job.tools.map((tool) => [tool.name, described(sdk, tool)])),
    ...(settings.temperature !== undefined && { temperature: settings.temperature }),
    maxRetries: 0,
    abortSignal: answer.host.signal,
    // Errors come in the stream; the default would print them.
    onError: () => undefined,
  })
  for await (const part of stream) yield hear(part)
}

function described(
  sdk: typeof Sdk,
  { description, inputSchema }: EngineJob['tools'][number],
): Sdk.ToolSet[string] {
  return sdk.tool({
    description,
    inputSchema: sdk.jsonSchema(inputSchema as Parameters<typeof Sdk.jsonSchema>[0]),
  })
}
