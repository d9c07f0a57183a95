import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { newSourceBody } from './body.ts'
import { identityOf } from './source.ts'
import type { NewSource } from './source-row.ts'

/** Whose the sources of config.yaml are. */
export const LOCAL_OWNER = 'local'

/** A source of config.yaml. */
export type Configured = NewSource

/** Reads `sources` of config.yaml. @throws ServiceError `invalid-request` that says which entry and field is wrong */
export function readConfigured(sources: Json): readonly Configured[] {
  if (sources === null) return []
  if (!Array.isArray(sources)) throw new ServiceError('invalid-request', 'sources must be a list')
  const read = sources.map((entry: Json, index) => readOne(entry, index))
  const identities = read.map(({ settings }) => identityOf(settings))
  const twice = identities.findIndex((identity, index) => identities.indexOf(identity) < index)
  if (twice >= 0) {
    throw new ServiceError('invalid-request', `sources[${twice}] names the same as an entry before it`)
  }
  return read
}

function readOne(entry: Json, index: number): Configured {
  const read = newSourceBody((field) => `sources[${index}].${field}`).safeParse(entry)
  if (read.success) return read.data.source
  const issue = read.error.issues[0]
  const sentence = issue && issue.path.length > 0 ? issue.message : `sources[${index}] must be an object`
  throw new ServiceError('invalid-request', sentence)
}
