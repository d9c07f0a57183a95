// A server in a process of its own whose model follows a script: node scripted-server.ts HOME SCRIPT
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { gate } from './gate.ts'
import { calls, says, scriptedModel, step } from './scripted-model.ts'
import { openServer } from './server.ts'

/** The pieces of a step's text (null: the model never continues), and the tool that it calls after them, if any. */
export type ScriptedStep = { readonly says: readonly (string | null)[]; readonly calls?: string }

const [home = '', script = '[]'] = process.argv.slice(2)

const write = defineTool({
  name: 'write',
  description: 'Writes a line, and is not heard of again.',
  inputSchema: z.object({}),
  timeoutMs: 60_000,
  async execute() {
    await appendFile(join(home, 'written'), 'a line\n')
    return new Promise<never>(() => {})
  },
})

const steps = (JSON.parse(script) as readonly ScriptedStep[]).map((each, index) =>
  step(
    says(...each.says.map((piece) => piece ?? gate())),
    each.calls ? calls(`c${index}`, each.calls, {}) : [],
  ),
)
const server = await openServer({ ...scriptedModel(steps), tools: [write], home })
process.stdout.write(`dragoman ready ${server.url}\n`)
