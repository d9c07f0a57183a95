import { createServer, customEngine, defineAgent } from 'dragoman'

/** Uses no model: a function answers. Its output is durable, and every client follows it in its own protocol. */
const counter = defineAgent({
  id: 'counter',
  instructions: 'Count the words of the message.',
  tools: [],
  engine: customEngine(async function* ({ messages }) {
    const words = messages.at(-1)?.content.split(/\s+/) ?? []
    yield { type: 'reasoning', text: `I count ${words.length}.` }
    for (const [index, word] of words.entries()) yield `${index + 1}. ${word}\n`
  }),
})

const server = await createServer({ agents: [counter] })
console.log(await server.listen({ port: Number(process.env['PORT'] ?? 3033) }))
process.once('SIGTERM', () => void server.close())
