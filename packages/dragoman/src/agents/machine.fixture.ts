import type { Outward } from '../outward/index.ts'
import { ServiceError } from '../errors.ts'
import type { Machine } from './machine.ts'
import { noModel } from './model.fixture.ts'

const nobody = (): Promise<never> =>
  Promise.reject(new ServiceError('unavailable', 'There is no network in this test.'))
const nowhere: Outward = { get: nobody, fetch: nobody, addressOf: nobody }

const unforeseen = (error: unknown): never => {
  throw error
}

/** A machine without model and network, but for what is given. For tests. */
export function bareMachine(more: Partial<Machine> = {}): Machine {
  return {
    model: () => noModel,
    outward: nowhere,
    sections: { sources: null, mcp: null, workflows: null },
    search: async () => [],
    delegate: nobody,
    roots: [],
    commandTimeout: 30,
    home: '/nowhere',
    env: {},
    contextOf: async () => ({}),
    remember: async () => undefined,
    report: unforeseen,
    ...more,
  }
}
