import { ServiceError } from '../errors.ts'
import { candidateOf, type Candidate } from './choice.ts'
import type { Meaning } from './names.ts'
import type { Provider } from './provider.ts'

/** The model of an override. Its words are not quoted back: people paste keys into the wrong place. @throws ServiceError `invalid-request` */
export function overriding(
  meant: Meaning,
  providers: readonly Provider[],
  offline: (why: string) => Candidate,
): Candidate {
  const why = 'DRAGOMAN_MODEL (or --model) says so for every agent.'
  if (meant === 'offline') return offline(why)
  if (!meant) {
    const known = providers.map(({ name }) => `${name}/<model>`).join(', ')
    throw wrongOverride(
      `names no known provider: use ${known}, offline, the aliases sonnet and haiku, or a model of models.yaml`,
    )
  }
  const { provider, modelId } = meant
  if (!provider.reachable) {
    throw wrongOverride(`names a model of ${provider.name}, but ${provider.because}`)
  }
  if (modelId === undefined)
    throw wrongOverride(`names ${provider.name} without a model: use ${provider.name}/<model>`)
  return candidateOf(provider, modelId, why) ?? offline(why)
}

function wrongOverride(what: string): ServiceError {
  return new ServiceError('invalid-request', `DRAGOMAN_MODEL (or --model) ${what}.`)
}
