import { z } from 'zod'

import type { Json } from '../events/index.ts'
import { readSection } from '../home-files/index.ts'

const MIB = 1024 * 1024

/** The limits of one client, one model provider and one run. `limits` of `config.yaml` overrides each default. */
const schema = z.strictObject({
  /** Requests of one connection that may be in progress at once. */
  requestsPerConnection: limit(16, 10_000),
  /** Seconds that a connection stays open without a request: longer than proxies keep one for the next, 60 s mostly. */
  idleConnectionSeconds: limit(75, 3600),
  /** Open network connections of one user, and of all. */
  connectionsPerUser: limit(4096, 1_000_000),
  connections: limit(65_536, 10_000_000),
  /** Open connections of one address that have not identified a user, and of all addresses. */
  connectionsPerAddress: limit(256, 1_000_000),
  connectionsWithoutUser: limit(2048, 10_000_000),
  /** Requests of one user that may be in progress at once. A live stream does not count once it has started. */
  requestsPerUser: limit(64, 1_000_000),
  /** Requests of all users that may be in progress at once. */
  requests: limit(512, 1_000_000),
  /** Requests without a user: of one address, and of all. */
  requestsPerAddress: limit(32, 1_000_000),
  requestsWithoutUser: limit(128, 1_000_000),
  /** Bytes of request bodies and of answers that may be in memory at once. */
  bytesInFlight: limit(256 * MIB, 1024 * 1024 * MIB),
  /** The same of requests without a user: of one address, and of all. */
  bytesPerAddress: limit(8 * MIB, 1024 * 1024 * MIB),
  bytesWithoutUser: limit(32 * MIB, 1024 * 1024 * MIB),
  /** Bytes that one user, or callers without a user of one address, may send in a second: an average of two. */
  bytesPerSecond: limit(16 * MIB, 1024 * 1024 * MIB),
  /** Sockets of one address that have not authenticated yet, and of all addresses. */
  newSocketsPerAddress: limit(20, 100_000),
  newSockets: limit(1000, 1_000_000),
  /** Requests and messages that wait behind others of their connection: of one user or address, and of all. */
  waitingPerUser: limit(1024, 1_000_000),
  waiting: limit(4096, 1_000_000),
  /** Runs of one user that may be at work at once, and of all. */
  runsPerUser: limit(32, 1_000_000),
  runs: limit(1024, 1_000_000),
  /** Bytes of the logs of one user's runs at work, and of all. */
  runBytesPerUser: limit(64 * MIB, 1024 * 1024 * MIB),
  runBytes: limit(512 * MIB, 1024 * 1024 * MIB),
  /** Searches, exports and histories of one user that may be read at once, and of all. Others wait. */
  expensiveReadsPerUser: limit(2, 10_000),
  expensiveReads: limit(16, 100_000),
  /** Downloads from addresses that one user names that may be in progress at once, and of all. Others wait. */
  downloadsPerUser: limit(4, 10_000),
  downloads: limit(64, 100_000),
  /** Bytes of one line or event of a model provider's stream. */
  providerLineBytes: limit(4 * MIB, 1024 * MIB),
  /** Bytes of one answer of a model provider. */
  providerAnswerBytes: limit(32 * MIB, 1024 * MIB),
  /** Tool calls that a model may make in one step. */
  callsPerStep: limit(128, 10_000),
  /** Seconds that a run may work. The time that it waits for a person does not count. */
  runSeconds: limit(3600, 30 * 86_400),
  /** Bytes of one request with a message, on every surface. Pages send their whole history, with its files. */
  bodyBytes: limit(20 * MIB, 256 * MIB),
  /** Bytes of one file: sent by a user, or made by a model or a tool. */
  fileBytes: limit(100 * MIB, 1024 * MIB),
  /** Bytes of text in one message of a user, of a guest. Files do not count. */
  messageBytes: limit(200_000, 64 * MIB),
  guestMessageBytes: limit(20_000, 64 * MIB),
  /** Postings, resumes, memories and the like that one user may create in a minute, and guests of one address. */
  creationsPerMinute: limit(600, 1_000_000),
  guestCreationsPerMinute: limit(60, 1_000_000),
  /** Conversations that guests of one address may create in a minute without a message. For users it is `rateLimit`. */
  guestConversationsPerMinute: limit(30, 1_000_000),
  /** Messages of earlier histories that requests of one user may bring in a minute, and of guests of one address. */
  importedMessagesPerMinute: limit(20_000, 1_000_000_000),
  guestImportedMessagesPerMinute: limit(2000, 1_000_000_000),
  /** Bytes that one user may store, and one guest. */
  storageBytes: limit(1024 * MIB, 1024 * 1024 * 1024 * MIB),
  guestStorageBytes: limit(20 * MIB, 1024 * 1024 * 1024 * MIB),
  /** Bytes that a run may produce in all: texts, inputs and outcomes of calls, data. */
  bytesPerRun: limit(16 * MIB, 64 * MIB),
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
