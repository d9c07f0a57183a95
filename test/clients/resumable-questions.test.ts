import { describe, expect, it } from 'vitest'

import { resumableFetch } from '../../packages/client/src/index.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { createApplyTool, callOf, questionsOf } from './questions.ts'
import { builds, openChat, textOf } from './sdk-chat.ts'

const script = [step(says('I apply.'), calls('c1', 'apply', { job: 3 })), step(says('So ', '不停 be it.'))]

/** Who comes back waits before, the longer the less has come. */
const PATIENT = { timeout: 15_000 }

/** A line on which the answers to all POSTs are cut after so many bytes of their bodies. */
function cutting(bytes: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init)
    if (init?.method !== 'POST' || !answer.body) return answer
    let remaining = bytes
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const through = chunk.subarray(0, remaining)
        remaining -= through.length
        if (through.length > 0) controller.enqueue(through)
        if (remaining === 0) controller.error(new TypeError('network error'))
      },
    })
    return new Response(answer.body.pipeThrough(cut), answer)
  }
}

describe.each(Object.entries(builds))('a question to the AI SDK client %s', (_, load) => {
  it.each([1, 300])('is in one complete message though each stream breaks after %d bytes', async (bytes) => {
    const sdk = await load()
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ ...scriptedModel(script), tools: [apply] })
    const chat = openChat(sdk, {
      url: server.url,
      id: 'chat-1',
      profile: 'v5',
      fetch: resumableFetch({ fetch: cutting(bytes) }),
      sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithToolCalls,
    })
    await chat.sendMessage({ text: 'Apply.' })
    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    const { toolCallId } = callOf(chat, 'apply')

    await chat.give('apply', toolCallId, { approved: true })
    const state = () => ({ status: chat.status, text: textOf(chat.messages[1]) })
    await expect.poll(state, PATIENT).toEqual({ status: 'ready', text: 'I apply.So 不停 be it.' })

    expect(chat.messages).toHaveLength(2)
    expect(chat.error).toBeUndefined()
    expect(questionsOf(chat)).toMatchObject([{ callId: toolCallId, state: 'answered' }])
    expect(applied).toEqual([3])
  })
})
