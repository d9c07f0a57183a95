import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../test/support/create-temp-dir.ts'
import { calls, linesOf, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { builds, historyOf, openChat } from '../../../../test/clients/sdk-chat.ts'
import { ask } from '../../../../test/support/wire.ts'
import { life } from '../../src/index.ts'

const CHAT = '/api/v1/chat/v5'
const at = `${CHAT}/stream`
const tools = `
- name: show_progress
  group: display
  description: Shows how far the protocol has come.
  card_type: protocol_card
  data: protocol-progress
  parameters: { type: object, properties: { phase: { type: integer } } }
`

/** A server with a skill whose card has a data part, which the model shows. */
async function openCoach() {
  const home = await createTempDir()
  const skill = join(home, 'skills/coach')
  await mkdir(skill, { recursive: true })
  await writeFile(
    join(skill, 'SKILL.md'),
    '---\nname: coach\ndescription: Coaches.\n---\n\nShow the progress.\n',
  )
  await writeFile(join(skill, 'tools.yaml'), tools)
  const model = scriptedModel([
    step(calls('c1', 'show_progress', { phase: 2 })),
    step(says('Go on.')),
    step(says('Well done.')),
  ])
  return { ...model, server: await openServer({ models: model.models, agents: [life], home }) }
}

const card = { status: 'success', cardType: 'protocol_card', skill: 'coach', data: { phase: 2 } }

describe('the data part of a skill’s card', () => {
  it.each(Object.entries(builds))(
    'is a part of its name for the AI SDK client %s, and stays one',
    async (version, load) => {
      const { server, prompts } = await openCoach()
      await using _ = server
      const chat = openChat(await load(), { url: server.url, at, id: version })

      await chat.sendMessage({ text: 'Go on' })

      const parts = [
        { type: 'step-start' },
        { type: 'tool-show_progress', state: 'output-available', output: card },
        { type: 'data-protocol-progress', data: { phase: 2 } },
        { type: 'step-start' },
        { type: 'text', text: 'Go on.' },
      ]
      expect(chat.messages[1]?.parts).toMatchObject(parts)
      const { messages } = await historyOf(server.url, version, CHAT)
      expect(messages[1]?.parts).toMatchObject(parts)
      await chat.sendMessage({ text: 'Done' })
      expect(linesOf(prompts.at(-1)).join('\n')).not.toContain('protocol-progress')
    },
  )

  it('is a line of annotations in the data stream', async () => {
    const { server } = await openCoach()
    await using _ = server
    const messages = [{ role: 'user', content: 'Go on', parts: [{ type: 'text', text: 'Go on' }] }]

    const { text } = await ask(server.url, { method: 'POST', path: at, body: { id: 'evening', messages } })

    expect(text).toContain('8:[{"type":"data-protocol-progress","data":{"phase":2}}]')
  })
})
