import type { AgentEngine } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { Staff } from './claimed.ts'

/** Who stands in where there is nobody to drive a run: it ends, and says why. */

/** In place of an engine that cannot be set to work. */
export function failing(why: unknown): AgentEngine {
  return { name: 'failing', run: () => Promise.reject(why) }
}

/** In place of an agent that is no longer here: its runs must not hold their threads for ever. */
export function absent(id: string): Staff {
  return nobody(id, new ServiceError('unavailable', `The agent ${id} is not here any more.`))
}

/** In place of those who drove a run that stands alone: its words were meant for their model, and for no other. */
export function left(id: string): Staff {
  return nobody(
    id,
    new ServiceError('interrupted', 'The server was interrupted before the answer was complete.'),
  )
}

function nobody(id: string, why: ServiceError): Staff {
  return {
    agent: {
      id,
      name: id,
      description: '',
      instructions: '',
      engine: '',
      maxSteps: 1,
      tools: [],
    },
    model: () => {
      throw why
    },
    engine: failing(why),
  }
}
