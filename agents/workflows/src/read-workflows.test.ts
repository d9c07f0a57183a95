import { describe, expect, it } from 'vitest'

import { readWorkflows } from './read-workflows.ts'

const key = 'app-very-secret'

describe('the configured workflows', () => {
  it('are empty without configuration', () => {
    expect(readWorkflows(null, { DIFY_BASE_URL: 'http://dify/v1', DIFY_X_KEY: '' })).toEqual([])
  })

  it('come from the file and from variables, each with the address of its key', () => {
    const dify = {
      baseUrl: 'http://file/v1/',
      workflows: { greet: { key }, talk: { key, app: 'chat', description: 'Talks.' } },
    }
    const env = { DIFY_BASE_URL: 'http://variable/v1', DIFY_SUM_UP_KEY: 'app-2', DIFY_GREET_KEY: 'app-3' }

    expect(readWorkflows({ dify }, env)).toEqual([
      { id: 'greet', description: '', app: 'workflow', baseUrl: 'http://variable/v1', key: 'app-3' },
      { id: 'talk', description: 'Talks.', app: 'chat', baseUrl: 'http://file/v1', key },
      { id: 'sum-up', description: '', app: 'workflow', baseUrl: 'http://variable/v1', key: 'app-2' },
    ])
    expect(readWorkflows(null, { DIFY_GREET_KEY: key })).toMatchObject([
      { baseUrl: 'https://api.dify.ai/v1' },
    ])
  })

  it.each([
    [{ dify: { workflows: { greet: {} } } }, {}, 'workflows.dify.workflows.greet.key is missing'],
    [
      { dify: { workflows: { greet: { key, ap: 'chat' } } } },
      {},
      'workflows.dify.workflows.greet.ap is not known: is app meant?',
    ],
    [{ dify: { baseUrl: key } }, {}, 'workflows.dify.baseUrl must be an address'],
    [{ n8n: {} }, {}, 'workflows.n8n is not known'],
    [null, { DIFY_BASE_URL: key, DIFY_A_KEY: key }, 'DIFY_BASE_URL must be an address'],
  ])('are refused by the name of what is wrong: %j', (section, env, words) => {
    expect(() => readWorkflows(section, env)).toThrow(words)
    expect(() => readWorkflows(section, env)).not.toThrow(key)
  })
})
