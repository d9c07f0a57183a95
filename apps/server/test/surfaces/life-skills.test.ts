import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf } from '../../../../test/support/event-stream.ts'
import { runDoctor } from '../support/run-doctor.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step, type Script } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bundledAgents } from '../../src/main.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/agents/life/skills.md'), 'utf8')

/** What the guide has its reader write. */
function skillFile(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? ''
}

let home: string
beforeEach(async () => {
  home = await createTempDir()
  await mkdir(join(home, 'skills/tarot/rules'), { recursive: true })
  await writeFile(join(home, 'skills/tarot/SKILL.md'), skillFile('markdown'))
  await writeFile(
    join(home, 'skills/tarot/tools.yaml'),
    `${skillFile('yaml')}- { name: nothing_of_ours, group: display }\n`,
  )
  await writeFile(join(home, 'skills/tarot/rules/majors.md'), skillFile('text'))
})

const model = scriptedModel()
const opened = (): Promise<TestServer> => openServer({ models: model.models, agents: bundledAgents, home })

/** The system's words in a call of the model. */
function system(call: number): string {
  return JSON.stringify(model.prompts[call]?.filter(({ role }) => role === 'system'))
}

async function startConversation(server: TestServer): Promise<string> {
  const { body } = await client(server).json('POST', '/v1/threads', { agent: 'life' })
  return String(body['id'])
}

/** One run of the life agent: its events. */
async function run(server: TestServer, thread: string, script: Script, context: Json = {}) {
  model.play(script)
  const body = { message: '帮我抽一张牌', context }
  const response = await client(server).post(`/v1/threads/${thread}/runs`, body)
  expect(response.status).toBe(200)
  return framesOf(Buffer.from(await response.arrayBuffer()))
}

