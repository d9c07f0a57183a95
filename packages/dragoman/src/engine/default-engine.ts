import type { Models } from '../models/index.ts'
import type { AgentEngine } from '../agents/index.ts'
import { createSteps } from './steps.ts'

/**
 * Drives a model with one loop over `LanguageModelV4.doStream`, one call a step. The host runs each tool call as
 * soon as it is complete. The next prompt is built from the log's events, so a run that continues after a crash
 * takes the same path.
 */
export function defaultEngine(models: Models): AgentEngine {
  return {
    name: 'default',
    async run(job, host) {
      const steps = await createSteps(models, job, host)
      for (let step = await steps.next(); step; step = await steps.next()) await steps.stream(step)
    },
  }
}
