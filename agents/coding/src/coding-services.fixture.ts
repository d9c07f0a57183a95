import { testServices } from '../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import { settings, type CodingServices } from './settings.ts'

/** The services of the coding agent with its default settings, but for what is given. For tests. */
export function codingServices(more: Partial<CodingServices> = {}): CodingServices {
  const { limits: commandLimits, ...defaults } = settings.parse({ limits: {} })
  return { ...testServices(), ...defaults, commandLimits, ...more }
}
