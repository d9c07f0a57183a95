import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { announce, check, say } from '../say.ts'
import type { Server } from '../server.ts'
import { postJson } from '../../test/support/http.ts'

const PROJECT = {
  'README.md': '# Tally\n\nAdds up what was spent. 记账，求和。\n',
  'sum.mjs': 'export function sum(amounts) {\n  return amounts.reduce((total, each) => total - each, 0)\n}\n',
  'sum.test.mjs':
    "import assert from 'node:assert'\nimport { sum } from './sum.mjs'\n\n" +
    "assert.equal(sum([1, 2, 3]), 6)\nconsole.log('1 passed')\n",
}

type Frame = {
  readonly type: string
  readonly toolName?: string
  readonly toolInput?: unknown
  readonly content?: string
}

/** Shows the coding agent on a small project: it describes the project, finds the mistake and fixes it. */
export async function mendProject(server: Server, folder: string): Promise<void> {
  announce(
    'The coding agent mends a small project',
    `POST /api/agent-chat with workDir ${folder}. The built-in model does what is plainly asked, with the real tools;`,
    'its calls and what came of them are printed as their frames come.',
  )
  for (const [name, text] of Object.entries(PROJECT)) await writeFile(join(folder, name), text)
  const ask = (message: string) => askCoding(server, message, folder)

  await ask('read sum.mjs')
  await ask('搜索 sum')
  const before = await ask('run `node sum.test.mjs`')
  check(/^Exit code 1\b/.test(before), 'The test should have failed first.')
  const after = await ask('把 sum.mjs 里的 `total - each` 改成 `total + each`，然后运行 `node sum.test.mjs`')
  check(/^Exit code 0\b[^]*1 passed/.test(after), 'The test should have passed in the end.')
  check(
    (await readFile(join(folder, 'sum.mjs'), 'utf8')).includes('total + each'),
    'The file should be mended.',
  )
}

/** Prints an answer's calls as they come. Gives what the last of them returned. */
async function askCoding({ url }: Server, message: string, workDir: string): Promise<string> {
  say(`> ${message}\n`)
  const response = await postJson(`${url}/api/agent-chat`, { message, workDir })
  check(response.ok, `It was refused: ${response.status}.`)
  let last = ''
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames.filter((each) => each.startsWith('data: '))) {
      const { type, toolName, toolInput, content = '' } = JSON.parse(frame.slice(6)) as Frame
      if (type === 'tool_use') say(`  ${toolName} ${JSON.stringify(toolInput)}`)
      if (type !== 'tool_result') continue
      last = content
      say(`${content.trimEnd().replaceAll(/^(?=.)/gm, '  │ ')}\n`)
    }
  }
  return last
}
