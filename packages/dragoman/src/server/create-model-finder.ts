import { isServiceError } from '../errors.ts'
import type { ModelAccess } from './model-access.ts'

type Named = Parameters<ModelAccess['requireModel']>[0]

/**
 * Finds a model that a caller names, also by its id alone, as a server with one provider knows it. Undefined for an id
 * that is not known here. @throws ServiceError `forbidden`, `invalid-request` for a name with a provider
 */
export function createModelFinder({
  requireModel,
  list,
}: Pick<ModelAccess, 'requireModel' | 'list'>): (named: Named) => string | undefined {
  return (named) => {
    try {
      requireModel(named)
      return named.model
    } catch (error) {
      if (!isServiceError(error, 'invalid-request') || /[/:]/.test(named.model)) throw error
      return list(named.userId, named.agent).find(
        (name) => name.slice(name.search(/[/:]/) + 1) === named.model,
      )
    }
  }
}
