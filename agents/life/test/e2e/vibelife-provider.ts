import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

type ChatMessage = { readonly role: string; readonly content?: unknown }

export type VibeProvider = AsyncDisposable & {
  readonly url: string
  /** The system's words of the last request. */
  system(): string
}

/**
 * A provider of chat completions that answers by the user's words: 慢 slowly, 卡片 with a card, 八字 with a chart, 错 with
 * a refusal; anything else by the user's words so far.
 */
export async function vibeProvider(): Promise<VibeProvider> {
  let messages: readonly ChatMessage[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      ;({ messages } = JSON.parse(body) as { messages: readonly ChatMessage[] })
      void answer(response, messages).catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    system: () =>
      messages.flatMap(({ role, content }) => (role === 'system' ? textOf(content) : '')).join('\n'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(response: ServerResponse, messages: readonly ChatMessage[]): Promise<void> {
  const words = messages.filter(({ role }) => role === 'user').map(({ content }) => wordsOf(textOf(content)))
  const last = words.findLast((each) => !each.includes('cut off')) ?? ''
  if (last.includes('错')) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"no such model"}}')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )
  const isAfterTool = messages.at(-1)?.role === 'tool'
  const tool = isAfterTool ? undefined : toolFor(last)
  if (tool) {
    send({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: tool }] })
    send({}, 'tool_calls')
  } else {
    for (const word of isAfterTool ? ['看好了。'] : textFor(last, words)) {
      send({ content: word })
      if (last.includes('慢')) await pause(60)
    }
    send({}, 'stop')
  }
  response.end('data: [DONE]\n\n')
}

function toolFor(words: string): { name: string; arguments: string } | undefined {
  if (words.includes('卡片'))
    return { name: 'show_insight', arguments: '{"title":"看见","content":"你其实早就知道答案了。"}' }
  return words.includes('八字') ? { name: 'show_bazi_chart', arguments: '{}' } : undefined
}

function textFor(last: string, words: readonly string[]): readonly string[] {
  if (last.includes('慢')) return Array.from({ length: 40 }, (_, at) => `词${at} `)
  return ['你说过：', words.join('、')]
}

/** What stands after the lines that the server puts before a user's words. */
function wordsOf(text: string): string {
  return text.split('\n').at(-1) ?? ''
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('\n')
}
