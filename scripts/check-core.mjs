// Tests the core alone in an empty folder, with a provider: check-core.mjs TARBALLS NODE
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { installTarballs } from './install-tarballs.mjs'
import { freePort, runServer } from './run-server.mjs'
import { root } from './workspace.mjs'

const MAX_PACKAGES = 45
const MAX_MEGABYTES = 35
const READY_MS = 30_000
const SCHEMAS = `import { createServer, defineAgent, defineTool, describeRoute } from 'dragoman'
import type { AgentFactory, ToolContext } from 'dragoman'
import { z } from 'zod'

const roll = defineTool({
  name: 'roll',
  description: 'Rolls a die.',
  inputSchema: z.object({ sides: z.number().int().min(2) }),
  execute: async ({ sides }, context) => (await judge(context, sides)).isFair,
})
const input: NonNullable<(typeof roll)['~types']>['input'] = { sides: 6 }
// @ts-expect-error The type of the schema's value reaches the tool: sides are a number.
const wrong: typeof input = { sides: '6' }
const judge = ({ model, signal }: ToolContext, sides: number) =>
  model.object({ instructions: 'Judge.', text: sides.toFixed(), schema: z.object({ isFair: z.boolean() }) }, signal)
const settings = z.object({ dice: z.number().default(2) })
const factory: AgentFactory<z.infer<typeof settings>> = {
  id: 'dice',
  settings,
  create: ({ settings: { dice = input.sides + wrong.sides } }) => ({
    agent: defineAgent({ id: 'dice', instructions: 'Roll ' + dice.toFixed(), tools: [roll] }),
  }),
}
describeRoute({ group: 'Dice', summary: 'A roll', body: z.object({ sides: z.number() }), responses: {} })
const server = await createServer({ agents: [factory] })
const { status } = await server.fetch(new Request('http://127.0.0.1/openapi.json'))
await server.close()
if (status !== 200) process.exit(1)
`
const [tarballs, node] = process.argv.slice(2).map((path) => resolve(path))
const OLDEST_ZOD = '4.0.0' // The peer dependency promises it.
const { dependencies } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'))
const core = JSON.parse(readFileSync(join(root, 'packages/dragoman/package.json'), 'utf8'))

for (const zod of [core.dependencies.zod, OLDEST_ZOD]) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-core-'))
  try {
    const others = [`@ai-sdk/anthropic@${dependencies['@ai-sdk/anthropic']}`, `zod@${zod}`]
    installTarballs(folder, tarballs, ['dragoman'], { others, versions: { zod } })
    checkSize(folder)
    checkTypes(folder)
    await checkProgram(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiles a program that gives its schemas to each function that takes some. */
function checkTypes(folder) {
  writeFileSync(join(folder, 'schemas.ts'), SCHEMAS)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(node, [compiler, ...options, ...types, 'schemas.ts'], { cwd: folder, stdio: ['ignore', 2, 2] })
  const env = { PATH: process.env.PATH, DRAGOMAN_HOME: join(folder, 'home'), DRAGOMAN_LOG_LEVEL: 'silent' }
  execFileSync(node, ['schemas.ts'], { cwd: folder, env, stdio: ['ignore', 2, 2] })
}

/** Runs the program of the README with its curl command. `test/readme.test.ts` tests the clients and a kill. */
async function checkProgram(folder) {
  const guide = readFileSync(join(root, 'README.md'), 'utf8')
  const port = await freePort()
  const program = /```ts\n(.*?)```/s.exec(guide)[1].replace('port: 3033', `port: ${port}`)
  writeFileSync(join(folder, 'server.ts'), program)
  const [, path, body] = /curl -N http:\/\/127\.0\.0\.1:3033(\S+) .* -d '(.*)'/.exec(guide)
  const use = async (url) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    assert.match(await response.text(), /run\.finished/, 'the curl command of the README')
  }
  const env = { PATH: process.env.PATH, DRAGOMAN_HOME: join(folder, 'home'), DRAGOMAN_OFFLINE_PACE: '0' }
  const url = `http://127.0.0.1:${port}`
  await runServer(node, ['server.ts'], { cwd: folder, env }, { readyWithinMs: READY_MS, url, use })
}

function checkSize(folder) {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const count = Object.keys(packages).length
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  const megabytes = Math.ceil(bytes / 1e6)
  process.stdout.write(`the core and a provider: ${count} packages, ${megabytes} MB\n`)
  assert.ok(count <= MAX_PACKAGES, `${count} packages, more than ${MAX_PACKAGES}`)
  assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB, more than ${MAX_MEGABYTES}`)
}
