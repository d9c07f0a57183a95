import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { convertToModelMessages, isStepCount, streamText, type ToolSet, type UIMessage } from 'ai'

import type { Models } from '../../packages/dragoman/src/index.ts'

/** What a developer has without this server: a route of the AI SDK as its documentation has it. */
export async function openPlainRoute(
  models: Models,
  tools: ToolSet,
): Promise<AsyncDisposable & { readonly api: string }> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages } = (await json(request)) as { messages: UIMessage[] }
    const stopped = new AbortController()
    response.on('close', () => stopped.abort())
    const result = streamText({
      model: await models.choose({ primary: 'anthropic' }).load(),
      tools,
      messages: await convertToModelMessages(messages, { tools }),
      stopWhen: isStepCount(20),
      abortSignal: stopped.signal,
      maxRetries: 0,
      onError: () => undefined,
    })
    await result.pipeUIMessageStreamToResponse(response, { originalMessages: messages, sendSources: true })
  }
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
