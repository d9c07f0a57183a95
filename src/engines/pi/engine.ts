import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type * as Pi from '@earendil-works/pi-agent-core'

import type { Models } from '../../models/index.ts'
import type { AgentEngine, EngineJob } from '../engine.ts'
import type { Step } from '../step.ts'
import { stepsOf, type Steps } from '../steps.ts'
import { taken } from './translate.ts'
import { noModel, toolsOf, turnOf } from './turn.ts'

/**
 * Has pi drive the loop: turn after turn, the tools between them, and its end. What the model says goes to the host as it comes, past pi's
 * own events, and each request is written from what the log says, not from pi's transcript: pi hears of a turn when it is over, and then
 * only of its calls.
 */
export function piEngine(models: Models): AgentEngine {
  return {
    name: 'pi',
    async run(job, host) {
      const [pi, { createAssistantMessageEventStream }, steps] = await Promise.all([
        import('@earendil-works/pi-agent-core'),
        import('@earendil-works/pi-ai/utils/event-stream'),
        stepsOf(models, job, host),
      ])
      let step = await steps.next()
      let heard: Step | undefined

      const streamFn: Pi.StreamFn = async () => {
        heard = step
        if (step) await hear(steps, step, job)
        const stream = createAssistantMessageEventStream()
        stream.push(turnOf(step?.calls.made ?? [], host.signal.aborted))
        return stream
      }
      // Left to itself, pi would ask once more after an abort, and knows no limit.
      const finishTurn: Pi.FinishTurn = async () => {
        step = await steps.next()
        return step ? undefined : { action: 'end' }
      }
      const context = { messages: [], tools: toolsOf(job, async (callId) => step?.calls.outcome(callId)) }
      const config = { model: noModel, convertToLlm: () => [], finishTurn }
      // pi's loop ends after a turn without calls: what the user has said meanwhile begins it again.
      while (step && step !== heard)
        await pi.runAgentLoop([], context, config, () => undefined, host.signal, streamFn)
    },
  }
}

function hear({ model, settings, hear: listen }: Steps, step: Step, job: EngineJob): Promise<void> {
  const request: LanguageModelV4CallOptions = {
    ...settings,
    prompt: [{ role: 'system', content: step.instructions }, ...step.prompt],
    ...functionsOf(job),
    toolChoice: { type: step.closing ? 'none' : 'auto' },
  }
  return listen<LanguageModelV4StreamPart>(step, {
    open: async (abortSignal) => (await model.doStream({ ...request, abortSignal })).stream,
    take: taken(step),
  })
}

/** The true schemas: what the model writes by them is judged by the host. */
function functionsOf({ tools }: EngineJob): Pick<LanguageModelV4CallOptions, 'tools'> {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'],
    })),
  }
}
