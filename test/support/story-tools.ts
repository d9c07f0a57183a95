import { z } from 'zod'

import { defineTool, ServiceError, toolResult, type Tool } from '../../packages/dragoman/src/index.ts'

export const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => toolResult({ output: { city, sky: 'rain' }, text: `Rain in ${city}.` }),
})

function throwing(name: string, error: Error): Tool {
  return defineTool({
    name,
    description: 'Fails.',
    inputSchema: z.object({}),
    execute: () => Promise.reject(error),
  })
}

const named = z.object({ name: z.string() })

/** In each run the slow one waits for the quick one. */
const quickIsDone = new Map<string, PromiseWithResolvers<void>>()

function quickOf(runId: string): PromiseWithResolvers<void> {
  const done = quickIsDone.get(runId) ?? Promise.withResolvers<void>()
  quickIsDone.set(runId, done)
  return done
}

/** Steps that the agent may take: more than all stories need but one. */
export const STORY_STEPS = 3

export const storyTools: readonly Tool[] = [
  weather,
  throwing('station', new ServiceError('tool-failed', 'The station is closed.')),
  throwing('radar', new Error('ENOENT /etc/secret')),
  defineTool({
    name: 'slow',
    description: 'Takes its time.',
    inputSchema: named,
    async execute({ name }, { runId }) {
      await quickOf(runId).promise
      return toolResult({ output: null, text: `slow ${name}` })
    },
  }),
  defineTool({
    name: 'quick',
    description: 'Is done at once.',
    inputSchema: named,
    async execute({ name }, { runId }) {
      quickOf(runId).resolve()
      return toolResult({ output: null, text: `quick ${name}` })
    },
  }),
]
