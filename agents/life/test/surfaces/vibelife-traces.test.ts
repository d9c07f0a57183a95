import { join } from 'node:path'

import { expect, it } from 'vitest'

import { reading } from '../../../../test/support/event-stream.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step, thinks } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { life } from '../../src/index.ts'

const GOLDEN = join(import.meta.dirname, '../../../../test/golden/vibelife-hooks')
const insight = { title: '看见', content: '你其实早就知道答案了。' }
const words = '给我一张卡片'

/** The bodies that the hooks send, as a browser has sent them. */
const ofSdk4 = (more: object) => ({
  id: 'Xq2Pz0aV7mJ3kR9t',
  messages: [{ role: 'user', content: words, parts: [{ type: 'text', text: words }] }],
  ...more,
})
const ofSdk6 = {
  skill: 'bazi',
  voice_mode: 'warm',
  id: 'Xq2Pz0aV7mJ3kR9t',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: words }] }],
  trigger: 'submit-message',
}

it.each([
  ['v6-on-ai-sdk-4', '/api/v1/chat/v5/stream', ofSdk4({ skill: 'tarot', voice_mode: 'warm' }), 'parts'],
  [
    'v11-on-ai-sdk-4',
    '/api/v1/chat/v5/stream',
    ofSdk4({ voice_mode: 'wise', conversation_id: 'evening' }),
    'marks',
  ],
  ['ai-sdk-6', '/api/chat', ofSdk6, 'parts'],
])('answers the hook %s in the bytes of its golden file', async (name, path, body, vibelifeStream) => {
  const { models } = scriptedModel([
    step(thinks('一张卡片。'), says('看这里：'), calls('c1', 'show_insight', insight)),
    step(says('慢慢来。')),
  ])
  await using server = await openServer({ models, agents: [life], configFile: { vibelifeStream } })
  const http = client(server)
  const reply = (await reading(await http.post(path, body)).whole()).toString()
  const { body: list } = await http.json('GET', '/api/v1/conversations')
  const [conversation] = (list as { conversations: { id: string }[] }).conversations
  const { body: shown } = await http.json('GET', `/api/v1/conversations/${conversation?.id}`)

  const trace = `${reply}\n${JSON.stringify(list)}\n${JSON.stringify(shown, null, 2)}\n`
  await expect(withoutChance(trace)).toMatchFileSnapshot(join(GOLDEN, `${name}.txt`))
})

/** Ids, times and marks of entries differ in each run. */
function withoutChance(trace: string): string {
  const names = new Map<string, string>()
  return trace
    .replaceAll(/\b(run|msg|conv)_[\w-]{12}/g, (id, kind: string) => {
      const name = names.get(id) ?? `${kind}_${names.size + 1}`
      names.set(id, name)
      return name
    })
    .replaceAll(/^(id: [\d.]+)-\w+$/gm, '$1-MARK')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}
