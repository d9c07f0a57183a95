import { z } from 'zod'

import { defineTool, ServiceError, type ServerTool } from '../../src/index.ts'

export const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  input: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ output: { city, sky: 'rain' }, text: `Rain in ${city}.` }),
})

function throwing(name: string, error: Error): ServerTool {
  return defineTool({
    name,
    description: 'Fails.',
    input: z.object({}),
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

export const storyTools: readonly ServerTool[] = [
  weather,
  throwing('station', new ServiceError('tool-failed', 'The station is closed.')),
  throwing('radar', new Error('ENOENT /etc/secret')),
  defineTool({
    name: 'slow',
    description: 'Takes its time.',
    input: named,
    async execute({ name }, { runId }) {
      await quickOf(runId).promise
      return { output: null, text: `slow ${name}` }
    },
  }),
  defineTool({
    name: 'quick',
    description: 'Is done at once.',
    input: named,
    async execute({ name }, { runId }) {
      quickOf(runId).resolve()
      return { output: null, text: `quick ${name}` }
    },
  }),
]
