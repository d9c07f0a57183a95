import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { frameworks, type ChatClass } from './framework-chats.ts'
import { openPlainRoute } from './plain-route.ts'
import { ask, scenes, tools, type Scene } from './plain-route-scenes.ts'

/** The route must name the provider's tool. */
const { web_search: _, ...ours } = tools

describe.each(Object.entries(frameworks))(
  'what a plain route of the AI SDK delivers to %s',
  (_name, load) => {
    const { models, play } = scriptedModel()
    let route: Awaited<ReturnType<typeof openPlainRoute>>
    let server: TestServer
    let ChatOf: ChatClass
    beforeAll(async () => {
      ChatOf = await load()
      route = await openPlainRoute(models, tools)
      server = await openServer({ models, tools: ours })
    })
    afterAll(async () => {
      await route[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    })

    const outcomeAt = async (api: string, { script, play: act = ask('Go.'), options = {} }: Scene) => {
      play(script())
      const finishes: unknown[] = []
      const chat = new ChatOf({
        transport: new DefaultChatTransport({ api, body: { options } }),
        sendAutomaticallyWhen: (chatMessages) =>
          lastAssistantMessageIsCompleteWithToolCalls(chatMessages) ||
          lastAssistantMessageIsCompleteWithApprovalResponses(chatMessages),
        onFinish: ({ finishReason, isAbort, isError }) => finishes.push({ finishReason, isAbort, isError }),
      })
      await act(chat)
      // This server names an answer before its first part.
      const messages = chat.messages.filter(({ parts }) => parts.length > 0)
      return {
        messages: await Promise.all(messages.map((message) => plainMessage(message, api))),
        status: chat.status,
        hasError: chat.error !== undefined,
        finishes,
      }
    }

    it.each(Object.entries(scenes))('is delivered by this server too: %s', async (_scene, scene) => {
      const expected = await outcomeAt(route.api, scene)
      const outcome = await outcomeAt(`${server.url}/jobs/chat`, scene)

      expect(outcome).toMatchObject(expected)
    })
  },
)

/** A message without what each server names by itself: ids, and where its files are. */
async function plainMessage({ role, parts }: UIMessage, base: string): Promise<object> {
  // This server begins a last step after a call of a provider, so that old clients do not send it again.
  const last = parts.at(-1)?.type === 'step-start' ? -1 : undefined
  return { role, parts: await Promise.all(parts.slice(0, last).map((each) => plainPart(each, base))) }
}

async function plainPart(
  { ...part }: UIMessage['parts'][number],
  base: string,
): Promise<Record<string, unknown>> {
  if ('id' in part) part.id = ''
  if ('toolCallId' in part) part.toolCallId = ''
  // This server repeats the output of a page tool, and JSON has no `undefined`.
  if ('output' in part) part.output ??= null
  if ('errorText' in part) part.errorText = part.errorText?.replace(/^Error: /, '')
  if ('approval' in part && part.approval) part.approval = { ...part.approval, id: '' }
  if (part.type !== 'file' && part.type !== 'reasoning-file') return { ...part }
  const response = await fetch(new URL(part.url, base))
  return { ...part, url: Buffer.from(await response.arrayBuffer()).toString('base64') }
}
