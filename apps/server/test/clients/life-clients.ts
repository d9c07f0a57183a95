import { openCopilot } from '../../../../test/clients/copilot.ts'
import {
  generations,
  run as runAgUi,
  textOf as agUiText,
  type Agent,
} from '../../../../test/clients/ag-ui-agent.ts'
import { allBuilds, openChat, textOf, type ChatMessage } from '../../../../test/clients/sdk-chat.ts'
import { openV4, v4User, type V4Message } from '../../../../test/clients/sdk-v4.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf } from '../../../../test/support/event-stream.ts'
import { isRunEnd, runAgent, socketClient, textIn } from '../../../../test/support/socket-client.ts'
import { postJson } from '../../../../test/support/http.ts'

export type Card = { readonly [field: string]: Json }
export type Form = { readonly [field: string]: string }
/** What a page has of one answer. Where a card is but its words, it is `{text}`. */
export type Answer = { readonly words: string; readonly cards: readonly Card[] }
/** One page, in one conversation of the life agent's. */
export type LifePage = {
  say(text: string, form?: Form): Promise<Answer>
  close?(): void
}
type Open = (url: string, name: string) => Promise<LifePage>

const VIBELIFE = '/api/v1/chat/v5/stream'
const LIFE = '/life/chat'

/** Every way to speak to the life agent, by what its own client does. */
export const lifeClients: Readonly<Record<string, Open>> = {
  ...Object.fromEntries(
    ['5.0.0', '6.0.326', '7.0.173'].map((build) => [
      `useChat ${build}, VibeLife`,
      byChat(build, VIBELIFE, (form) => ({ form })),
    ]),
  ),
  'useChat 7, /life/chat': byChat('7.0.173', LIFE, (form) => ({ context: { form } })),
  'useChat 4, VibeLife': byV4(VIBELIFE, (form) => ({ form })),
  'useChat 4, /life/chat': byV4(LIFE, (form) => ({ context: { form } })),
  ...Object.fromEntries(generations.map(({ version, open }) => [`AG-UI ${version}`, byAgUi(open)])),
  CopilotKit: byCopilot,
  'Socket.IO': bySocket,
  vibelife: byFrames(VIBELIFE, (message, conversation_id, form) => ({ message, conversation_id, form })),
  'eve, /life/chat': byFrames(LIFE, (content, conversationId, form) => ({
    messages: [{ role: 'user', content }],
    options: { conversationId },
    ...(form && { context: { form } }),
  })),
  native: byNative,
}

function byChat(build: string, at: string, extraFields: (form: Form) => object): Open {
  return async (url, id) => {
    const sdk = await allBuilds[build]?.()
    if (!sdk) throw new Error(`There is no build ${build}.`)
    const chat = openChat(sdk, { url, at, id })
    return {
      async say(text, form) {
        await chat.sendMessage({ text }, form && { body: extraFields(form) })
        if (chat.error) throw chat.error
        const answer = chat.messages.at(-1)
        return { words: textOf(answer), cards: cardsIn(answer) }
      },
    }
  }
}

/** Of a message as `useChat` has it. */
export function cardsIn(message: ChatMessage | undefined): Card[] {
  return (message?.parts ?? []).flatMap((part) =>
    part.type.startsWith('tool-') && 'output' in part ? [part.output as Card] : [],
  )
}

function byV4(at: string, extraFields: (form: Form) => object): Open {
  return async (url, id) => {
    const chat = openV4({ api: `${url}${at}` })
    const sentMessages: V4Message[] = []
    return {
      async say(text, form) {
        sentMessages.push(v4User(text))
        const { message, error } = await chat.send(id, sentMessages, undefined, form && extraFields(form))
        if (!message || error !== undefined) throw new Error(error ?? 'There is no answer.')
        sentMessages.push(message)
        return {
          words: message.content,
          cards: (message.toolInvocations ?? []).map(({ result }) => result as Card),
        }
      },
    }
  }
}

function byAgUi(open: (url: string, threadId: string) => Agent): Open {
  return async (url, threadId) => {
    const agent = open(`${url}/ag-ui/life`, threadId)
    return {
      async say(text, form) {
        const before = agent.messages.length
        await runAgUi(agent, text, form && { forwardedProps: { form } })
        const messages = agent.messages.slice(before)
        return { words: agUiText({ ...agent, messages }), cards: messages.flatMap(toolCards) }
      },
    }
  }
}

/** Of a message as AG-UI has it. */
export function toolCards({ role, content }: { readonly role: string; readonly content?: unknown }): Card[] {
  return role === 'tool' ? [JSON.parse(String(content)) as Card] : []
}

async function byCopilot(url: string, threadId: string): Promise<LifePage> {
  const { core, agent, errors } = await openCopilot({ url, way: 'rest', threadId, agentId: 'life' })
  return {
    async say(text, form) {
      const before = agent.messages.length
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
      await core.runAgent({ agent, ...(form && { forwardedProps: { form } }) })
      if (errors.length > 0) throw new Error(errors.join('\n'))
      const messages = agent.messages.slice(before)
      return {
        words: messages.map(({ role, content }) => (role === 'assistant' ? (content ?? '') : '')).join(''),
        cards: messages.flatMap(toolCards),
      }
    },
  }
}

async function bySocket(url: string, threadId: string): Promise<LifePage> {
  const page = socketClient(url)
  return {
    async say(text, form) {
      const runId = crypto.randomUUID()
      page.send(
        'run_agent',
        runAgent(threadId, runId, text, { forwardedProps: { agent: 'life', ...(form && { form }) } }),
      )
      const { event } = await page.until(isRunEnd(runId))
      if (event.type === 'RUN_ERROR') throw new Error(String(event['message']))
      const events = page.of(runId)
      const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT')
      return {
        words: textIn(events),
        cards: results.map(({ content }) => JSON.parse(String(content)) as Card),
      }
    },
    close: () => page[Symbol.dispose](),
  }
}

function byFrames(at: string, body: (text: string, name: string, form?: Form) => object): Open {
  return async (url, name) => ({
    async say(text, form) {
      const frames = await framesIn(await post(`${url}${at}`, body(text, name, form)))
      return {
        words: frames.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join(''),
        cards: frames.flatMap(({ type, result }) => (type === 'tool-result' ? [asCard(result as Json)] : [])),
      }
    },
  })
}

function asCard(result: Json): Card {
  return typeof result === 'string' ? { text: result } : (result as Card)
}

async function byNative(url: string, name: string): Promise<LifePage> {
  await post(`${url}/v1/threads`, { agent: 'life', name })
  return {
    async say(message, form) {
      const sentMessages = { message, ...(form && { context: { form } }) }
      const events = await framesIn(await post(`${url}/v1/threads/${name}/runs`, sentMessages))
      return {
        words: events.map(({ type, delta }) => (type === 'text.delta' ? String(delta) : '')).join(''),
        cards: events.flatMap(({ type, output }) => (type === 'tool.returned' ? [output as Card] : [])),
      }
    },
  }
}

/** @throws where it is refused, with what is said of it */
async function post(url: string, body: object): Promise<Response> {
  const response = await postJson(url, body)
  if (response.ok) return response
  throw new Error(await response.text())
}

async function framesIn(response: Response): Promise<Record<string, unknown>[]> {
  return framesOf(Buffer.from(await response.arrayBuffer()))
}
