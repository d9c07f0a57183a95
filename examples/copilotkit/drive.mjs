// Drives the whole loop through CopilotKit's runtime, and prints what a page would show: node drive.mjs
import { CopilotKitCore } from '@copilotkit/core'
import { z } from 'zod'

import { openRuntime } from './runtime.mjs'

const dragoman = process.env.DRAGOMAN_URL ?? 'http://127.0.0.1:3033'
const runtime = await openRuntime(dragoman)
console.log(`runtimeUrl ${runtime.url}, before ${dragoman}`)

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
core.subscribe({ onError: ({ code, error }) => console.log(`  error ${code}: ${error.message}`) })
while (core.runtimeConnectionStatus !== 'connected') await new Promise((resolve) => setTimeout(resolve, 20))

const agent = core.getAgent('default')
agent.threadId = crypto.randomUUID()

async function say(content, meanwhile = async () => {}) {
  console.log(`\n> ${content}`)
  const before = agent.messages.length
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
  const said = core.runAgent({ agent })
  await meanwhile()
  await said
  for (const { role, content, toolCalls = [] } of agent.messages.slice(before + 1)) {
    if (content) console.log(`  ${role}: ${content.replaceAll(/\s+/g, ' ')}`)
    for (const { function: called } of toolCalls) console.log(`  call: ${called.name} ${called.arguments}`)
  }
}

await say('Hello')
await say('Add "Buy milk" to my todo list')
console.log(`  the page's list: ${todos.join(', ')}`)
await say('Hello once more', async () => {
  while (agent.messages.at(-1)?.role !== 'assistant') await new Promise((resolve) => setTimeout(resolve, 10))
  console.log('  (Stop)')
  core.stopAgent({ agent })
})

const again = new CopilotKitCore({ runtimeUrl: `${dragoman}/copilotkit`, runtimeTransport: 'rest' })
while (again.runtimeConnectionStatus !== 'connected') await new Promise((resolve) => setTimeout(resolve, 20))
const other = again.getAgent('default')
other.threadId = agent.threadId
await again.connectAgent({ agent: other })
console.log(`\nAnother page comes back to it, without the runtime: ${other.messages.length} messages`)
runtime.close()
process.exit(todos.length === 1 ? 0 : 1)
