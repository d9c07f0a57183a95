import { describe, expect, it } from 'vitest'

import { linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builds, historyOf, openChat, textOf } from './sdk-chat.ts'

describe.each(Object.entries(builds))('the conversation of the AI SDK client %s', (_, load) => {
  it('sends each earlier turn to the model once', async () => {
    const { models, prompts } = scriptedModel(answers('One.', 'Two.', 'Three.'))
    await using server = await openServer({ models })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })

    for (const text of ['First', 'Second', 'Third']) await chat.sendMessage({ text })

    expect(chat.messages.map(textOf)).toEqual(['First', 'One.', 'Second', 'Two.', 'Third', 'Three.'])
    expect(linesOf(prompts.at(-1))).toEqual([
      'user: First',
      'assistant: One.',
      'user: Second',
      'assistant: Two.',
      'user: Third',
    ])
  })

  it('regenerates the last answer as a sibling and continues from it', async () => {
    const { models, prompts } = scriptedModel(answers('One.', 'Two.', 'Two again.', 'Three.'))
    await using server = await openServer({ models })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
    await chat.sendMessage({ text: 'First' })
    await chat.sendMessage({ text: 'Second' })
    const before = chat.messages.at(-1)

    await chat.regenerate()

    const after = chat.messages.at(-1)
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(textOf)).toEqual(['First', 'One.', 'Second', 'Two again.'])
    expect(after?.id).toMatch(/^msg_/)
    expect(after?.id).not.toBe(before?.id)
    expect(linesOf(prompts.at(-1))).toEqual(['user: First', 'assistant: One.', 'user: Second'])
    const old = await fetch(`${server.url}/v1/runs/${before?.id}`)
    expect(await old.text()).toContain('"Two."')

    await chat.sendMessage({ text: 'Third' })

    expect(linesOf(prompts.at(-1))).toEqual([
      'user: First',
      'assistant: One.',
      'user: Second',
      'assistant: Two again.',
      'user: Third',
    ])
  })

  it('shows the old answer when it is selected, and continues from it', async () => {
    const { models, prompts } = scriptedModel(answers('One.', 'One again.', 'Two.'))
    await using server = await openServer({ models })
    const sdk = await load()
    const chat = openChat(sdk, { url: server.url, id: 'chat-1' })
    await chat.sendMessage({ text: 'First' })
    const old = chat.messages.at(-1)?.id
    await chat.regenerate()

    const chosen = await fetch(`${server.url}/v1/threads/chat-1`, {
      method: 'PATCH',
      body: JSON.stringify({ chosen: old }),
    })
    const { messages } = await historyOf(server.url, 'chat-1')
    const reloaded = openChat(sdk, { url: server.url, id: 'chat-1', messages })
    await reloaded.sendMessage({ text: 'Second' })

    expect(chosen.status).toBe(200)
    expect(reloaded.messages.map(textOf)).toEqual(['First', 'One.', 'Second', 'Two.'])
    expect(linesOf(prompts.at(-1))).toEqual(['user: First', 'assistant: One.', 'user: Second'])
    const { messages: after } = await historyOf(server.url, 'chat-1')
    expect(after.map(textOf)).toEqual(['First', 'One.', 'Second', 'Two.'])
  })

  it('answers an edited message', async () => {
    const { models, prompts } = scriptedModel(answers('One.', 'Two.', 'Other.'))
    await using server = await openServer({ models })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
    await chat.sendMessage({ text: 'First' })
    await chat.sendMessage({ text: 'Second' })

    await chat.sendMessage({ text: 'Changed', messageId: chat.messages[2]?.id ?? '' })

    expect(chat.status).toBe('ready')
    expect(chat.messages.map(textOf)).toEqual(['First', 'One.', 'Changed', 'Other.'])
    expect(linesOf(prompts.at(-1))).toEqual(['user: First', 'assistant: One.', 'user: Changed'])
  })

  it('continues in a reloaded page', async () => {
    const { models, prompts } = scriptedModel(answers('One.', 'Two.'))
    await using server = await openServer({ models })
    const sdk = await load()
    const before = openChat(sdk, { url: server.url, id: 'chat-1' })
    await before.sendMessage({ text: 'First' })
    const { messages } = await historyOf(server.url, 'chat-1')
    const chat = openChat(sdk, { url: server.url, id: 'chat-1', messages })
    expect(chat.messages.map(({ id }) => id)).toEqual(before.messages.map(({ id }) => id))

    await chat.sendMessage({ text: 'Second' })

    expect(chat.messages.map(textOf)).toEqual(['First', 'One.', 'Second', 'Two.'])
    expect(linesOf(prompts.at(-1))).toEqual(['user: First', 'assistant: One.', 'user: Second'])
  })
})

function answers(...words: readonly string[]) {
  return words.map((text) => step(says(text)))
}
