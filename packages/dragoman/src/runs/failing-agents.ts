import type { AgentEngine } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { ResolvedAgent } from './ports.ts'

/** Agents and engines that fail a run which nothing else can drive, with the reason. */

export function failingEngine(reason: unknown): AgentEngine {
  return { name: 'failing', run: () => Promise.reject(reason) }
}

/** For an agent that this server does not have any more: its runs must not hold their threads for ever. */
export function unknownAgent(id: string): ResolvedAgent {
  return failingAgent(id, new ServiceError('unavailable', `The agent ${id} is not here any more.`))
}

/** For a detached run of another process: its words were meant for its own model, and for no other. */
export function interruptedAgent(id: string): ResolvedAgent {
  return failingAgent(
    id,
    new ServiceError('interrupted', 'The server was interrupted before the answer was complete.'),
  )
}

function failingAgent(id: string, reason: ServiceError): ResolvedAgent {
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
      throw reason
    },
    engine: failingEngine(reason),
  }
}
