export type Entry = { readonly title: string; readonly words: string; readonly command: string }

/** Commands for an agent that work as they stand: in the AI SDK's protocol, in AG-UI and over Socket.IO. */
export function agentEntries(origin: string, agent: string): Entry[] {
  return [
    {
      title: `Chat with ${agent} as useChat does`,
      words: `Point DefaultChatTransport of AI SDK 5 or newer at /${agent}/chat. AI SDK 4 uses the same address and gets its data stream.`,
      command: curlPost(`${origin}/${agent}/chat`, {
        id: 'my-chat',
        trigger: 'submit-message',
        messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      }),
    },
    {
      title: `Chat with ${agent} as AG-UI clients do`,
      words: `Point HttpAgent at /ag-ui/${agent}. The page runs the tools that it brings; their results come with its next request.`,
      command: curlPost(`${origin}/ag-ui/${agent}`, {
        threadId: 'my-thread',
        runId: 'my-run',
        messages: [{ id: 'm1', role: 'user', content: 'Hello' }],
        tools: [],
        context: [],
      }),
    },
  ]
}

/** Commands of the server itself. `agent` is the first agent; `protocols` are the names of all wire formats. */
export function serverEntries(origin: string, agent: string, protocols: readonly string[]): Entry[] {
  return [
    {
      title: 'Connect CopilotKit',
      words:
        'The server is its runtime: <CopilotKit runtimeUrl="…/copilotkit">. You need no runtime of your own.',
      command: `curl ${origin}/copilotkit/info`,
    },
    {
      title: 'Keep a socket open',
      words:
        'Socket.IO, for use-ai clients and any other: runs, page tool results and stops share one connection, which continues after a reconnect.',
      command: `import { io } from 'socket.io-client'

const socket = io('${origin}')
socket.on('event', (event) => console.log(event))
socket.emit('message', { type: 'run_agent', data: {
  threadId: 'my-socket', runId: 'my-run', tools: [], context: [],
  messages: [{ id: 'm1', role: 'user', content: 'Hello' }] } })`,
    },
    {
      title: 'Follow a run, or resume it',
      words: `Any run in any protocol (${protocols.join(', ')}), from the start or after a cursor.`,
      command: `curl -N '${origin}/v1/runs/RUN_ID/events?protocol=native' \\\n  -H 'last-event-id: 12'`,
    },
    {
      title: 'Stop a run, from anywhere',
      words: 'By the run id or the message id. The answer so far is stored.',
      command: `curl -X POST ${origin}/v1/runs/RUN_ID/stop`,
    },
    {
      title: 'Read the history',
      words: 'Conversations, their messages, and the configuration of the agent.',
      command: `curl ${origin}/${agent}/chat/conversations\ncurl '${origin}/${agent}/chat/history?conversationId=CONVERSATION_ID'\ncurl ${origin}/${agent}/agent/status`,
    },
  ]
}

/** A curl command that posts JSON. Spaces in the JSON let a narrow page wrap it between words. */
export function curlPost(url: string, body: object): string {
  const spaced = JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')
  return `curl -N ${url} \\\n  -H 'content-type: application/json' \\\n  -d '${spaced}'`
}
