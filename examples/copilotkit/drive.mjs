// Drives the whole loop through CopilotKit's runtime, and prints what a page would show: node drive.mjs
import { CopilotKitCore, CopilotKitCoreRuntimeConnectionStatus } from '@copilotkit/core'
import { z } from 'zod'

import { openRuntime } from './runtime.mjs'

const { Connected } = CopilotKitCoreRuntimeConnectionStatus
const dragoman = process.env.DRAGOMAN_URL ?? 'http://127.0.0.1:3033'
const runtime = await openRuntime(dragoman)
print(`runtimeUrl ${runtime.url}, before ${dragoman}`)

// Without one CopilotKit takes itself to be drawn on a server, where nothing is asked.
globalThis.window = {}
const todos = []
const core = new CopilotKitCore({
  runtimeUrl: runtime.url,
  runtimeTransport: 'rest',
  tools: [
    {
      name: 'addTodo',
      description: 'Adds an item to the to-do list of this page.',
      parameters: z.object({ title: z.string() }),
      handler: async ({ title }) => {
        todos.push(title)
        return `Added. On the list: ${todos.join(', ')}.`
      },
    },
  ],
})
core.subscribe({ onError: ({ code, error }) => print(`  error ${code}: ${error.message}`) })
while (core.runtimeConnectionStatus !== Connected) await new Promise((resolve) => setTimeout(resolve, 20))

const agent = core.getAgent('default')
agent.threadId = crypto.randomUUID()

function print(line) {
  process.stdout.write(`${line}\n`)
}

async function say(text, meanwhile = async () => {}) {
  print(`\n> ${text}`)
  const before = agent.messages.length
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
  const answering = core.runAgent({ agent })
  await meanwhile()
  await answering
  for (const { role, content, toolCalls = [] } of agent.messages.slice(before + 1)) {
    if (content) print(`  ${role}: ${content.replaceAll(/\s+/g, ' ')}`)
    for (const { function: called } of toolCalls) print(`  call: ${called.name} ${called.arguments}`)
  }
}

await say('Hello')
await say('Add "Buy milk" to my todo list')
print(`  the page's list: ${todos.join(', ')}`)
await say('Hello once more', async () => {
  while (agent.messages.at(-1)?.role !== 'assistant') await new Promise((resolve) => setTimeout(resolve, 10))
  print('  (Stop)')
  core.stopAgent({ agent })
})

const again = new CopilotKitCore({ runtimeUrl: `${dragoman}/copilotkit`, runtimeTransport: 'rest' })
while (again.runtimeConnectionStatus !== Connected) await new Promise((resolve) => setTimeout(resolve, 20))
const other = again.getAgent('default')
other.threadId = agent.threadId
await again.connectAgent({ agent: other })
print(`\nAnother page comes back to it, without the runtime: ${other.messages.length} messages`)
runtime.close()
process.exit(todos.length === 1 ? 0 : 1)
