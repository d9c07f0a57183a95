import { Hono, type Context } from 'hono'

import { describeRoute } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import type { Protocol } from 'dragoman/protocols'
import { readJson, type HttpEnv } from 'dragoman/http'
import { chatOperation } from './chat-openapi.ts'
import { endsWithCaller, type SurfaceServices } from 'dragoman/surfaces'
import { withDocumentedPrompt } from './documented-prompt.ts'
import { renameErrorField } from '../rename-error-field.ts'

export type AgentChatOptions = Pick<SurfaceServices, 'runs' | 'replies' | 'resolveForCaller'> & {
  readonly agent: string
  readonly protocol: Protocol
}

/** The agent chat. Its clients keep the conversation, the server keeps nothing. */
export function agentChat({
  runs,
  replies,
  agent,
  protocol,
  resolveForCaller,
}: AgentChatOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/', describeRoute(chatOperation(protocol)), async (c) => {
    const body = await readChatBody(c)
    const { view, stream, ...request } = protocol.parse(body)
    if ('answers' in request) throw new ServiceError('invalid-request', 'message is required')
    const llmConfig = isJsonObject(body) ? body['llmConfig'] : undefined
    const userId = c.get('userId')
    const endsWith = { endsWithCaller: endsWithCaller(c, protocol) }
    const resolved = await resolveForCaller(agent, { userId, llmConfig }, c.req.raw.signal)
    const { run } = await runs
      .startDetached(withDocumentedPrompt(resolved), {
        ...request,
        mayAsk: true,
        userId,
        agent,
        reply: { protocol: protocol.name, view: protocol.view(view, c.req.query()) },
      })
      .catch((error: unknown) => Promise.reject(renameErrorField(error, 'workspaceRoot', 'workDir')))
    try {
      return await (stream
        ? replies.stream(c, run, { protocol, ...endsWith })
        : replies.whole(c, run, protocol))
    } catch (error) {
      // The response failed, so the run has no reader.
      runs.abandon(run, run.userId)
      throw error
    }
  })
}

/** The error quotes nothing of the body, because it may contain a key. */
async function readChatBody(c: Context<HttpEnv>): Promise<Json> {
  try {
    return await readJson(c)
  } catch (error) {
    if (error instanceof ServiceError && error.message.startsWith('Invalid JSON'))
      throw new ServiceError('invalid-request', 'Invalid JSON body')
    throw error
  }
}
