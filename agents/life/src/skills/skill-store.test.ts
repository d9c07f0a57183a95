import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readFolders } from './read-folders.ts'
import { skillFolders, skillText, type SkillFolders } from './skill-store.fixture.ts'

let folders: SkillFolders
beforeEach(async () => {
  folders = await skillFolders()
})
afterEach(() => folders[Symbol.asyncDispose]())

describe('a folder with SKILL.md', () => {
  it('is a skill, with its titles, files and tools', async () => {
    const more =
      'license: MIT\ncompatibility: any\nallowed-tools: Read Bash\nfuture: [1]\nmetadata:\n  title-zh: 塔罗\n  ' +
      'title-en: Tarot\n'
    await folders.write('tarot/SKILL.md', skillText('tarot', { more, body: '# 牌\n\nListen.' }))
    await folders.write('tarot/rules/major.md', 'The Fool')
    await folders.write('tarot/references/术语.md', 'no: its name is not plain')
    await folders.write('tarot/references/minor.md', 'Cups')
    await folders.write('tarot/scripts/run.sh', 'exit 1')
    await folders.write(
      'tarot/tools/tools.yaml',
      '- { name: request_info, group: collect, when_to_call: 占卜前 }',
    )

    expect(await folders.known.library()).toEqual({
      skills: [
        {
          name: 'tarot',
          description: 'What tarot is for.',
          body: '# 牌\n\nListen.',
          core: false,
          title: { zh: '塔罗', en: 'Tarot' },
          files: ['rules/major.md', 'references/minor.md'],
          tools: [{ name: 'request_info', group: 'collect', whenToCall: '占卜前' }],
          from: 'home',
          folder: join(folders.home, 'skills/tarot'),
        },
      ],
      notes: [],
    })
  })

  it.each([
    ['Windows lines and a byte order mark', 'one', `\uFEFF${skillText('one').replaceAll('\n', '\r\n')}`],
    ['a name of the greatest length', 'a'.repeat(64), skillText('a'.repeat(64))],
    ['499 lines', 'one', skillText('one', { body: 'line\n'.repeat(498) + 'line' })],
  ])('may have %s', async (_what, name, text) => {
    await folders.write(`${name}/SKILL.md`, text)

    expect(await folders.known.library()).toMatchObject({ skills: [{ name }], notes: [] })
  })

  it('is core where its metadata says so, with or without quotes', async () => {
    await folders.write('one/SKILL.md', skillText('one', { more: 'metadata: { core: "true" }\n' }))
    await folders.write('two/SKILL.md', skillText('two', { more: 'metadata: { core: true }\n' }))
    await folders.write('three/SKILL.md', skillText('three', { more: 'metadata: { core: no way }\n' }))

    const { skills } = await folders.known.library()
    expect(skills.map(({ name, core }) => [name, core])).toEqual([
      ['one', true],
      ['three', false],
      ['two', true],
    ])
  })

  const long = (count: number): string => 'x'.repeat(count)
  it.each([
    ['no frontmatter', 'Just words.', 'SKILL.md must begin with frontmatter'],
    ['frontmatter without end', '---\nname: bad\n', 'SKILL.md must begin with frontmatter'],
    ['no instructions', '---\nname: bad\ndescription: x\n---\n\n', 'no instructions below'],
    ['10 MB', skillText('bad', { body: long(10 * 1024 * 1024) }), 'SKILL.md is larger than 64 KB'],
    ['bytes that are no text', Buffer.from([0x2d, 0xff, 0xfe]), 'SKILL.md is not UTF-8'],
  ])('with %s is left out, and says why', async (_what, text, why) => {
    await folders.write('bad/SKILL.md', text)
    await folders.write('good/SKILL.md', skillText('good'))

    const { skills, notes } = await folders.known.library()

    expect(skills.map(({ name }) => name)).toEqual(['good'])
    expect(notes).toEqual([expect.stringContaining('Skill skills/bad: left out: ')])
    expect(notes[0]).toContain(why)
  })

  it('may be missing; what is hidden, or a file, is no skill', async () => {
    expect(await folders.known.library()).toEqual({ skills: [], notes: [] })
    await folders.write('.git/config', '')
    await folders.write('README.md', '')
    await folders.write('empty/notes.txt', '')
    folders.pass(1000)

    const { skills, notes } = await folders.known.library()
    expect(skills).toEqual([])
    expect(notes).toEqual(['Skill skills/empty: left out: it has no SKILL.md.'])
  })
})

