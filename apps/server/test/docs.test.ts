import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { chunk, difyServer, finished } from '../../../agents/workflows/src/dify/dify.fixture.ts'
import { dice } from '../../../packages/create-dragoman/template/base/src/agent.ts'
import { createServer, readConfig, type Server } from '../../../packages/dragoman/src/index.ts'
import { isFull } from '../../../test/support/is-full.ts'
import { SQLITE_BIN } from '../../../test/support/process.ts'
import { bundledAgents, bundledParts } from '../src/main.ts'

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
const lines = [response.status, response.headers.get('x-run-id') ?? '', await response.text()]
process.stdout.write(lines.join('\\n'))
`
const DRAGOMAN = `#!/bin/sh\nexec node ${SQLITE_BIN} "$@"\n`

const COMMAND = /^(?:curl|node|dragoman) /

/**
 * The commands in a page's blocks without a language. Those in `sh` blocks change a machine, or need what a test does
 * not have.
 */
function commandsOf(page: string): string[] {
  const blocks = Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, language = '', block = '']) =>
    language === '' ? block : '',
  )
  return blocks
    .flatMap((block) => block.split(/^(?=(?:curl|node|dragoman) )/m).filter((each) => COMMAND.test(each)))
    .map(complete)
    .filter((command) => !command.startsWith('dragoman ready '))
}

/** Up to where quotes and lines are closed: what follows is the answer. */
function complete(text: string): string {
  const lines = text.split('\n')
  const isWhole = (so: string): boolean => so.split("'").length % 2 === 1 && !/[\\|]\s*$/.test(so)
  const end = lines.findIndex((_, at) => isWhole(lines.slice(0, at + 1).join('\n')))
  return lines.slice(0, end + 1).join('\n')
}

describe('the commands of the documentation', () => {
  let folder: string
  let dify: Awaited<ReturnType<typeof difyServer>>
  let dragoman: Server
  let url: string
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    await mkdir(join(folder, 'project'))
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin/curl'), CURL, { mode: 0o755 })
    await writeFile(join(folder, 'bin/dragoman'), DRAGOMAN, { mode: 0o755 })
    const PATH = [join(folder, 'bin'), join(process.execPath, '..'), process.env['PATH']].join(delimiter)
    env = { ...process.env, PATH, DRAGOMAN_PORT: '0' }
    dify = await difyServer()
    dify.answer({ frames: [chunk('Hello, Ada.'), finished({})] })
    const places = ['--home', join(folder, 'home'), '--root', join(folder, 'project')]
    const flags = ['--port', '0', '--metrics', '--log-level', 'silent']
    const variables = {
      DRAGOMAN_OFFLINE_PACE: '0',
      DIFY_BASE_URL: dify.url,
      DIFY_GREETING_WORKFLOW_KEY: 'app-key',
    }
    const config = readConfig([...places, ...flags], variables, bundledAgents)
    dragoman = await createServer({ ...bundledParts, agents: [...bundledAgents, dice], config })
    url = await dragoman.listen()
    env['DRAGOMAN_URL'] = url
    const create = ['token', 'create', '--name', 'docs', '--home', join(folder, 'home')]
    const { stdout } = await promisify(execFile)('dragoman', create, { env })
    env['TOKEN'] = stdout.trim()
  })
  afterAll(async () => {
    await dragoman.close()
    await dify[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const pages = globSync(['docs/{guide,reference,agents,operate}/**/*.md', '{agents,packages}/*/README.md'], {
    cwd: ROOT,
  })
    .toSorted()
    .map((file) => ({ file, commands: commandsOf(readFileSync(join(ROOT, file), 'utf8')) }))
    .filter(({ commands }) => commands.length > 0)

  it('are in every part of the site', () => {
    const parts = pages.map(({ file }) => file.split('/').slice(0, 2).join('/'))

    expect(parts).toEqual(
      expect.arrayContaining(['docs/guide', 'docs/reference', 'docs/agents', 'docs/operate']),
    )
  })

  it.runIf(isFull).each(pages)('of $file work as written', async ({ file, commands }) => {
    const home = join(folder, file.replaceAll('/', '-'))
    env['DRAGOMAN_HOME'] = home
    if (commands.some((command) => command.startsWith('dragoman')))
      await promisify(execFile)('dragoman', ['token', 'create', '--name', 'first'], { env })
    let run = ''
    let thread = ''
    for (const command of commands) {
      const here = command
        .replaceAll('/tmp/', `${folder}/`)
        .replaceAll('http://127.0.0.1:3033', url)
        .replaceAll('/home/me/project', join(folder, 'project'))
        .replace(/\bRUN\b/g, run)
        .replace(/\bTHREAD\b/g, thread)
      // A home that no server has opened has nothing to back up.
      env['DRAGOMAN_HOME'] = command.startsWith('dragoman backup') ? join(folder, 'home') : home
      const { stdout } = await promisify(execFile)('sh', ['-c', here], { cwd: ROOT, env })
      if (!command.startsWith('curl')) continue
      const [status = '', id = ''] = stdout.split('\n')
      run = id === '' ? run : id
      thread = /"id":"(conv_[^"]+)"/.exec(stdout)?.[1] ?? thread
      // A page may show how a request is refused.
      const isRefusal = command.includes('other.example') || command.includes('/answers')
      expect({ command, stdout, isGood: status.startsWith('2') }).toMatchObject({ isGood: !isRefusal })
    }
  })
})

describe('the Chinese pages', () => {
  const blocksOf = (file: string): string[] =>
    readFileSync(join(ROOT, file), 'utf8').match(/^```[^]*?^```$/gm) ?? []

  it.each(globSync('docs/zh/{guide,agents}/**/*.md', { cwd: ROOT }).toSorted())(
    '%s has the commands and programs of the English page',
    (file) => {
      expect(blocksOf(file)).toEqual(blocksOf(file.replace('docs/zh/', 'docs/')))
    },
  )
})