describe('skills of the life agent', () => {
  it('stay selected in later turns, also after a restart', async () => {
    const events: Record<string, unknown>[] = []
    let thread = ''
    {
      await using server = await opened()
      thread = await startConversation(server)
      events.push(
        ...(await run(server, thread, [
          step(calls('c1', 'use_skill', { skills: ['tarot', 'bazi'], topic: 'self' })),
          step(calls('c2', 'read_skill_file', { skill: 'tarot', file: 'rules/majors.md' })),
          step(says('抽好了。')),
        ])),
      )
      expect(system(0)).toContain('- tarot: Draw a tarot card and talk about it')
      expect(system(0)).not.toContain('and show it with show_tarot_card')
      expect(JSON.stringify(model.prompts[1]?.at(-1))).toContain('and show it with show_tarot_card.')
      expect(JSON.stringify(model.prompts[2]?.at(-1))).toContain('The Fool: a beginning')
      expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({
        output: {
          status: 'success',
          cardType: 'skill_switch',
          skills: [{ name: 'tarot', title: '塔罗' }, { name: 'bazi' }],
          topic: 'self',
        },
      })

      await run(server, thread, [step(says('好。'))])
      expect(system(0)).toContain('In use: tarot, bazi.')
      expect(system(0)).toContain('and show it with show_tarot_card')
      expect(system(0)).toContain('This conversation is about: self.')
    }
    await using again = await opened()
    await run(again, thread, [step(calls('c3', 'use_skill', { skills: ['bazi'] })), step(says('好。'))])
    expect(system(0)).toContain('In use: tarot, bazi.')
    await run(again, thread, [step(says('好。'))])
    expect(system(0)).toContain('In use: bazi.')

    await run(again, await startConversation(again), [step(says('好。'))])
    expect(system(0)).toContain('None is in use.')
  })

  it('are listed in the rejection of an unknown skill', async () => {
    await using server = await opened()
    const thread = await startConversation(server)
    const events = await run(server, thread, [
      step(calls('c1', 'use_skill', { skills: ['bazi', 'palmistry'] })),
      step(calls('c2', 'read_skill_file', { skill: 'tarot', file: '../../config.yaml' })),
      step(says('没有这个。')),
    ])

    expect(events.filter(({ type }) => type === 'tool.failed')).toMatchObject([
      {
        failure: {
          code: 'invalid-input',
          // What is not in the user's language is for the model.
          message: '这一步有内容没有填对。',
        },
      },
      {
        failure: {
          code: 'not-found',
          message: expect.stringContaining('there are SKILL.md, rules/majors.md'),
        },
      },
    ])
    expect(JSON.stringify(model.prompts[1])).toMatch(
      /skills: there is no skill .*palmistry.*Known: (\w+, )*tarot/,
    )
    await run(server, thread, [step(says('好。'))])
    expect(system(0)).toContain('None is in use.')
  })

  it('may be selected by a client; the agent says which there are in place of an unknown one', async () => {
    await using server = await opened()
    const thread = await startConversation(server)
    await run(server, thread, [step(says('好。'))], { skill: 'tarot' })
    expect(system(0)).toContain('In use: tarot.')
    await run(server, thread, [step(says('好。'))])
    expect(system(0)).toContain('In use: tarot.')
    await run(server, thread, [step(says('好。'))], { skill: 'bazi' })
    expect(system(0)).toContain('In use: bazi, tarot.')
    await run(server, thread, [step(calls('c1', 'use_skill', { skills: ['tarot'] })), step(says('好。'))])
    await run(server, thread, [step(says('好。'))])
    expect(system(0)).toContain('In use: tarot.')

    await run(server, thread, [step(says('好。'))], { skill: 'palmistry' })
    expect(system(0)).toContain('In use: tarot.')
    expect(system(0)).toMatch(
      /a skill that is not here, of the name \\+"palmistry\\+".* bazi \(.*\), tarot \(/,
    )
    await run(server, thread, [step(says('好。'))])
    expect(system(0)).not.toContain('palmistry')

    await run(server, thread, [step(says('好。'))], { skills: ['palmistry'] })
    expect(system(0)).toContain('None is in use.')
  })

  it('define cards without code', async () => {
    await using server = await opened()
    const events = await run(server, await startConversation(server), [
      step(calls('c1', 'show_tarot_card', { name: '愚者', upright: true })),
      step(calls('c2', 'show_tarot_card', { upright: 'yes' })),
      step(says('愚者。')),
    ])

    expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({
      output: JSON.parse(skillFile('json')) as Json,
    })
    expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
      failure: { code: 'invalid-input' },
    })
  })

  it('are listed with their mistakes, also on the status page and by the doctor', async () => {
    const note =
      'Skill skills/tarot: tools.yaml: nothing_of_ours is no tool of the agent’s; ' +
      'a card of the skill’s own needs card_type.'
    await using server = await opened()
    const { body } = await client(server).json('GET', '/life/skills')
    const status = await client(server).json('GET', '/life/agent/status')
    const { about } = await runDoctor(['--home', home, '--port', '0'])

    // Those that come with us have nothing wrong with them.
    expect(body['notes']).toEqual([note])
    expect(body['skills']).toContainEqual({
      name: 'tarot',
      description:
        'Draw a tarot card and talk about it (塔罗, 抽牌). Use it when the user wants to draw a card.',
      title: { zh: '塔罗', en: 'Tarot' },
      core: false,
      from: 'home',
      files: ['rules/majors.md'],
      missing: ['nothing_of_ours'],
      tools: [
        {
          name: 'show_tarot_card',
          group: 'display',
          whenToCall: '抽一张牌 | draw a card',
          cardType: 'tarot_card',
        },
        { name: 'save_memory', group: 'action', whenToCall: 'They say what the card made them see' },
      ],
    })
    expect(status.body['notes']).toContain(note)
    expect(about('Skill skills/tarot')).toEqual([`! ${note}`])
  })

  it('that are bundled name only existing tools', async () => {
    await using server = await opened()
    const { body } = await client(server).json('GET', '/life/agent/status')
    const tools = new Set((body['tools'] as { name: string }[]).map(({ name }) => name))
    const folder = join(import.meta.dirname, '../../../../agents/life/src/skills/shipped')
    const files = globSync('**/*.{md,yaml}', { cwd: folder })
    const named = files.flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return (
        text.match(/\b(show|calculate|request|collect|save|list|forget|use|read|ask|find|search)_[a-z_]+/g) ??
        []
      )
    })

    expect(files.length).toBeGreaterThan(8)
    expect(named.filter((name) => !tools.has(name))).toEqual([])
    expect(named).toEqual(
      expect.arrayContaining(['show_bazi_chart', 'request_info', 'save_memory', 'show_almanac']),
    )
  })
})
