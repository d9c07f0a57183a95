import { describe, expect, it } from 'vitest'

import { homeLanguage, homePage, type HomeAgent } from './home-page.ts'

const dice: HomeAgent = {
  id: 'dice',
  name: 'Dice <b>',
  description: 'Rolls dice',
  examples: undefined,
  condition: undefined,
  model: () => ({ name: 'openai:gpt-x' }),
}

async function render(agent: Partial<HomeAgent>, language: 'en' | 'zh' = 'en'): Promise<string> {
  const agents = [{ ...dice, ...agent }]
  return String(await homePage({ version: '1.0.0', agents }, { origin: 'http://localhost:3033', language }))
}

describe('homePage', () => {
  it('shows the model, the agents and the addresses for clients', async () => {
    const page = await render({})

    expect(page).toContain('Model: openai:gpt-x')
    expect(page).toContain('Dice &lt;b&gt;')
    for (const path of ['/dice/chat', '/ag-ui/dice', '/copilotkit', '/v1'])
      expect(page).toContain(`http://localhost:3033${path}`)
    expect(page).not.toContain('<script')
  })

  it('says what a real model needs', async () => {
    const missing = { en: 'Set OPENAI_API_KEY.', zh: '请设置 OPENAI_API_KEY。' }
    const model = () => ({ name: 'offline', missing })

    expect(await render({ model })).toContain(missing.en)
    expect(await render({ model }, 'zh')).toContain(missing.zh)
  })

  it('shows the examples of an agent in the language of the reader', async () => {
    const examples = (origin: string) => [
      {
        title: 'Roll',
        description: 'Once.',
        command: `curl ${origin}/roll`,
        zh: { title: '掷骰子', description: '一次。' },
      },
    ]

    expect(await render({ examples })).toContain('<h3>Roll</h3>')
    expect(await render({ examples }, 'zh')).toContain('<h3>掷骰子</h3>')
    expect(await render({ examples }, 'zh')).toContain('curl http://localhost:3033/roll')
  })

  it('says what an agent lacks on this machine', async () => {
    const condition = async () => ({ available: false, notes: ['Start with --root DIR.'] })

    expect(await render({ condition })).toContain('Start with --root DIR.')
  })
})

describe('homeLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['fr, de', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-US,zh;q=0.9', 'en'],
    ['fr, zh-TW', 'zh'],
  ] as const)('reads %j as %s', (header, language) => {
    expect(homeLanguage(header)).toBe(language)
  })
})
