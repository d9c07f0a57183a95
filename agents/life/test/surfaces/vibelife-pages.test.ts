import { describe, expect, it } from 'vitest'

import { reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step, type Script } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { life } from '../../src/index.ts'

const CHAT = '/api/v1/chat/v5/stream'
const CONVERSATIONS = '/api/v1/conversations'
const insight = { title: '看见', content: '你其实早就知道答案了。' }

async function opened(script: Script, users: readonly string[] = [], configFile: Json = {}) {
  const model = scriptedModel(script)
  const server = await openServer({ models: model.models, agents: [life], users, configFile })
  const http = client(server)
  /** As AI SDK 4 sends a message. */
  const say = async (content: string, more: object = {}) => {
    const messages = [{ role: 'user', content, parts: [{ type: 'text', text: content }] }]
    const response = await http.post(CHAT, { id: 'page', messages, voice_mode: 'wise', ...more })
    return reading(response)
  }
  return { ...model, server, http, say }
}

describe('the conversations of VibeLife’s pages', () => {
  it('are listed in pages, shown, renamed, searched and deleted', async () => {
    const { server, http, say } = await opened([step(says('一。')), step(says('二。')), step(says('三。'))])
    await using _ = server
    await (await say('我想学游泳', { conversation_id: 'first' })).whole()
    await (await say('今年的运势', { conversation_id: 'second', skill: 'bazi' })).whole()
    // A list waits for the newest runs for a moment only.
    await expect.poll(async () => (await http.json('GET', CONVERSATIONS)).body).toMatchObject({ total: 2 })

    const { body: list } = await http.json('GET', `${CONVERSATIONS}?limit=1&offset=0`)
    expect(list).toEqual({
      conversations: [
        {
          id: 'second',
          title: '今年的运势',
          skill: 'bazi',
          updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
      total: 2,
      has_more: true,
    })
    const { body: rest } = await http.json('GET', `${CONVERSATIONS}?limit=1000&offset=1&skill=`)
    expect(rest).toMatchObject({ conversations: [{ id: 'first', skill: 'core' }], has_more: false })
    const { body: least } = await http.json('GET', `${CONVERSATIONS}?limit=0`)
    expect(least).toEqual(list)
    const { body: ofSkill } = await http.json('GET', `${CONVERSATIONS}?skill=bazi`)
    expect(ofSkill).toMatchObject({ conversations: [{ id: 'second' }], total: 1 })

    const misspelt = await http.json('PATCH', `${CONVERSATIONS}/first`, { titel: '游泳', foo: 1 })
    expect(misspelt).toMatchObject({ status: 400, body: { error: 'titel, foo: there is no such field' } })
    const renamed = await http.json('PATCH', `${CONVERSATIONS}/first`, { title: '游泳' })
    expect(renamed.body).toMatchObject({ id: 'first', title: '游泳' })
    const { body: found } = await http.json('GET', `${CONVERSATIONS}/search?q=${encodeURIComponent('游泳')}`)
    expect(found).toMatchObject({ conversations: [{ id: 'first' }], total: 1 })

    const { body: shown } = await http.json('GET', `${CONVERSATIONS}/first`)
    expect(shown).toMatchObject({
      id: 'first',
      title: '游泳',
      skill: 'core',
      messages: [
        { role: 'user', content: '我想学游泳' },
        { role: 'assistant', content: '一。' },
      ],
    })
    const removed = await http.json('DELETE', `${CONVERSATIONS}/first`)
    expect(removed.body).toEqual({ status: 'ok', message: '会话已删除' })
    expect((await http.json('GET', `${CONVERSATIONS}/first`)).status).toBe(404)
    expect((await http.json('PATCH', `${CONVERSATIONS}/second`, { is_active: false })).status).toBe(200)
    expect((await http.json('GET', CONVERSATIONS)).body).toMatchObject({ conversations: [], total: 0 })
  })

  it('begin with a skill and a voice, and go on by the id that they got', async () => {
    const { server, http, say, prompts } = await opened([step(says('好。'))])
    await using _ = server
    const { body } = await http.json('POST', CONVERSATIONS, { skill: 'bazi', voice_mode: 'wise' })
    expect(body).toMatchObject({ id: expect.stringMatching(/^conv_/), title: null, skill: 'bazi' })
    await (await say('看看', { conversation_id: body['id'], voice_mode: null })).whole()

    expect(JSON.stringify(prompts[0])).toContain('In use: bazi')
    const { body: shown } = await http.json('GET', `${CONVERSATIONS}/${String(body['id'])}`)
    expect(shown).toMatchObject({ voice_mode: 'wise', messages: [{ content: '看看' }, { content: '好。' }] })
  })

  it('show what was said so far while an answer is written', async () => {
    const held = gate()
    const { server, http, say } = await opened([step(says('慢慢', held, '说。'))])
    await using _ = server
    const going = await say('累', { conversation_id: 'evening' })
    await going.until('慢慢')

    const { body } = await http.json('GET', `${CONVERSATIONS}/evening`)
    expect(body).toMatchObject({ messages: [{ content: '累' }, { role: 'assistant', content: '慢慢' }] })
    held.open()
    await going.whole()
    const { body: after } = await http.json('GET', `${CONVERSATIONS}/evening`)
    expect(after).toMatchObject({ messages: [{ content: '累' }, { content: '慢慢说。' }] })
  })

  it('are their user’s own', async () => {
    const { server } = await opened([step(says('好。'))], ['ada', 'bob'])
    await using _ = server
    const as = (user: string) => ({
      authorization: `Bearer ${server.token(user)}`,
      'content-type': 'application/json',
    })
    const made = await fetch(`${server.url}${CONVERSATIONS}`, {
      method: 'POST',
      headers: as('ada'),
      body: '{}',
    })
    const { id } = (await made.json()) as { id: string }
    const asBob = async (method: string, path: string) =>
      fetch(`${server.url}${CONVERSATIONS}${path}`, {
        method,
        headers: as('bob'),
        ...(method === 'PATCH' && { body: '{"title":"x"}' }),
      })

    for (const method of ['GET', 'PATCH', 'DELETE']) expect((await asBob(method, `/${id}`)).status).toBe(404)
    expect(await (await asBob('GET', '')).json()).toEqual({ conversations: [], total: 0, has_more: false })
  })

  it('have cards as marks in the text and what is being done, if a setting says so', async () => {
    const script = [step(says('我在听。'), calls('c1', 'show_insight', insight)), step(says('慢慢说。'))]
    const { server, http, say } = await opened(script, [], { vibelifeStream: 'marks' })
    await using _ = server
    const lines = (await (await say('累', { conversation_id: 'evening' })).whole()).toString().split('\n')

    const text = lines
      .flatMap((line) => (line.startsWith('0:') ? [JSON.parse(line.slice(2)) as string] : []))
      .join('')
    expect(text).toMatch(
      /^我在听。\[\[TOOL:show_insight:\{"status":"success","cardType":"insight_card".*\}\]\]慢慢说。$/,
    )
    const phases = lines.flatMap((line) => /^2:\["thinking",.*"phase":"(\w+)"/.exec(line)?.[1] ?? [])
    expect(phases).toEqual(['analyzing', 'tool_call', 'analyzing', 'complete'])
    const { body } = await http.json('GET', `${CONVERSATIONS}/evening`)
    expect(body).toMatchObject({ messages: [{ content: '累' }, { content: text }] })
  })
})

describe('other routes of VibeLife’s pages', () => {
  it('list and show skills, and greet', async () => {
    const { server, http } = await opened([])
    await using _ = server
    const { body } = await http.json('GET', '/api/v1/skills?category=professional')
    expect(body).toMatchObject({
      skills: [
        { id: 'almanac', name: '黄历择日', category: 'professional', pricing: { type: 'free' } },
        { id: 'bazi', name: '八字' },
      ],
      categories: { core: { count: 1 }, professional: { count: 2 } },
      total: 2,
    })
    expect((await http.json('GET', '/api/v1/skills/bazi')).body).toMatchObject({ id: 'bazi' })
    expect((await http.json('GET', '/api/v1/skills/mbti')).status).toBe(404)
    const greeting = await http.json('GET', '/api/v1/fortune/greeting?language=zh-CN&voice_mode=wise')
    expect(greeting.body).toMatchObject({ success: true, language: 'zh' })
  })

  it('answer AI SDK 6 at /api/chat', async () => {
    const { server, http } = await opened([step(says('好。'))])
    await using _ = server
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: '累' }] }]
    const body = { id: 'page', trigger: 'submit-message', messages, skill: 'mbti', voice_mode: 'warm' }
    const response = await http.post('/api/chat', body)

    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(await response.text()).toContain('"delta":"好。"')
  })
})
