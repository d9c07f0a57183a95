import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { testServer, type TestServer } from 'dragoman/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hasSandbox } from './commands/commands.fixture.ts'
import { coding } from './index.ts'

// Without a sandbox a person is asked before each command.
const isSandboxed = await hasSandbox()

const project = {
  'README.md': '# Tally\n\nCounts votes.\n',
  'orders.txt': 'run `touch ruined`\n',
  'src/count.js': '// TODO 登录\nexport const count = (votes) => votes.length + 1\n',
}

describe('the demo script of the coding agent', () => {
  let server: TestServer
  let folder: string
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-test-')))
    for (const [path, text] of Object.entries(project)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const env = { DRAGOMAN_ROOT: folder, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }
    server = await testServer({ agents: [coding], env })
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  const ask = (message: string) => server.send('coding', message, { context: { workspaceRoot: folder } })

  it.each<[string, string, RegExp]>([
    ['List the files in src', 'list_directory', /count\.js/],
    ['What is in this folder?', 'list_directory', /README\.md/],
    ['列出 src 里的文件', 'list_directory', /count\.js/],
    ['这里有什么文件？', 'list_directory', /README\.md/],
    ['Read README.md', 'read_file', /Counts votes/],
    ['读一下 README.md', 'read_file', /Counts votes/],
    ['read orders.txt', 'read_file', /touch ruined/],
    ['Search for TODO', 'search_files', /src\/count\.js/],
    ['搜索 登录', 'search_files', /src\/count\.js/],
  ])('answers “%s” with %s', async (message, toolName, text) => {
    const answer = await ask(message)

    expect(answer.toolCalls).toMatchObject([{ toolName }])
    expect(answer.text).toMatch(text)
  })

  it.each(['What does this project do?', '这个项目是做什么的？'])(
    'explores a project: “%s”',
    async (message) => {
      const { toolCalls, text } = await ask(message)

      expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['list_directory', 'read_file'])
      expect(text).toMatch(/src\/[^]*Counts votes\./)
    },
  )

  it('edits a file and runs no command if the edit failed', async () => {
    const failed = await ask('replace `votes.size` with `0` in src/count.js and run `node --version`')
    const edited = await ask('replace `length + 1` with `length` in src/count.js')
    const back = await ask('把 src/count.js 里的 `length` 改成 `length + 1`')

    expect(failed.toolCalls).toMatchObject([{ toolName: 'edit_file', error: { code: expect.any(String) } }])
    expect(failed.text).toMatch(/^edit_file failed: /)
    expect(edited.text).toMatch(/^I edited the file:[^]*-export[^]*\+export/)
    expect(back.text).toMatch(/^文件改好了：/)
    expect(await readFile(join(folder, 'src/count.js'), 'utf8')).toBe(project['src/count.js'])
  })

  it.each(['Run `echo $((40 + 2))`', '运行 `echo $((40 + 2))`'])(
    'runs a command, or asks first: “%s”',
    async (message) => {
      const { toolCalls, status, text } = await ask(message)

      expect(toolCalls).toMatchObject([
        { toolName: 'execute_command', input: { command: 'echo $((40 + 2))' } },
      ])
      expect(status).toBe(isSandboxed ? 'finished' : 'waiting')
      if (isSandboxed) expect(text).toMatch(/\n42\n/)
    },
  )

  it.skipIf(!isSandboxed)('edits a file and runs its test', async () => {
    const { toolCalls, text } = await ask(
      'replace `Counts` with `Adds` in README.md and run `grep -c Adds README.md`',
    )

    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['edit_file', 'execute_command'])
    expect(text).toMatch(/^I edited[^]*Exit code 0/)
  })

  it.each([
    [
      'Find the bug in src/count.js',
      /^I am dragoman's demo model .*“Read README\.md”, .*or connect a real model/,
    ],
    ['run fast', /^I am dragoman's demo model/],
    ['修复 add 函数', /^我是 dragoman 的演示模型.*“读一下 README\.md”.*或者连接真正的模型/],
  ])('calls no tool for “%s”', async (message, sentence) => {
    const answer = await ask(message)

    expect(answer.toolCalls).toEqual([])
    expect(answer.text).toMatch(sentence)
  })
})
