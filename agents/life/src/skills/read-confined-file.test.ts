import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { skillFolders, skillText, type SkillFolders } from './skill-store.fixture.ts'

let folders: SkillFolders
beforeEach(async () => {
  folders = await skillFolders()
})
afterEach(() => folders[Symbol.asyncDispose]())

describe('what leads out of a skill’s folder', () => {
  const secret = 'the secret'
  beforeEach(async () => {
    await writeFile(join(folders.home, 'secret.md'), skillText('bad', { body: secret }))
    await mkdir(join(folders.home, 'elsewhere'))
    await writeFile(join(folders.home, 'elsewhere/secret.md'), secret)
    await folders.write('bad/SKILL.md', skillText('bad'))
  })
  const inSkills = (path: string): string => join(folders.home, 'skills', path)

  it('is not followed from SKILL.md', async () => {
    await rm(inSkills('bad/SKILL.md'))
    await symlink(join(folders.home, 'secret.md'), inSkills('bad/SKILL.md'))

    const { skills, notes } = await folders.known.library()
    expect(skills).toEqual([])
    expect(notes).toEqual(['Skill skills/bad: left out: SKILL.md is a link, or lies behind one.'])
  })

  it('is not followed where the folder is a link itself', async () => {
    await rename(inSkills('bad'), join(folders.home, 'bad'))
    await symlink(join(folders.home, 'bad'), inSkills('bad'))

    expect(await folders.known.library()).toMatchObject({
      skills: [],
      notes: [expect.stringContaining('link')],
    })
  })

  it('is not followed from rules and references, nor from tools.yaml', async () => {
    await symlink(join(folders.home, 'elsewhere'), inSkills('bad/rules'))
    await mkdir(inSkills('bad/references'))
    await symlink(join(folders.home, 'secret.md'), inSkills('bad/references/secret.md'))
    await symlink(join(folders.home, 'secret.md'), inSkills('bad/tools.yaml'))

    const { skills, notes } = await folders.known.library()
    expect(skills).toMatchObject([{ files: [], tools: [] }])
    expect(notes).toEqual([
      'Skill skills/bad: tools.yaml: tools.yaml is a link, or lies behind one.',
      'Skill skills/bad: rules is a link, and not read.',
      'Skill skills/bad: references/secret.md is a link, and not read.',
    ])
  })

  it.each([
    '../../secret.md',
    'rules/../../../secret.md',
    '/etc/passwd',
    'rules/none.md',
    'tools.yaml',
    '',
    'rules/\0.md',
  ])('is no file of it: %j', async (file) => {
    await folders.write('bad/rules/one.md', 'one')
    const [skill] = (await folders.known.library()).skills
    if (!skill) throw new Error('There is no skill.')

    await expect(folders.known.read(skill, file)).rejects.toMatchObject({
      code: 'not-found',
      message: 'file: there is no such file in bad; there are SKILL.md, rules/one.md',
    })
    expect(await folders.known.read(skill, 'rules/one.md')).toBe('one')
    expect(await folders.known.read(skill, 'SKILL.md')).toBe('Do as bad does.')
  })

  it('is not followed where a link was put in a file’s place since', async () => {
    await folders.write('bad/rules/one.md', 'one')
    const [skill] = (await folders.known.library()).skills
    if (!skill) throw new Error('There is no skill.')
    await rm(inSkills('bad/rules/one.md'))
    await symlink(join(folders.home, 'elsewhere/secret.md'), inSkills('bad/rules/one.md'))

    await expect(folders.known.read(skill, 'rules/one.md')).rejects.toThrow('is a link')
  })

  it('and a pipe is not waited for', async () => {
    await rm(inSkills('bad/SKILL.md'))
    execFileSync('mkfifo', [inSkills('bad/SKILL.md')])

    const { notes } = await folders.known.library()
    expect(notes).toEqual(['Skill skills/bad: left out: SKILL.md is not a file.'])
  })
})
