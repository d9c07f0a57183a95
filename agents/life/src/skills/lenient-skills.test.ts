import { beforeEach, describe, expect, it } from 'vitest'

import { runTool } from '../../../../packages/dragoman/src/agents/run-tool.fixture.ts'
import { cardTool } from './card-tool.ts'
import { parseToolsFile } from './parse-tools-file.ts'
import { ownTools, skillFolders, skillText, type SkillFolders } from './skill-store.fixture.ts'

let folders: SkillFolders
beforeEach(async () => {
  folders = await skillFolders()
  return () => folders[Symbol.asyncDispose]()
})

describe('a skill file', () => {
  const long = (count: number): string => 'x'.repeat(count)
  it.each<[string, string, string, string]>([
    ['no name', '---\ndescription: x\n---\nbody', 'odd', ''],
    ['an id and a display name', '---\nid: odd\nname: 塔罗占卜\ndescription: x\n---\nbody', 'odd', ''],
    [
      'another name than its folder',
      skillText('other'),
      'other',
      'its name is other, and its folder is called',
    ],
    ['a name with capitals', skillText('Odd'), 'odd', ''],
    ['a name with a path', skillText('../odd'), 'odd', ''],
    ['a long name', skillText(long(201)), 'odd', 'name must be at most 200 characters'],
    ['no description', '---\nname: odd\n---\n# One\n\nbody', 'odd', 'it has no description'],
    ['a long description', `---\nname: odd\ndescription: ${long(1025)}\n---\nbody`, 'odd', 'and is cut'],
    [
      'metadata that is a list',
      skillText('odd', { more: 'metadata: [a]\n' }),
      'odd',
      'metadata must be a map',
    ],
    ['metadata with lists', skillText('odd', { more: 'metadata: { a: [b] }\n' }), 'odd', 'metadata.a'],
    ['500 lines', skillText('odd', { body: 'line\n'.repeat(499) + 'line' }), 'odd', '500 lines are many'],
    ['comments', skillText('odd', { more: '# v7.1: for pages\nversion: 2.0.0 # or so\n' }), 'odd', ''],
    [
      'lines that are no YAML',
      skillText('odd', { more: '## Notes\n> 本技能遵循契约。\n' }),
      'odd',
      'line 4 is no field',
    ],
    ['a colon without quotes', '---\nname: odd\ndescription: For this: x\n---\nbody', 'odd', ''],
    [
      'a value that is none',
      skillText('odd', { more: 'tags: [\n' }),
      'odd',
      'frontmatter: line 3: invalid YAML',
    ],
    [
      'a name twice',
      '---\nname: odd\nname: even\ndescription: x\n---\nbody',
      'odd',
      'name stands there twice',
    ],
    ['a tag', skillText('odd', { more: 'license: !!js/function x\n' }), 'odd', 'Unresolved tag'],
    [
      'a bomb of aliases',
      skillText('odd', { more: `a: &a [x]\nb: [*a,*a]\nc: [*b,*b]\n` }),
      'odd',
      'invalid YAML',
    ],
    ['an alias to itself', skillText('odd', { more: 'a: &a\n  b: *a\n' }), 'odd', 'invalid YAML'],
    [
      'a prototype',
      skillText('odd', { more: 'metadata: { __proto__: { core: "true" } }\n' }),
      'odd',
      '__proto__',
    ],
    ['deep nesting', skillText('odd', { more: `a: ${'['.repeat(7000)}\n` }), 'odd', 'invalid YAML'],
    [
      'a long frontmatter',
      skillText('odd', { more: `a: ${long(8000)}\n` }),
      'odd',
      'larger than 8000 characters',
    ],
  ])('with %s is a skill, and a note names what has no effect', async (_what, text, name, note) => {
    await folders.write('odd/SKILL.md', text)
    await folders.write('good/SKILL.md', skillText('good'))

    const { skills, notes } = await folders.known.library()

    expect(skills.map((skill) => skill.name)).toEqual(['good', name])
    expect(skills[1]).toMatchObject({ core: false })
    expect(notes.length > 0).toBe(note !== '')
    expect(notes.join('\n')).toContain(note)
  })

  it('has its display name as its title, and its triggers with its description', async () => {
    const text = '---\nid: tarot\nname: 塔罗占卜\ndescription: 抽牌\ntriggers:\n  - 塔罗\n  - 牌阵\n---\nbody'
    await folders.write('tarot/SKILL.md', text)

    expect(await folders.known.library()).toMatchObject({
      skills: [{ name: 'tarot', title: { zh: '塔罗占卜' }, description: '抽牌 (塔罗, 牌阵)' }],
      notes: [],
    })
  })
})

