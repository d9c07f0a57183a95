import { describe, expect, it } from 'vitest'

import { linesOf, says, scriptedModel, SCRIPTED_USAGE, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { stories, type Story } from '../support/stories.ts'
import { STORY_STEPS, storyTools } from '../support/story-tools.ts'
import { builds, openChat, textOf, type ChatMessage } from './sdk-chat.ts'

describe.each(Object.entries(builds))('the AI SDK client %s', (_, load) => {
  const { models, prompts, play } = scriptedModel()
  const server = useServer({ models, tools: storyTools, agent: { maxSteps: STORY_STEPS } })

  it.each(Object.entries(stories))(
    'has one complete message of %s, and continues after it',
    async (id, story) => {
      play([...story.script, step(says('Still here.'))])
      const chat = openChat(await load(), { url: server.url, id })

      await chat.sendMessage({ text: 'Go.' })

      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(chat.messages[0]?.parts).toMatchObject([{ type: 'text', text: 'Go.' }])
      expectAnswer(chat.messages[1], story)
      expect({ status: chat.status, error: chat.error?.message }).toEqual(
        'error' in story.end
          ? { status: 'error', error: story.end.error }
          : { status: 'ready', error: undefined },
      )

      await chat.sendMessage({ text: 'And now?' })

      expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
      expectAnswer(chat.messages[1], story)
      expect(textOf(chat.messages[3])).toBe('Still here.')
      expectGivenOnce(linesOf(prompts.at(-1)), story)
    },
  )
})

function expectAnswer(answer: ChatMessage | undefined, { parts, end, script }: Story): void {
  expect(answer?.id).toMatch(/^msg_[\w-]{12}$/)
  expect(answer?.parts).toMatchObject(parts)
  expect(answer?.metadata).toMatchObject({
    runId: expect.stringMatching(/^run_/),
    conversationId: expect.stringMatching(/^conv_/),
    // Clients hear nothing after an error.
    ...('reason' in end && {
      finishReason: end.reason,
      usage: {
        inputTokens: SCRIPTED_USAGE.input * script.length,
        outputTokens: SCRIPTED_USAGE.output * script.length,
      },
    }),
  })
}

/** The model knows what was said before, once, and what is asked now. */
function expectGivenOnce(lines: readonly string[], { parts }: Story): void {
  expect(lines.filter((line) => line.startsWith('user: '))).toEqual(['user: Go.', 'user: And now?'])
  expect(lines.at(-1)).toBe('user: And now?')
  for (const part of parts) {
    if (part.type === 'text') expect(lines.join('\n').split(String(part['text']))).toHaveLength(2)
  }
}
