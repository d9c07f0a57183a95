import { z } from 'zod'

import type { Json } from '../events/index.ts'
import { readSection } from '../home-files/index.ts'

const MIB = 1024 * 1024

/** The limits of one client, one model provider and one run. `limits` of `config.yaml` overrides each default. */
const schema = z.strictObject({
  /** Requests of one connection that may be in progress at once. */
  requestsPerConnection: limit(16, 10_000),
  /** Requests of one user that may be in progress at once. A live stream does not count once it has started. */
  requestsPerUser: limit(64, 1_000_000),
  /** Requests of all users that may be in progress at once. */
  requests: limit(512, 1_000_000),
  /** Bytes of request bodies and of answers that may be in memory at once. */
  bytesInFlight: limit(256 * MIB, 1024 * 1024 * MIB),
  /** Sockets of one address that have not authenticated yet. */
  newSocketsPerAddress: limit(20, 100_000),
  /** Bytes of one line or event of a model provider's stream. */
  providerLineBytes: limit(4 * MIB, 1024 * MIB),
  /** Bytes of one answer of a model provider. */
  providerAnswerBytes: limit(32 * MIB, 1024 * MIB),
  /** Tool calls that a model may make in one step. */
  callsPerStep: limit(128, 10_000),
  /** Seconds that a run may work. The time that it waits for a person does not count. */
  runSeconds: limit(3600, 30 * 86_400),
  /** Bytes of the JSON input of one tool call. */
  toolInputBytes: limit(MIB, 64 * MIB),
})

export type Limits = z.infer<typeof schema>

/**
 * Reads the section `limits`. Its fields are the server's and those of its agents.
 * @throws ServiceError `invalid-request` that names the field
 */
export function readLimits(section: Json, agentLimits: Readonly<Record<string, z.ZodType>> = {}) {
  const fullSchema = schema.extend(agentLimits)
  const limits = (readSection('limits', section, fullSchema) ?? fullSchema.parse({})) as Readonly<
    Record<string, unknown>
  >
  return { own: schema.parse(pickFields(limits, Object.keys(schema.shape))), all: limits }
}

function pickFields(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

/** A limit with its default: a whole number from 1. */
export function limit(fallback: number, max: number): z.ZodDefault<z.ZodInt> {
  const message = `must be a whole number from 1 to ${max}`
  return z.int(message).min(1, message).max(max, message).default(fallback)
}
