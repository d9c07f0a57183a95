import { ChatAnthropic } from '@langchain/anthropic'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { createServer, customEngine, defineAgent } from 'dragoman'

const model = process.env['ANTHROPIC_API_KEY']
  ? new ChatAnthropic({ model: 'claude-sonnet-5-5' })
  : new FakeListChatModel({ responses: ['Set ANTHROPIC_API_KEY, and Claude answers in this graph.'] })

const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile()

/** The graph drives the run. Its tokens are written to the log as they arrive. */
const agent = defineAgent({
  id: 'graph',
  instructions: 'Answer in one paragraph.',
  tools: [],
  engine: customEngine(
    async function* ({ instructions, messages, signal }) {
      const input = { messages: [{ role: 'system', content: instructions }, ...messages] }
      for await (const [chunk] of await graph.stream(input, { streamMode: 'messages', signal }))
        yield chunk.text
    },
    { name: 'langgraph' },
  ),
})

const server = await createServer({ agents: [agent] })
console.log(await server.listen({ port: Number(process.env['PORT'] ?? 3033) }))
process.once('SIGTERM', () => void server.close())
