import { Hono, type Context } from 'hono'

import { described } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import { isJsonObject, type Json } from '../events/index.ts'
import type { Protocol } from '../protocols/index.ts'
import type { Staff } from '../runs/index.ts'
import { readJson, type HttpEnv } from '../transports/index.ts'
import { askAgent } from './agent-chat-operations.ts'
import type { Conversations } from './conversations.ts'
import { renamed } from './field-name.ts'

/** The whole conversation comes with each request, what tools said included. */
const MOST_BYTES = 10 * 1024 * 1024

export type AgentChatOptions = Pick<Conversations, 'runs' | 'replies'> & {
  readonly agent: string
  readonly protocol: Protocol
  /** The agent, with the model that `llmConfig` asks for. @throws ServiceError `invalid-request`, `forbidden`, `unauthorized` */
  readonly staffFor: (agent: string, llmConfig: Json | undefined, signal: AbortSignal) => Promise<Staff>
}

/** One agent, spoken to by clients that keep the conversation themselves: nothing of it stays here, and who leaves ends their run. */
export function agentChat({ runs, replies, agent, protocol, staffFor }: AgentChatOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/', described(askAgent(protocol)), async (c) => {
    const body = await bodyOf(c)
    const { view, stream, ...request } = protocol.parse(body)
    if ('answers' in request) throw new ServiceError('invalid-request', 'message is required')
    const llmConfig = isJsonObject(body) ? body['llmConfig'] : undefined
    const { run } = await runs
      .start({
        ...request,
        userId: c.get('userId'),
        agent,
        alone: await staffFor(agent, llmConfig, c.req.raw.signal),
        reply: { protocol: protocol.name, view: protocol.view(view, c.req.query()) },
      })
      .catch((error: unknown) => Promise.reject(renamed(error, 'workspaceRoot', 'workDir')))
    try {
      return await (stream
        ? replies.stream(c, run, { protocol, endsWithCaller: true })
        : replies.whole(c, run, protocol))
    } catch (error) {
      // Nobody hears the answer.
      runs.abandon(run, run.userId)
      throw error
    }
  })
}

/** Nothing is said of what stands there: there may be a key in it. */
async function bodyOf(c: Context<HttpEnv>): Promise<Json> {
  try {
    return await readJson(c, MOST_BYTES)
  } catch (error) {
    if (error instanceof ServiceError && error.message.startsWith('Invalid JSON'))
      throw new ServiceError('invalid-request', 'Invalid JSON body')
    throw error
  }
}
