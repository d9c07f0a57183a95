import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { toolResult } from 'dragoman/agents'
import { servedFolder, callTool } from '../coding.fixture.ts'
import { workspaceSearch } from './workspace-search.ts'
import { plainSearcher } from './plain-searcher.ts'
import { testSandboxes, SYSTEM_PATH } from '../commands/commands.fixture.ts'
import { globFilesTool } from './glob-files-tool.ts'
import { searchFilesTool } from './search-files-tool.ts'
import { chooseSearcher } from './choose-searcher.ts'

const boxes = testSandboxes({ env: { PATH: SYSTEM_PATH } })

type Files = Readonly<Record<string, string>>

async function rig(files: Files) {
  const { root, outside, workspaces: open } = await servedFolder(files)
  const found = workspaceSearch(chooseSearcher(boxes).searcher)
  const all = [searchFilesTool(open, found), globFilesTool(open, found)]
  const tools = new Map(all.map((tool) => [tool.name, tool]))
  const run = async (name: string, input: unknown) => {
    const tool = tools.get(name)
    if (!tool) throw new Error(`There is no tool ${name}.`)
    return callTool(tool, input, { root })
  }
  return {
    root,
    outside,
    open,
    search: (input: { pattern: string; path?: string; include?: string }) => run('search_files', input),
    glob: (input: { pattern: string; path?: string }) => run('glob_files', input),
  }
}

