import { Hono } from 'hono'

import { ServiceError } from '../errors.ts'
import { agUi } from '../protocols/index.ts'
import { readJson, type HttpEnv } from '../transports/index.ts'
import type { Conversations } from './conversations.ts'
import { startAndFollow } from './starting.ts'

export type AgUiOptions = Conversations & { readonly agents: readonly string[] }

/** Every agent, as any AG-UI client over HTTP speaks to it: mounted at `/ag-ui`. */
export function agUiApi(options: AgUiOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/:agent', async (c) => {
    const agent = c.req.param('agent')
    if (!options.agents.includes(agent)) throw new ServiceError('not-found', `There is no agent ${agent}.`)
    const request = agUi.parse(await readJson(c))
    return startAndFollow(c, request, { ...options, protocol: agUi, agent, policy: 'reject' })
  })
}
