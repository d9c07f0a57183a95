import type { AgentServices } from '../agents/index.ts'
import type { Config } from '../config/config.ts'
import type { SignInStore } from '../mcp/sign-in/sign-in-store.ts'
import { isConfigured, type Models } from '../models/index.ts'
import {
  applyAgentFiles,
  checkAgents,
  guardHooks,
  type AgentFactory,
  type ConfiguredModule,
} from '../modules/index.ts'
import type { ProcessLog } from '../observability/index.ts'
import type { createEngines } from './create-engines.ts'
import { createModules } from './create-modules.ts'

type ModulePorts = {
  readonly factories: readonly AgentFactory[]
  readonly log: ProcessLog
  readonly models: Models
  readonly services: Omit<AgentServices, 'settings'>
  readonly signIns: SignInStore
  readonly engines: Pick<ReturnType<typeof createEngines>, 'created'>
  /** The first parts of the paths that protocols have. */
  readonly paths: readonly string[]
}

/** Creates and checks the agent modules, then applies `agents/<id>/agent.json` of the home. */
export async function configureModules(
  config: Config,
  { factories, services, signIns, log, models, engines, paths }: ModulePorts,
): Promise<readonly ConfiguredModule[]> {
  // An application's own models may have any name, so only configured models are checked.
  const names = { engines: [...engines.created.keys()], paths, ...(isConfigured(models) && { models }) }
  const modules = await checkAgents(await createModules(factories, services, config), names)
  const guarded = modules.map((module) => guardHooks(module, log.report))
  return applyAgentFiles(guarded, { ...services, ...names, signIns })
}
