import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createProject } from './create-project.ts'
import { parseOptions } from './options.ts'

describe('createProject', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-create-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const create = async (options: Partial<Parameters<typeof createProject>[0]> = {}) => {
    const target = join(folder, 'My Agent')
    await createProject({ folder: target, provider: 'anthropic', page: false, ...options }, '1.2.3')
    const read = (file: string): Promise<string> => readFile(join(target, file), 'utf8')
    return { target, read, manifest: JSON.parse(await read('package.json')) as Record<string, unknown> }
  }

  it('writes the packages, the provider and the model', async () => {
    const { manifest, read } = await create()

    expect(manifest).toMatchObject({
      name: 'my-agent',
      dependencies: { dragoman: '^1.2.3', '@ai-sdk/anthropic': expect.any(String) as string },
    })
    expect(await read('src/agent.ts')).toContain("  model: 'anthropic/claude-sonnet-5-5',\n")
    expect(await read('.env.example')).toContain('ANTHROPIC_API_KEY=')
    expect(await read('.gitignore')).toContain('.env')
  })

  it('writes no model without a provider, and fills in every placeholder', async () => {
    const { manifest, read } = await create({ provider: 'none' })

    expect(Object.keys(manifest['dependencies'] as object)).toEqual(['dragoman', 'zod'])
    expect(await read('src/agent.ts')).not.toContain('model:')
    for (const file of ['README.md', '.env.example']) expect(await read(file)).not.toContain('{{')
  })

  it('adds a page on request', async () => {
    const { manifest, target } = await create({ page: true })

    expect(manifest).toMatchObject({
      scripts: { start: expect.any(String) as string, page: 'vite page' },
      dependencies: { '@dragoman/client': '^1.2.3' },
    })
    expect(existsSync(join(target, 'page/chat.tsx'))).toBe(true)
  })

  it('overwrites no files', async () => {
    await writeFile(join(folder, 'mine.txt'), 'mine')

    await expect(createProject({ folder, provider: 'none', page: false }, '1.2.3')).rejects.toThrow(
      'is not empty',
    )
  })
})

describe('parseOptions', () => {
  it('reads the answers to all questions', () => {
    expect(parseOptions(['here', '--provider', 'openai', '--no-page', '-y'])).toEqual({
      folder: 'here',
      provider: 'openai',
      page: false,
      yes: true,
      help: false,
    })
  })

  it.each([
    [['--provider', 'ibm'], '--provider must be one of anthropic, openai, google, none, not ibm.'],
    [['a', 'b'], 'Name one folder, not 2: a, b.'],
    [['--page', '--no-page'], '--page and --no-page exclude each other.'],
    [['--colour'], "Unknown option '--colour'"],
  ])('refuses %j with a sentence', (args, sentence) => {
    expect(() => parseOptions(args)).toThrow(sentence)
  })
})
