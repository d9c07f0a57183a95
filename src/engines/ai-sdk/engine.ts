import {
  emptyMessage,
  estimateTokens,
  fold,
  type AssistantMessage,
  type RunEvent,
} from '../../events/index.ts'
import type { ModelChoice, Models } from '../../models/index.ts'
import type { AgentEngine, EngineCall, EngineEvent, EngineHost, EngineJob } from '../engine.ts'
import { toModelMessages } from './messages.ts'
import { translator } from './translate.ts'

type Sdk = typeof import('ai')

/**
 * Drives a model through the AI SDK, one `streamText` a step. Its tools have no `execute`: every call goes to the host, and the next
 * step's messages are built from what the log says, so that a run that goes on after a crash goes the same road.
 */
export function aiSdkEngine(models: Models): AgentEngine {
  return {
    name: 'ai-sdk',
    async run(job, host) {
      const chosen = models.choose(job.agent.model)
      // Loaded at first use: a server that has just started should not wait for it.
      const [sdk, model] = await Promise.all([import('ai'), chosen.load()])
      const answer = answerSoFar()
      for (let step = 1; step <= job.stepsLeft && !host.signal.aborted; step++) {
        await answer.told(host, { type: 'step.started', model: chosen.name })
        if (await runStep({ sdk, chosen, model, job, host, answer, step })) return
      }
    },
  }
}

/** What this run has said, folded as the log will be: the next step's request is made from it. */
function answerSoFar() {
  let message: AssistantMessage = emptyMessage('')
  const note = (event: RunEvent): void => {
    message = fold(message, event)
  }
  return {
    note,
    told(host: EngineHost, event: EngineEvent): void | Promise<void> {
      note(event)
      return host.emit(event)
    },
    get message() {
      return message
    },
  }
}

type Step = {
  sdk: Sdk
  chosen: ModelChoice
  model: Awaited<ReturnType<ModelChoice['load']>>
  job: EngineJob
  host: EngineHost
  answer: ReturnType<typeof answerSoFar>
  step: number
}

/** One call of the model and the tools that it asked for. True when there is nothing more to do. */
async function runStep({ sdk, chosen, model, job, host, answer, step }: Step): Promise<boolean> {
  const provider = chosen.name.split(':')[0] ?? chosen.name
  const messages = toModelMessages([...job.history, answer.message], provider)
  const inputTokens = (): number => estimateTokens(job.agent.instructions + JSON.stringify(messages))
  const hear = translator(step, provider, inputTokens)
  const { stream } = sdk.streamText({
    model,
    instructions: job.agent.instructions,
    messages,
    tools: Object.fromEntries(
      job.tools.map(({ name, description, inputSchema }) => [
        name,
        sdk.tool({
          description,
          inputSchema: sdk.jsonSchema(inputSchema as Parameters<Sdk['jsonSchema']>[0]),
        }),
      ]),
    ),
    ...(job.agent.model.temperature !== undefined && { temperature: job.agent.model.temperature }),
    maxRetries: 0,
    abortSignal: host.signal,
    // Errors come in the stream; the default would print them.
    onError: () => undefined,
  })

  const outcomes: Promise<void>[] = []
  let finish: EngineEvent | undefined
  try {
    for await (const part of stream) {
      const heard = hear(part)
      if (heard.kind === 'aborted') return true
      if (heard.kind === 'error') throw heard.error
      if (heard.kind === 'finish')
        finish = { type: 'step.finished', reason: heard.reason, usage: heard.usage }
      if (heard.kind === 'events') for (const event of heard.events) await answer.told(host, event)
      if (heard.kind === 'call') {
        await answer.told(host, heard.event)
        outcomes.push(settled(host, heard.call, answer))
      }
    }
  } catch (error) {
    if (host.signal.aborted) return true
    throw chosen.failure(error)
  } finally {
    await Promise.all(outcomes)
  }
  if (finish?.type !== 'step.finished') throw chosen.failure(new Error('The stream ended early.'))
  const more = outcomes.length > 0
  await answer.told(host, more && step === job.stepsLeft ? { ...finish, reason: 'step-limit' } : finish)
  return !more
}

async function settled(host: EngineHost, call: EngineCall, answer: Step['answer']): Promise<void> {
  const { ok, output, text } = await host.call(call)
  const { callId } = call
  if (ok) answer.note({ type: 'tool.returned', callId, output, text })
  else
    answer.note({
      type: 'tool.failed',
      callId,
      failure: { code: 'tool-failed', message: text, retryable: false },
    })
}
