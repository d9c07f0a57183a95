import { expect, it } from 'vitest'

import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { weather } from '../../../../test/support/story-tools.ts'
import { builds, openChat, textOf } from '../../../../test/clients/sdk-chat.ts'
import { eve as format } from '../../src/protocols/eve/index.ts'

it.each(Object.entries(builds))(
  'a run that the AI SDK client %s has asked for is read at once in the other protocols',
  async (_, load) => {
    const held = gate()
    const { models } = scriptedModel([
      step(says('I look. '), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('Es regnet, 下雨', held, ' 了 ☔ in Oslo.')),
    ])
    await using server = await openServer({ models, tools: [weather], capability: { protocols: [format] } })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('下雨')
    const run = `${server.url}/v1/runs/${chat.messages[1]?.metadata?.runId}/events`
    const eve = reading(await fetch(`${run}?protocol=eve`))
    const native = reading(await fetch(`${run}?protocol=native`))
    await Promise.all([eve.until('下雨'), native.until('下雨')])

    held.open()
    const [eveFrames, nativeFrames] = (await Promise.all([eve.whole(), native.whole()])).map(framesOf)
    await sending

    const text = 'I look. Es regnet, 下雨 了 ☔ in Oslo.'
    expect(textOf(chat.messages[1])).toBe(text)
    expect(textOfType(eveFrames, 'text-delta')).toBe(text)
    expect(textOfType(nativeFrames, 'text.delta')).toBe(text)
    expect(eveFrames?.at(0)).toEqual({ type: 'start', messageId: chat.messages[1]?.id })
    expect(eveFrames?.at(-1)).toEqual({
      type: 'finish',
      finishReason: 'stop',
      usage: { promptTokens: 14, completionTokens: 10 },
    })
    expect(nativeFrames?.at(-1)).toMatchObject({ type: 'run.finished', reason: 'stop' })
  },
)

function textOfType(frames: readonly Record<string, unknown>[] | undefined, type: string): string {
  return (frames ?? [])
    .filter((frame) => frame['type'] === type)
    .map(({ delta }) => String(delta))
    .join('')
}
