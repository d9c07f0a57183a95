import { ServiceError } from '../errors.ts'
import { createCandidate, type Candidate } from './model-choice.ts'
import type { NameResolution } from './model-names.ts'
import type { Provider } from './provider.ts'

/**
 * The model of an override. Errors never quote the override, because people paste keys into the wrong place.
 * @throws ServiceError `invalid-request`
 */
export function resolveServerModel(
  resolution: NameResolution,
  providers: readonly Provider[],
  offline: (why: string) => Candidate,
): Candidate {
  const why = 'DRAGOMAN_MODEL (or --model) says so for every agent.'
  if (resolution === 'offline') return offline(why)
  if (!resolution) {
    const examples = providers.map(({ name }) => `${name}/<model>`).join(', ')
    throw overrideError(
      `names no known provider: use ${examples}, offline, the aliases sonnet and haiku, or a model of models.yaml`,
    )
  }
  const { provider, modelId } = resolution
  if (!provider.reachable) {
    throw overrideError(`names a model of ${provider.name}, but ${provider.reason}`)
  }
  if (modelId === undefined)
    throw overrideError(`names ${provider.name} without a model: use ${provider.name}/<model>`)
  return createCandidate(provider, modelId, why) ?? offline(why)
}

function overrideError(problem: string): ServiceError {
  return new ServiceError('invalid-request', `DRAGOMAN_MODEL (or --model) ${problem}.`)
}
