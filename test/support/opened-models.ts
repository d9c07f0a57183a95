// Opens a server for each agent model, and prints which model answers or why the server does not open.
// Usage: node opened-models.ts HOME CASES
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  createServer,
  defineAgent,
  readConfig,
  type AgentModel,
  type McpServers,
} from '../../packages/dragoman/src/index.ts'

/** `inFile`: the model that agent.json names, which is then asked something. */
export type OpenedModel = {
  readonly model?: AgentModel
  readonly inFile?: string
  readonly env?: Record<string, string>
  readonly mcp?: McpServers
}

const [home = '', cases = '[]'] = process.argv.slice(2)
const HELLO = JSON.stringify({ message: 'hi', stream: false })
const folder = join(home, 'agents/dice')
await mkdir(folder, { recursive: true })
const dice = defineAgent({ id: 'dice', instructions: 'Roll dice.', tools: [] })

async function opened({ model, inFile, env = {}, mcp = {} }: OpenedModel): Promise<string> {
  const agent = { ...dice, mcp, ...(model !== undefined && { model }) }
  await writeFile(join(folder, 'agent.json'), JSON.stringify({ model: { primary: inFile } }))
  const config = readConfig(['--home', home, '--log-level', 'silent'], env)
  const dragoman = await createServer({ agents: [agent], config })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: HELLO }
  const response = await (inFile === undefined
    ? dragoman.fetch(new Request('http://127.0.0.1/dice/agent/status'))
    : dragoman.fetch(new Request('http://127.0.0.1/dice/chat', init)))
  await dragoman.close()
  const { model: answers, error } = (await response.json()) as { model?: string; error?: string }
  return String(error ?? answers)
}

const found: string[] = []
for (const each of JSON.parse(cases) as readonly OpenedModel[])
  found.push(await opened(each).catch((error: unknown) => String(error)))
process.stdout.write(JSON.stringify(found))
