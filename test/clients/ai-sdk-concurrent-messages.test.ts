import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builds, historyOf, openChat, textOf } from './sdk-chat.ts'

/** A model whose first answer waits in its midst, and the server before it. */
async function talking() {
  const held = gate()
  const script = [
    step(says('One', held, '.')),
    ...['Two.', 'Three.', 'Four.'].map((text) => step(says(text))),
  ]
  const { models, prompts } = scriptedModel(script)
  const server = await openServer({ models })
  return {
    ...server,
    held,
    toldLast: () => linesOf(prompts.at(-1)),
    kept: async () => (await historyOf(server.url, 'chat-1')).messages.map(textOf),
  }
}

describe.each(Object.entries(builds))('several messages to the AI SDK client %s', (_, load) => {
  it('form one branch when sent before the first answer ends', async () => {
    await using talk = await talking()
    const chat = openChat(await load(), { url: talk.url, id: 'chat-1' })
    const first = chat.sendMessage({ text: 'First' })
    await talk.held.reached

    const second = chat.sendMessage({ text: 'Second' })
    await expect.poll(talk.kept).toContain('Second')
    const third = chat.sendMessage({ text: 'Third' })
    await expect.poll(talk.kept).toContain('Third')
    talk.held.open()
    await Promise.all([first, second, third])

    const texts = ['First', 'One.', 'Second', 'Two.', 'Third', 'Three.']
    expect(await talk.kept()).toEqual(texts)
    expect(talk.toldLast()).toEqual([
      'user: First',
      'assistant: One.',
      'user: Second',
      'assistant: Two.',
      'user: Third',
    ])
  })

  it('follow a running answer that the page has not loaded', async () => {
    await using talk = await talking()
    const sdk = await load()
    const before = openChat(sdk, { url: talk.url, id: 'chat-1' })
    const first = before.sendMessage({ text: 'First' })
    await before.shows('One')
    const { messages } = await historyOf(talk.url, 'chat-1')
    const page = openChat(sdk, { url: talk.url, id: 'chat-1', messages })

    const second = page.sendMessage({ text: 'Second' })
    await expect.poll(talk.kept).toContain('Second')
    talk.held.open()
    await Promise.all([first, second])

    expect(await talk.kept()).toEqual(['First', 'One.', 'Second', 'Two.'])
    expect(talk.toldLast()).toEqual(['user: First', 'assistant: One.', 'user: Second'])
  })
})
