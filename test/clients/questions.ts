import { expect } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type Json, type Tool } from '../../packages/dragoman/src/index.ts'
import { questionsIn } from '../laws/message-content.ts'
import type { Gate } from '../support/gate.ts'
import type { TestServer } from '../support/server.ts'
import type { ChatMessage, openChat } from './sdk-chat.ts'
import { postJson } from '../support/http.ts'

type Chat = ReturnType<typeof openChat>
type Call = { readonly toolCallId: string; readonly state: string; readonly [field: string]: unknown }

/** A tool that needs a yes, and what it has done. With a gate it is at work until that is opened. */
export function createApplyTool(name = 'apply', held?: Gate): { apply: Tool; applied: readonly number[] } {
  const applied: number[] = []
  const apply = defineTool({
    name,
    description: 'Applies for a job.',
    inputSchema: z.object({ job: z.number() }),
    needsApproval: true,
    async execute({ job }, { signal }) {
      applied.push(job)
      await held?.pass(signal)
      return toolResult({ output: null, text: `Applied for ${job}.` })
    },
  })
  return { apply, applied }
}

/** A call of a chat's answer, by its tool. */
export function callOf({ messages }: { readonly messages: readonly ChatMessage[] }, tool: string): Call {
  const part = messages.at(-1)?.parts.findLast(({ type }) => type === `tool-${tool}`)
  if (!part) throw new Error(`There is no call of ${tool}.`)
  return part as unknown as Call
}

/** What the answer asks, in its order. */
export function questionsOf({ messages }: { readonly messages: readonly ChatMessage[] }): Json[] {
  return Object.values(questionsIn(messages.at(-1)?.parts ?? []))
}

/** Resolves once the chat has shown these words and is ready. */
export async function waitForText(chat: Chat, words: string): Promise<void> {
  await expect
    .poll(() => ({ said: JSON.stringify(chat.messages), status: chat.status }))
    .toEqual({
      said: expect.stringContaining(words),
      status: 'ready',
    })
  expect(chat.error).toBeUndefined()
}

export function post(server: TestServer, path: string, body: object): Promise<Response> {
  return postJson(`${server.url}${path}`, body)
}
