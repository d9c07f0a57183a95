import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chunk, difyServer, finished } from '../../../agents/workflows/src/dify/dify.fixture.ts'
import type { Server } from '../../../packages/dragoman/src/index.ts'
import { openServer } from '../src/main.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** What the pages need of curl, for machines that have none. It prints the status, the run's id and the answer. */
const CURL = `#!/usr/bin/env node
const args = process.argv.slice(2)
const given = (flag) => args.flatMap((arg, at) => (arg === flag ? [args[at + 1]] : []))
const flags = ['-H', '-d', '-X']
const [url] = args.filter((arg, at) => !arg.startsWith('-') && !flags.includes(args[at - 1]))
const chunks = given('-d')[0] === '@-' ? await Array.fromAsync(process.stdin) : given('-d')
const body = chunks.length > 0 ? chunks.join('') : undefined
const headers = Object.fromEntries(given('-H').map((line) => line.split(/: */, 2)))
const method = given('-X')[0] ?? (body === undefined ? 'GET' : 'POST')
const response = await fetch(url, { method, headers, body })
process.stdout.write(response.status + '\\n' + (response.headers.get('x-run-id') ?? '') + '\\n' + (await response.text()))
`

/** The commands of a page's blocks: a line that begins with one, and those that go on with it. */
function commandsOf(page: string): string[] {
  const blocks = Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, language, block = '']) =>
    language === '' ? block : '',
  )
  return blocks
    .flatMap((block) => block.split(/^(?=(?:curl|node) )/m).filter((each) => /^(?:curl|node) /.test(each)))
    .map(complete)
}

/** Up to where quotes and lines are closed: what follows is the answer. */
function complete(text: string): string {
  const lines = text.split('\n')
  const isWhole = (so: string): boolean => so.split("'").length % 2 === 1 && !/[\\|]\s*$/.test(so)
  const end = lines.findIndex((_, at) => isWhole(lines.slice(0, at + 1).join('\n')))
  return lines.slice(0, end + 1).join('\n')
}

describe('the commands of the guides', () => {
  let folder: string
  let dify: Awaited<ReturnType<typeof difyServer>>
  let dragoman: Server
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    await writeFile(join(folder, 'curl'), CURL, { mode: 0o755 })
    await mkdir(join(folder, 'project'))
    dify = await difyServer()
    dify.answer({ frames: [chunk('Hello, Ada.'), finished({})] })
    const places = ['--port', '0', '--home', folder, '--root', join(folder, 'project')]
    const env = {
      DRAGOMAN_OFFLINE_PACE: '0',
      DIFY_BASE_URL: dify.url,
      DIFY_GREETING_WORKFLOW_KEY: 'app-key',
    }
    dragoman = await openServer([...places, '--metrics', '--log-level', 'silent'], env)
    url = await dragoman.listen()
  })
  afterAll(async () => {
    await dragoman.close()
    await dify[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const pages = globSync(
    [
      'docs/agents/**/*.md',
      'docs/operate/{quotas,telemetry}.md',
      'docs/reference/v1.md',
      'docs/reference/{surfaces,protocols}/*.md',
      'agents/*/README.md',
    ],
    { cwd: ROOT },
  )
    .toSorted()
    .map((file) => ({ file, commands: commandsOf(readFileSync(join(ROOT, file), 'utf8')) }))
    .filter(({ commands }) => commands.length > 0)

  it('are there', () => {
    expect(pages.map(({ file }) => file)).toEqual(
      expect.arrayContaining([
        'agents/jobs/README.md',
        'docs/agents/coding/index.md',
        'docs/agents/life/index.md',
        'docs/operate/telemetry.md',
        'docs/agents/workflows/index.md',
        'docs/reference/surfaces/chat.md',
        'docs/reference/v1.md',
      ]),
    )
  })

  it.each(pages)('of $file work as they stand there', async ({ commands }) => {
    let run = ''
    let thread = ''
    for (const command of commands) {
      const here = command
        .replaceAll('http://127.0.0.1:3033', url)
        .replaceAll('/home/me/project', join(folder, 'project'))
        .replace(/\bRUN\b/g, run)
        .replace(/\bTHREAD\b/g, thread)
      const PATH = [folder, join(process.execPath, '..'), process.env['PATH']].join(delimiter)
      const { stdout } = await promisify(execFile)('sh', ['-c', here], {
        cwd: ROOT,
        env: { ...process.env, PATH },
      })
      const [status = '', id = ''] = stdout.split('\n')
      run = id === '' ? run : id
      thread = /"id":"(conv_[^"]+)"/.exec(stdout)?.[1] ?? thread
      // A page may show how a request is refused.
      const isRefusal = command.includes('other.example') || command.includes('/answers')
      expect({ command, stdout, isGood: status.startsWith('2') }).toMatchObject({ isGood: !isRefusal })
    }
  })
})