describe('folders that change', () => {
  const bodies = async (): Promise<string[]> => {
    const { skills } = await folders.known.library()
    return skills.map(({ body }) => body)
  }

  it('are read again, a second later at the earliest', async () => {
    await folders.write('one/SKILL.md', skillText('one', { body: 'first' }))
    expect(await bodies()).toEqual(['first'])

    await folders.write('one/SKILL.md', skillText('one', { body: 'second' }))
    folders.pass(999)
    expect(await bodies()).toEqual(['first'])
    folders.pass(1)
    expect(await bodies()).toEqual(['second'])

    await folders.write('two/SKILL.md', skillText('two', { body: 'another' }))
    await rm(join(folders.home, 'skills/one'), { recursive: true })
    folders.pass(1000)
    expect(await bodies()).toEqual(['another'])
  })

  it('are not read again where nothing has changed', async () => {
    await folders.write('one/SKILL.md', skillText('one'))
    const first = await folders.known.library()
    folders.pass(5000)

    expect(await folders.known.library()).toBe(first)
    const later = new Date(Date.now() + 5000)
    await utimes(join(folders.home, 'skills/one/SKILL.md'), later, later)
    folders.pass(5000)
    expect(await folders.known.library()).not.toBe(first)
  })

  it('may go on with what is whole while a file is half written', async () => {
    await folders.write('one/SKILL.md', '---\nname: on')
    expect(await bodies()).toEqual([])
    await folders.write('one/SKILL.md', skillText('one', { body: 'whole' }))
    folders.pass(1000)

    expect(await folders.known.library()).toMatchObject({ skills: [{ body: 'whole' }], notes: [] })
  })
})

describe('many skills', () => {
  it('are bounded in number, and core ones more so', async () => {
    for (let at = 10; at < 16; at++) {
      await folders.write(
        `core-${at}/SKILL.md`,
        skillText(`core-${at}`, { more: 'metadata: { core: true }\n' }),
      )
    }
    for (let at = 10; at < 70; at++) await folders.write(`skill-${at}/SKILL.md`, skillText(`skill-${at}`))

    const { skills, notes } = await folders.known.library()

    expect(skills).toHaveLength(62)
    expect(skills.filter(({ core }) => core)).toHaveLength(4)
    expect(notes).toEqual([
      'Skills: 2 folders are more than 64, and left out.',
      'Skill core-14: left out: there are 4 core skills already.',
      'Skill core-15: left out: there are 4 core skills already.',
    ])
  })
})

describe('a server’s skills', () => {
  it('are read on a thread, where one that takes for ever is left out', async () => {
    await using own = await skillFolders()
    await own.write('slow/SKILL.md', skillText('slow'))
    // For each mistake the YAML library counts lines and columns from the start.
    await own.write('slow/tools.yaml', `"${'\\q'.repeat(16_000)}"`)
    await own.write('well/SKILL.md', skillText('well'))

    const root = join(own.home, 'skills')
    const found = [
      { root, name: 'slow', from: 'home' },
      // Those that come with us are read without a thread.
      { root, name: 'well', from: 'dragoman' },
    ] as const
    expect(await readFolders(50)(found, new Set())).toMatchObject([
      { notes: ['it takes too long to read'] },
      { skill: { name: 'well' }, notes: [] },
    ])
  })

  it('that come with us can all be read, and the home’s own stands in for one of them', async () => {
    await using own = await skillFolders({ shipped: true, withinMs: 5000 })
    await own.write('bazi/SKILL.md', skillText('bazi'))

    const { skills, notes } = await own.known.library()

    expect(notes).toContain(
      'Skill skills/bazi: stands in for the skill bazi of dragoman, which is not told any more.',
    )
    expect(skills.find(({ name }) => name === 'bazi')).toMatchObject({
      from: 'home',
      body: 'Do as bazi does.',
    })
    expect(skills.find(({ name }) => name === 'core')).toMatchObject({ from: 'dragoman', core: true })
    await own.write('bazi/SKILL.md', 'broken')
    await own.write('core/SKILL.md', skillText('core'))
    own.pass(1000)
    const { skills: after, notes: replaced } = await own.known.library()
    expect(after.find(({ name }) => name === 'bazi')).toMatchObject({ from: 'dragoman' })
    expect(after.find(({ name }) => name === 'core')).toMatchObject({ from: 'home', core: true })
    expect(replaced).toContain(
      'Skill skills/core: stands in for the skill core of dragoman, which is not told any more.',
    )
  })
})
