import type { ConfiguredModels } from './create-models.ts'

/** Models whose providers can change while the server runs. Runs that have begun keep theirs. */
export interface ReconfigurableModels extends ConfiguredModels {
  /** Uses these saved variables from now on. */
  reconfigure(saved: SavedModels): void
  /** The models with other saved variables. Changes nothing. @throws ServiceError if they cannot be configured so */
  check(saved: SavedModels): ConfiguredModels
}

/** What is saved, and a sentence for what of it cannot be opened. */
export type SavedModels = {
  readonly values: Readonly<Record<string, string>>
  readonly closed?: string | undefined
}

/** @throws ServiceError as `create` does, also from `reconfigure`, which then changes nothing */
export function reconfigurableModels(
  create: (saved: SavedModels) => ConfiguredModels,
  saved: SavedModels,
): ReconfigurableModels {
  let current = create(saved)
  return {
    choose: (preference) => current.choose(preference),
    requireReachable: (name) => current.requireReachable(name),
    selectable: (names) => current.selectable(names),
    configuredNames: () => current.configuredNames(),
    resolveName: (name) => current.resolveName(name),
    nameFault: (name) => current.nameFault(name),
    choiceFault: (preference) => current.choiceFault(preference),
    providerReasons: () => current.providerReasons(),
    get catalogue() {
      return current.catalogue
    },
    get warnings() {
      return current.warnings
    },
    reconfigure(values) {
      current = create(values)
    },
    check: create,
  }
}
