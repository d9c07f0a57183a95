import type { AgentServices } from '../agents/index.ts'
import { needsToken, type Config } from '../config/config.ts'
import { createSafeFetch, type SafeFetchOptions } from '../safe-fetch/index.ts'
import { version } from '../version.ts'

type Ports = Omit<AgentServices, 'settings' | 'safeFetch' | 'home' | 'env' | 'requiresToken'> &
  Pick<SafeFetchOptions, 'downloadPlace'>

/** What the server gives to each agent module, apart from the module's own settings. */
export function createAgentServices(config: Config, ports: Ports): Omit<AgentServices, 'settings'> {
  const { downloadPlace, ...others } = ports
  return {
    ...others,
    home: config.home,
    env: config.env,
    requiresToken: needsToken(config),
    safeFetch: createSafeFetch({ ...config, version, ...(downloadPlace && { downloadPlace }) }),
  }
}