describe('search_files', () => {
  it('returns path, line and text', async () => {
    const { search } = await rig({ 'src/a.ts': 'one\ntwo\n', 'b.md': 'two' })

    expect(await search({ pattern: 'two' })).toEqual(
      toolResult({
        output: {
          pattern: 'two',
          path: '.',
          matches: [
            { path: 'b.md', line: 1, text: 'two' },
            { path: 'src/a.ts', line: 2, text: 'two' },
          ],
          truncated: false,
        },
        text: '2 lines in 2 files:\nb.md:1:two\nsrc/a.ts:2:two',
      }),
    )
    expect((await search({ pattern: 'two', path: 'src' })).text).toBe(
      '1 line in 1 file in src:\nsrc/a.ts:2:two',
    )
    expect((await search({ pattern: 'two', path: 'b.md', include: '*.ts' })).text).toContain('b.md:1:two')
    expect((await search({ pattern: 'two', path: 'src', include: '*.md' })).text).toMatch(
      /^No line matches two in src, in files that match \*\.md\.\nPassed over were /,
    )
  })

  it('says that there is more and how to continue', async () => {
    const { search } = await rig({ 'a.txt': 'x\n'.repeat(101), 'b.txt': `y${'文'.repeat(499)}\n`.repeat(50) })

    const many = await search({ pattern: 'x' })
    expect(many.output).toMatchObject({ truncated: true })
    expect(many.text.split('\n')).toHaveLength(102)
    expect(many.text).toMatch(/\[These are the first 100; there are more\. Narrow the search by [^\]]*\]$/)

    const long = await search({ pattern: 'y' })
    expect(Buffer.byteLength(long.text)).toBeLessThan(52 * 1024)
    expect(long.text).toMatch(/\[These are the first 50 KB; /)
  })

  it('offers the escaped pattern', async () => {
    const { search } = await rig({ 'a.ts': 'call(x)' })

    await expect(search({ pattern: 'call(' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^pattern is no .*: un\w+ group\. To look for .*: call\\\($/) as string,
    })
    expect((await search({ pattern: 'call(x)' })).text).toMatch(/very characters: call\\\(x\\\)$/)
    expect((await search({ pattern: 'call\\(x\\)' })).text).toContain('a.ts:1:call(x)')
  })

  it.each([
    [{ pattern: '' }, 'pattern must not be empty.'],
    [{ pattern: 'a\0' }, 'pattern holds no NUL.'],
    [{ pattern: 'a\nb' }, 'pattern is looked for line by line'],
    [{ pattern: 'a\\nb' }, 'pattern is looked for line by line'],
    [{ pattern: 'a'.repeat(1001) }, 'pattern may have at most 1000 characters.'],
    [{ pattern: 'a', include: '../*' }, 'include must stay below'],
    [{ pattern: 'a', include: '{a,../b}' }, 'include must stay below'],
    [{ pattern: 'a', include: '{a' }, /^include: a brace is not closed/],
    [{ pattern: 'a', path: '..' }, 'outside'],
    [{ pattern: 'a', path: '/etc' }, 'outside'],
    [{ pattern: 'a', path: 'out' }, 'outside'],
    [{ pattern: 'a', path: 'file:///etc' }, 'paths are relative'],
    [{ pattern: 'a', path: 'nowhere' }, 'nowhere does not exist.'],
  ])('refuses %j', async (input, sentence) => {
    const { search, root, outside } = await rig({})
    await symlink(outside, join(root, 'out'))

    await expect(search(input)).rejects.toThrow(sentence)
  })

  it('reads a backslash as an escape', async () => {
    const { search } = await rig({ 'a.txt': String.raw`C:\new` })

    expect((await search({ pattern: String.raw`C:\\new` })).text).toContain(String.raw`a.txt:1:C:\new`)
  })

  it('searches further directories and returns absolute paths', async () => {
    const { open, root, outside } = await rig({ 'one/a.txt': 'x', 'two/b.txt': 'x' })
    const find = workspaceSearch(chooseSearcher(boxes).searcher)
    const workspace = await open.open({ workspaceRoot: join(root, 'one'), directories: [join(root, 'two')] })
    const never = new AbortController().signal

    const found = await find.lines(
      workspace,
      { pattern: 'x', path: join(root, 'two') },
      { userId: 'ada', signal: never },
    )
    expect(found.items.map(({ path }) => path)).toEqual([join(root, 'two', 'b.txt')])
    await expect(
      find.lines(workspace, { pattern: 'x', path: outside }, { userId: 'ada', signal: never }),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('returns partial results after its timeout or for a line that takes too long', async () => {
    const { open, root } = await rig({ 'a.txt': 'one', 'b.txt': `${'a'.repeat(60)}b` })
    const tool = searchFilesTool(
      open,
      workspaceSearch(async () => plainSearcher(), { timeoutMs: 500 }),
    )

    expect((await callTool(tool, { pattern: 'x|^(a+)+$' }, { root })).text).toMatch(
      /^No line was found\. The search was ended after 20 seconds/,
    )
    const patient = searchFilesTool(
      open,
      workspaceSearch(async () => plainSearcher()),
    )
    expect((await callTool(patient, { pattern: 'x|^(a+)+$' }, { root })).text).toContain(
      'takes too long on a line',
    )
  })
})

describe('glob_files', () => {
  it('returns sorted paths', async () => {
    const { glob } = await rig({
      'src/b.ts': '',
      'src/deep/a.ts': '',
      'c.ts': '',
      'src/d.md': '',
      '.e.ts': '',
    })

    expect(await glob({ pattern: '*.ts' })).toEqual(
      toolResult({
        output: {
          pattern: '*.ts',
          path: '.',
          files: ['.e.ts', 'c.ts', 'src/b.ts', 'src/deep/a.ts'],
          truncated: false,
        },
        text: '4 files, sorted by path:\n.e.ts\nc.ts\nsrc/b.ts\nsrc/deep/a.ts',
      }),
    )
    expect((await glob({ pattern: 'src/*.ts' })).output).toMatchObject({ files: ['src/b.ts'] })
    expect((await glob({ pattern: 'deep/*.ts', path: 'src' })).output).toMatchObject({
      files: ['src/deep/a.ts'],
    })
    expect((await glob({ pattern: 'src/b.ts' })).output).toMatchObject({ files: ['src/b.ts'] })
    expect((await glob({ pattern: 'nowhere/*.ts' })).text).toMatch(/^No file matches nowhere\/\*\.ts\./)
    expect((await glob({ pattern: 'c.ts/*' })).output).toMatchObject({ files: [] })
    await expect(glob({ pattern: '*', path: 'c.ts' })).rejects.toThrow('path: c.ts is a file.')
  })

  it('enters named ignored folders and follows no links', async () => {
    const { glob, root, outside } = await rig({ '.gitignore': 'node_modules', 'node_modules/a/index.js': '' })
    await mkdir(join(outside, 'secret'))
    await writeFile(join(outside, 'secret', 'key.js'), '')
    await symlink(join(outside, 'secret'), join(root, 'out'))

    expect((await glob({ pattern: '*.js' })).output).toMatchObject({ files: [] })
    expect((await glob({ pattern: 'node_modules/*/*.js' })).output).toMatchObject({
      files: ['node_modules/a/index.js'],
    })
    expect((await glob({ pattern: 'out/*.js' })).output).toMatchObject({ files: [] })
    await expect(glob({ pattern: '*.js', path: 'out' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('says that there are more files', async () => {
    const files = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}.txt`, '']))
    const { glob } = await rig(files)

    const { output, text } = await glob({ pattern: '*.txt' })
    expect(output).toMatchObject({ truncated: true })
    expect(text.split('\n')).toHaveLength(1002)
    expect(text).toMatch(/\[These are the first 1000; there are more\. /)
  })
})

describe('names with control characters', () => {
  it('are quoted on one line', async () => {
    const { search, glob } = await rig({ 'a\nb.txt': 'x', '\u001b[2J.txt': 'x' })

    for (const { text } of [await search({ pattern: 'x' }), await glob({ pattern: '*.txt' })]) {
      expect(text).toContain(String.raw`"a\nb.txt"`)
      expect(text).toContain(String.raw`"\u001b[2J.txt"`)
      expect(text.split('\n')).toHaveLength(3)
      expect(text).not.toContain('\u001b')
    }
  })
})

describe('a server without ripgrep', () => {
  it.each([
    ['no package', () => Promise.reject(new Error('Could not find it.'))],
    ['one that does not run', async () => join(import.meta.dirname, 'room.ts')],
  ])('searches and reports it: %s', async (_, rgPath) => {
    const { open, root } = await rig({ 'a.txt': 'x' })
    const which = chooseSearcher(boxes, rgPath)

    const { text } = await callTool(
      searchFilesTool(open, workspaceSearch(which.searcher)),
      { pattern: 'x' },
      { root },
    )
    expect(text).toContain('a.txt:1:x')
    expect(await which.notes()).toEqual([expect.stringMatching(/^Searching takes longer/)])
    const works = (await boxes.detect()).works
    expect(await chooseSearcher(boxes).notes()).toHaveLength(works ? 0 : 1)
  })
})
