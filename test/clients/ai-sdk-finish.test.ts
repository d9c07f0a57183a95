import { expect, it } from 'vitest'

import { ends, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builds, openChat } from './sdk-chat.ts'

const newer = Object.entries(builds).filter(([build]) => !build.startsWith('5.'))

it.each(newer)(
  'the AI SDK client %s gets the finish reason unless it says that it is of version 5',
  async (build, load) => {
    const script = [step(says('And so on and'), ends('length'))]
    const { models, play } = scriptedModel(script)
    await using server = await openServer({ models })
    const reasons: (string | undefined)[] = []
    const onFinish = ({ finishReason }: { finishReason?: string }): number => reasons.push(finishReason)
    const sdk = await load()

    for (const profile of ['v5', `v${build[0]}`, undefined]) {
      play(script)
      const chat = openChat(sdk, {
        url: server.url,
        id: `chat-${profile}`,
        ...(profile && { profile }),
        onFinish,
      })
      await chat.sendMessage({ text: 'Go.' })
      expect(chat.error).toBeUndefined()
    }

    expect(reasons).toEqual([undefined, 'length', 'length'])
  },
)
