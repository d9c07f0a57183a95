import { openDatabase } from '../database/index.ts'
import type { Outward } from '../safe-fetch/index.ts'
import { ServiceError } from '../errors.ts'
import type { AgentServices } from './agent-services.ts'
import { noModel } from './model.fixture.ts'

const nobody = (): Promise<never> =>
  Promise.reject(new ServiceError('unavailable', 'There is no network in this test.'))
const nowhere: Outward = { get: nobody, fetch: nobody, addressOf: nobody }

const unforeseen = (error: unknown): never => {
  throw error
}

/** A machine without model and network, but for what is given. For tests. */
export function bareMachine(more: Partial<AgentServices> = {}): AgentServices {
  return {
    model: () => noModel,
    outward: nowhere,
    settings: undefined,
    database: openDatabase(':memory:'),
    search: async () => [],
    exportConversations: async () => [],
    eraseConversations: async () => 0,
    delegate: nobody,
    delegates: () => [],
    requiresToken: false,
    warn: () => undefined,
    home: '/nowhere',
    env: {},
    contextOf: async () => ({}),
    remember: async () => undefined,
    report: unforeseen,
    ...more,
  }
}