describe('a tools file', () => {
  it('may have groups, each with a list, and parameters that are a list', async () => {
    const source = `version: "2.0"
skill_id: tarot
# What asks the user.
collect:
  - name: collect_question
    card_type: collect_form
    card_props:
      form_fields:
        - { name: question, type: text, required: true, label: 你的问题 }
    parameters:
      - { name: question, type: string, required: true, description: 用户的问题 }
      - { name: spread, type: string, enum: [one, three], default: one }
      - { name: day, type: date }
routing:
  - name: use_skill
    when_to_call: |
      - 用户说"换一个"
compute:
  - name: draw_cards
    card_type: tarot_spread
    implementation: tools.tarot.draw
display:
  - name: broken
    parameters: [
  - name: show_spread
    card_type: tarot_spread
`
    const { tools, missing, notes } = await parseToolsFile(source, ownTools)

    expect(tools).toMatchObject([
      {
        name: 'collect_question',
        group: 'collect',
        card: {
          cardType: 'collect_form',
          form: [{ id: 'question', label: '你的问题', type: 'text', required: true }],
          parameters: {
            type: 'object',
            required: ['question'],
            properties: {
              question: { type: 'string', description: '用户的问题' },
              spread: { enum: ['one', 'three'], default: 'one' },
              day: { type: 'string' },
            },
          },
        },
      },
      { name: 'use_skill', group: 'action', whenToCall: '- 用户说"换一个"' },
      {
        name: 'show_spread',
        group: 'display',
        card: { cardType: 'tarot_spread', parameters: { type: 'object' } },
      },
    ])
    expect(missing).toEqual(['draw_cards'])
    expect(notes).toEqual([
      expect.stringMatching(/^line \d+: invalid YAML/),
      'group routing is none of collect, compute, display, action, and taken for action',
      expect.stringContaining('draw_cards computes, and code of a skill is never run'),
    ])
    const [tool] = tools
    if (!tool?.card) throw new Error(notes.join('\n'))
    const { output } = await runTool(cardTool('tarot', tool, tool.card), { question: '工作？' })
    expect(output).toMatchObject({
      status: 'collecting',
      cardType: 'collect_form',
      question: '工作？',
      fields: [{ id: 'question' }],
      data: { question: '工作？', spread: 'one' },
    })
  })

  it('may name the group of each tool as its type', async () => {
    const source = `version: "3.0"
skill_id: coach
tools:
  - name: read_state
    type: data
  - name: write_state
    type: data
  - name: show_plan
    type: display
    card_type: action_plan
    parameters:
      - { name: goal, type: string }
`

    const { tools, missing, notes } = await parseToolsFile(source, ownTools)

    expect(tools).toMatchObject([{ name: 'show_plan', group: 'display', card: { cardType: 'action_plan' } }])
    expect(missing).toEqual(['read_state', 'write_state'])
    expect(notes).toEqual([
      'group data is none of collect, compute, display, action, and taken for action',
      expect.stringContaining('read_state is no tool of the agent'),
      expect.stringContaining('write_state is no tool of the agent'),
    ])
  })
})
