import type { ConfiguredModels } from './create-models.ts'

/** Models whose providers can change while the server runs. Runs that have begun keep theirs. */
export interface ReconfigurableModels extends ConfiguredModels {
  /** Uses what the environment and the saved keys say now. */
  reconfigure(): void
}

/** @throws ServiceError as `create` does, also from `reconfigure`, which then changes nothing */
export function reconfigurableModels(create: () => ConfiguredModels): ReconfigurableModels {
  let current = create()
  return {
    choose: (preference) => current.choose(preference),
    requireReachable: (name) => current.requireReachable(name),
    selectable: (names) => current.selectable(names),
    configuredNames: () => current.configuredNames(),
    resolveName: (name) => current.resolveName(name),
    nameFault: (name) => current.nameFault(name),
    choiceFault: (preference) => current.choiceFault(preference),
    providerReasons: () => current.providerReasons(),
    get warnings() {
      return current.warnings
    },
    reconfigure() {
      current = create()
    },
  }
}

/** Whether the providers of these models can change. Models that an application brings cannot. */
export function isReconfigurable(models: object): models is ReconfigurableModels {
  return 'reconfigure' in models
}
