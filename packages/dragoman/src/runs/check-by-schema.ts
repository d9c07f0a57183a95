import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { createIsolatedWorker } from '../isolate/index.ts'
import type { SchemaCheck } from './schema-worker.ts'

/** No schema that is meant takes a hundredth of it. */
const TIMEOUT_MS = 1000
const MEGABYTES = 64
/** Characters of schemas and values that wait. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024

const ask = createIsolatedWorker<SchemaCheck, string | undefined>({
  module: new URL('./schema-worker', import.meta.url),
  sizeOf: ({ schema, value }) => JSON.stringify(schema).length + JSON.stringify(value).length,
  limits: { waiting: 64, weight: MAX_WAITING_CHARACTERS, megabytes: MEGABYTES },
  timeoutMs: TIMEOUT_MS,
  refusals: { busy: 'Too many answers are being checked. Try again.', slow: tooHard, large: tooHard },
})

function tooHard(): ServiceError {
  return new ServiceError(
    'invalid-request',
    'answer: it cannot be checked, because the schema of the question takes too long. ' +
      'Answer without changes, or decline.',
  )
}

/**
 * Says what a JSON schema finds wrong with a value; undefined for nothing. Clients and MCP servers write such schemas,
 * so it is done apart, in turns of users.
 * @throws ServiceError `invalid-request` for a schema that takes too long; `rate-limited`, `unavailable`
 */
export async function checkBySchema(
  userId: string,
  schema: Json | undefined,
  value: Json,
): Promise<string | undefined> {
  return schema === undefined ? undefined : ask(userId, { schema, value })
}
