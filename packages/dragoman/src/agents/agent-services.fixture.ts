import { openDatabase } from '../database/index.ts'
import type { SafeFetch } from '../safe-fetch/index.ts'
import { ServiceError } from '../errors.ts'
import type { AgentServices } from './agent-services.ts'
import { noModel } from './no-model.fixture.ts'

const rejectUnavailable = (): Promise<never> =>
  Promise.reject(new ServiceError('unavailable', 'There is no network in this test.'))
const noNetwork: SafeFetch = {
  get: rejectUnavailable,
  fetch: rejectUnavailable,
  addressOf: rejectUnavailable,
  download: rejectUnavailable,
}

const rethrow = (error: unknown): never => {
  throw error
}

/** Services without a model and without a network, except for the overrides. For tests. */
export function testServices(overrides: Partial<AgentServices> = {}): AgentServices {
  return {
    model: () => noModel,
    safeFetch: noNetwork,
    settings: undefined,
    database: openDatabase(':memory:'),
    searchMessages: async () => [],
    async *exportThreads() {},
    deleteThreads: async () => 0,
    delegate: rejectUnavailable,
    delegates: () => [],
    storage: {
      mayCreate: async () => undefined,
      grow: (_userId, _bytes, store) => store(),
      changed: () => undefined,
    },
    requiresToken: false,
    warn: () => undefined,
    home: '/nowhere',
    env: {},
    readThreadContext: async () => ({}),
    updateThreadContext: async () => undefined,
    report: rethrow,
    ...overrides,
  }
}
