import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { createServer, customEngine, defineAgent } from 'dragoman'

const answer = new Agent({
  id: 'answer',
  name: 'Answer',
  instructions: 'Answer in one paragraph.',
  model: process.env['ANTHROPIC_API_KEY'] ? 'anthropic/claude-sonnet-5-5' : offlineModel(),
})

/** The agent of Mastra drives the run. Its output is written to the log as it arrives. */
const agent = defineAgent({
  id: 'mastra',
  instructions: '',
  tools: [],
  engine: customEngine(
    async function* ({ messages, signal }) {
      const { textStream, usage } = await answer.stream([...messages], { abortSignal: signal })
      for await (const text of textStream) yield text
      const { inputTokens = 0, outputTokens = 0 } = await usage
      yield { type: 'usage', inputTokens, outputTokens }
    },
    { name: 'mastra' },
  ),
})

const server = await createServer({ agents: [agent] })
console.log(await server.listen({ port: Number(process.env['PORT'] ?? 3033) }))
process.once('SIGTERM', () => void server.close())

/** Explains how to set a key. */
function offlineModel(): MastraModelConfig {
  const words = ['Set ANTHROPIC_API_KEY, ', 'and Claude answers ', 'in this agent.']
  const finish = {
    type: 'finish' as const,
    finishReason: { unified: 'stop' as const, raw: 'stop' },
    usage: {
      inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 9, text: 9, reasoning: 0 },
    },
  }
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
          { type: 'text-end', id: '1' },
          finish,
        ],
      }),
    }),
  })
  // Mastra's type wants the result of doStream from doGenerate too.
  return model as unknown as MastraModelConfig
}
