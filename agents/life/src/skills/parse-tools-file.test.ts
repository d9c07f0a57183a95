import { array, assert, integer, jsonValue, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { accepts } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import type { Json } from 'dragoman/events'
import { runTool } from '../../../../packages/dragoman/src/agents/run-tool.fixture.ts'
import { cardTool } from './card-tool.ts'
import { ownTools, skillFolders, skillText } from './skill-store.fixture.ts'
import { parseToolsFile } from './parse-tools-file.ts'

const card = `
- name: show_tarot_card
  group: display
  description: Shows the card that was drawn.
  card_type: tarot_card
  when_to_call: 抽一张牌 | draw a card
  parameters:
    type: object
    additionalProperties: false
    required: [name]
    properties:
      name: { type: string, title: 牌名, maxLength: 40 }
      upright: { type: boolean, title: 正位 }
      meanings:
        type: array
        maxItems: 4
        items: { type: object, properties: { area: { type: string, title: 方面 }, words: { type: string } } }
`

async function toolFrom(source: string) {
  const { tools, notes } = await parseToolsFile(source, ownTools)
  const [tool] = tools
  if (!tool?.card) throw new Error(notes.join('\n'))
  return cardTool('tarot', tool, tool.card)
}

describe('tools.yaml', () => {
  it('names tools of the agent’s own, and cards of the skill’s', async () => {
    const { tools, notes } = await parseToolsFile(
      `- { name: show_bazi_chart, group: display, when_to_call: "看盘" }\n${card}`,
      ownTools,
    )

    expect(notes).toEqual([])
    expect(tools).toMatchObject([
      { name: 'show_bazi_chart', group: 'display', whenToCall: '看盘' },
      { name: 'show_tarot_card', whenToCall: '抽一张牌 | draw a card', card: { cardType: 'tarot_card' } },
    ])
    expect(tools[0]).not.toHaveProperty('card')
  })

  it.each(['', '# nothing yet', '[]', 'tools: []'])('may say nothing: %j', async (source) => {
    expect(await parseToolsFile(source, ownTools)).toEqual({ tools: [], missing: [], notes: [] })
  })

  const oneCard = (more: string, parameters = '{ type: object }'): string =>
    `- { name: my_card, group: display, card_type: mine, parameters: ${parameters}${more} }`
  it.each([
    ['- { name: nothing, group: display }', 'nothing is no tool of the agent'],
    ['- { name: no_type, group: display, parameters: { type: object } }', 'needs card_type'],
    [oneCard('').replace('display', 'compute'), 'code of a skill is never run'],
    ['- { name: bad name, group: display }', 'entry 1 name must be a letter'],
    ['- { name: request_info }', 'entry 1 group must be one of collect, compute, display, action'],
    ['- 7', 'entry 1 must be a map of fields'],
    [oneCard('', '{ type: array }'), 'parameters: type must be object'],
    [oneCard('', '{ type: object, properties: { a: { type: wat } } }'), 'Unsupported type: wat'],
    [
      oneCard('', '{ type: object, properties: { a: { type: string, pattern: "(a+)+$" } } }'),
      'pattern is not',
    ],
    [oneCard('', '{ type: object, patternProperties: { "(a+)+$": {} } }'), 'pattern is not'],
    [oneCard('', '{ type: object, properties: { a: { $ref: "http://x.example/y" } } }'), '$ref is not'],
    [
      oneCard('', '{ type: object, $defs: { a: {} }, properties: { a: { $ref: "#/$defs/a" } } }'),
      '$ref is not',
    ],
    [oneCard('', `{ type: object, description: ${'x'.repeat(8000)} }`), 'larger than 8000 characters'],
  ])('leaves out, with a note, %s', async (source, note) => {
    const { tools, notes } = await parseToolsFile(source, ownTools)

    expect(tools).toEqual([])
    expect(notes).toEqual([expect.stringContaining(note)])
  })

  it.each([
    [
      '- { name: request_info, group: ask }',
      { name: 'request_info', group: 'action' },
      'group ask is none of',
    ],
    [
      oneCard('').replace('display', 'action'),
      { group: 'display', card: { cardType: 'mine' } },
      'only shows its card',
    ],
    [oneCard('').replace('my_card', 'use_skill'), { name: 'use_skill' }, 'use_skill is a tool of the agent'],
    [oneCard('').replace('mine', 'bazi_chart'), { card: { cardType: 'my_card' } }, 'is shown as my_card'],
  ])('takes as well as it can be, with a note, %s', async (source, tool, note) => {
    const { tools, notes } = await parseToolsFile(source, ownTools)

    expect(tools).toMatchObject([tool])
    expect(notes).toEqual([expect.stringContaining(note)])
  })

  it('takes pattern for a name where it is one', async () => {
    const source = oneCard('', '{ type: object, properties: { pattern: { type: string } } }')

    expect(await parseToolsFile(source, ownTools)).toMatchObject({ tools: [{ name: 'my_card' }], notes: [] })
  })

  it('takes the first of two with one name', async () => {
    const { tools, notes } = await parseToolsFile(`${oneCard('')}\n${oneCard('')}`, ownTools)

    expect(tools).toHaveLength(1)
    expect(notes).toEqual(['my_card is named twice'])
  })

  it.each([
    ['tools: 7', 'must be a list of tools'],
    ['{ a: [', 'invalid YAML'],
    ['x'.repeat(40_000), 'is larger than 32 KB'],
  ])('that cannot be read leaves the skill without tools: %s', async (source, why) => {
    await using folders = await skillFolders()
    await folders.write('one/SKILL.md', skillText('one'))
    await folders.write('one/tools.yaml', source)

    const { skills, notes } = await folders.known.library()

    expect(skills).toMatchObject([{ name: 'one', tools: [] }])
    expect(notes).toEqual([expect.stringContaining(`Skill skills/one: tools.yaml: `)])
    expect(notes[0]).toContain(why)
  })

  it('of two skills with a card of one name, the first counts; there are 64 in all', async () => {
    await using folders = await skillFolders()
    const many = Array.from({ length: 72 }, (_, at) => oneCard('').replace('my_card', `card_${at}`))
    await folders.write('one/SKILL.md', skillText('one'))
    await folders.write('one/tools.yaml', many.slice(0, 20).join('\n'))
    await folders.write('two/SKILL.md', skillText('two'))
    await folders.write(
      'two/tools.yaml',
      [many[18], many[19]?.replace('mine', 'other'), ...many.slice(20)].join('\n'),
    )

    const { skills, notes } = await folders.known.library()

    expect(skills.map(({ tools }) => tools.length)).toEqual([20, 45])
    expect(notes).toHaveLength(9)
    expect(notes[0]).toBe('Skill two: card_19 is left out: one has another card of that name.')
    expect(notes[1]).toBe('Skill two: card_64 is left out: there are 64 cards.')
  })
})

describe('a card of a skill’s own', () => {
  const drawn = {
    name: '愚者',
    upright: true,
    meanings: [
      { area: '工作', words: '新的开始' },
      { area: '感情', words: '轻装上路' },
    ],
  }

  it('shows what it is called with, and says it in words', async () => {
    const { output, text } = await runTool(await toolFrom(card), drawn, { context: { language: 'zh' } })

    expect(output).toEqual({ status: 'success', cardType: 'tarot_card', skill: 'tarot', data: drawn, text })
    expect(text).toBe(
      '牌名：愚者\n正位：是\nmeanings：\n  - 方面：工作\n    words：新的开始\n  - 方面：感情\n    words：轻装上路',
    )
    const english = await runTool(await toolFrom(card), { name: 'The Fool' }, { context: { language: 'en' } })
    expect(english.text).toBe('牌名: The Fool')
  })

  it('that collects says that it does', async () => {
    const tool = await toolFrom(card.replace('group: display', 'group: collect'))

    expect((await runTool(tool, drawn)).output).toMatchObject({ status: 'collecting' })
    expect(tool.description).toContain('end your turn')
  })

  it.each([
    {},
    { name: 7 },
    { name: 'x'.repeat(41) },
    { name: 'x', other: 1 },
    { name: 'x', meanings: Array.from({ length: 5 }, () => ({})) },
    null,
    [],
  ])('is held to its schema: %j', async (input) => {
    const tool = await toolFrom(card)

    expect(await accepts(tool, input)).toBe(false)
  })

  it('is bounded', async () => {
    const tool = await toolFrom('- { name: c, group: display, card_type: c, parameters: { type: object } }')

    await expect(runTool(tool, { a: 'x'.repeat(16_000) })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('can be read out, whatever it is called with', async () => {
    const tool = await toolFrom('- { name: c, group: display, card_type: c, parameters: { type: object } }')
    const shows = async (data: Record<string, unknown>): Promise<string> => (await runTool(tool, data)).text

    const inputs: Record<string, unknown>[] = []
    const anything = record({
      title: string(),
      count: integer(),
      held: jsonValue(),
      list: array(jsonValue()),
    })
    assert(property(anything, (data) => void inputs.push(data)))
    for (const data of inputs) {
      const plain = JSON.parse(JSON.stringify(data)) as Record<string, Json>
      if (JSON.stringify(plain).length < 16_000)
        expect(await shows(plain)).toContain(JSON.stringify(plain['count']))
    }
  })
})
