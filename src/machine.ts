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
  readonly remember: Machine['remember']
  readonly delegate: Machine['delegate']
  readonly search: Machine['search']
}

/** What capabilities may use of this machine. `agents` are asked for only once there are any. */
export function machineOf(
  config: Config,
  { models, agents, report, contextOf, remember, delegate, search }: Ports,
): Machine {
  return {
    report: (error) => report(error, 'capability'),
    sections: config.sections,
    roots: config.roots,
    commandTimeout: config.commandTimeout,
    home: config.home,
    env: config.env,
    contextOf,
    remember,
    delegate,
    search,
    outward: outward({ ...config, version }),
    model: (id) => toolModel(() => models.choose(agents(id).model)),
  }
}
