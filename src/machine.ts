import type { Agent, Machine } from './agent/index.ts'
import type { Config } from './config.ts'
import { toolModel, type Models } from './models/index.ts'
import { outward } from './outward/index.ts'
import { version } from './version.ts'

type Ports = {
  readonly models: Models
  readonly agents: (id: string) => Agent
  readonly report: (error: unknown, where: string) => void
  readonly contextOf: Machine['contextOf']
}

/** What capabilities may use of this machine. `agents` are asked for only once there are any. */
export function machineOf(config: Config, { models, agents, report, contextOf }: Ports): Machine {
  return {
    report: (error) => report(error, 'capability'),
    sources: config.sources,
    roots: config.roots,
    commandTimeout: config.commandTimeout,
    home: config.home,
    env: config.env,
    contextOf,
    outward: outward({ ...config, version }),
    model: (id) => toolModel(() => models.choose(agents(id).model)),
  }
}
