import type * as Sdk from 'ai'

import type { Models } from '../../models/index.ts'
import type { AgentEngine, EngineJob } from '../engine.ts'
import { stepsOf } from '../steps.ts'
import { taken } from './translate.ts'

/**
 * Drives a model through the AI SDK, one call of it a step: the part of `streamText` that has no loop. Tools have no `execute`: every call
 * goes to the host, and the next step's messages are built from what the log says, so that a run that goes on after a crash goes the same
 * road.
 */
export function aiSdkEngine(models: Models): AgentEngine {
  return {
    name: 'ai-sdk',
    async run(job, host) {
      const [sdk, steps] = await Promise.all([loadSdk(), stepsOf(models, job, host)])
      const { model, settings } = steps
      const tools = toolsOf(sdk, job)
      for (let step = await steps.next(); step; step = await steps.next()) {
        await steps.hear(step, {
          open: async (abortSignal) => {
            const messages = [...step.prompt]
            const { stream } = await sdk.experimental_streamLanguageModelCall({
              ...settings,
              model,
              instructions: step.instructions,
              messages,
              tools,
              ...(step.closing && { toolChoice: 'none' as const }),
              abortSignal,
            })
            return stream
          },
          take: taken(step),
        })
      }
    },
  }
}

/** Loaded at first use: a server that has just started should not wait for it. Its warnings would go to standard error, unasked. */
function loadSdk(): Promise<typeof Sdk> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}

function toolsOf(sdk: typeof Sdk, { tools }: EngineJob): Sdk.ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      sdk.tool({
        description,
        inputSchema: sdk.jsonSchema(inputSchema as Parameters<typeof Sdk.jsonSchema>[0]),
      }),
    ]),
  )
}
