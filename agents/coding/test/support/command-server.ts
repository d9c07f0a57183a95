// A server in a process of its own whose coding agent runs one command: node command-server.ts HOME ROOT COMMAND PATH
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { coding } from '../../src/index.ts'

/** What it is given: the path is where its commands look for programs. */
export type ServerOptions = readonly [home: string, root: string, command: string, path: string]

const [home = '', root = '', command = '', path = ''] = process.argv.slice(2)
const { models } = scriptedModel([
  step(calls('c1', 'execute_command', { command })),
  step(says('It has ended.')),
])
const server = await openServer({
  models,
  agents: [coding],
  home,
  flags: ['--root', root],
  env: { PATH: path },
})
process.once('SIGTERM', () => void server[Symbol.asyncDispose]())
process.stdout.write(`dragoman ready ${server.url}\n`)
