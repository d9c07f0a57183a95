type Entry = { readonly title: string; readonly words: string; readonly command: string }

/** What can be done here, with a command for each that works as it stands. */
export function entries(origin: string): Entry[] {
  const post: Post = (path, body) =>
    `curl -N ${origin}${path} \\\n  -H 'content-type: application/json' \\\n  -d '${spaced(body)}'`
  return [...jobs(post), ...life(origin, post), ...pages(origin, post), ...runs(origin)]
}

type Post = (path: string, body: object) => string

function jobs(post: Post): Entry[] {
  return [
    {
      title: 'Put a posting in',
      words: 'One whose address is known is not doubled. POST /jobs/ingest reads one from a page.',
      command: post('/jobs', {
        title: 'Software Engineer',
        company: 'Northwind',
        url: 'https://northwind.example/jobs/1',
        location: 'San Francisco',
      }),
    },
    {
      title: 'Ask the jobs agent',
      words: 'The documented frames, as they come.',
      command: post('/jobs/chat', {
        messages: [{ role: 'user', content: '帮我搜索软件工程师职位' }],
        context: { activeFilters: { location: 'San Francisco' } },
      }),
    },
    {
      title: 'Ask as useChat does',
      words:
        'The AI SDK’s UI message stream, for every client from 5.0 on: point DefaultChatTransport at /jobs/chat. AI SDK 4 asks at the same address, and gets its data stream.',
      command: post('/jobs/chat', {
        id: 'my-chat',
        trigger: 'submit-message',
        messages: [
          { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Find software engineer jobs' }] },
        ],
      }),
    },
  ]
}

function life(origin: string, post: Post): Entry[] {
  return [
    {
      title: 'Talk about a life',
      words:
        'A text gets the documented frames; DefaultChatTransport, pointed at the same address, gets cards as parts. In English and Chinese.',
      command: post('/api/v1/chat/v5/stream', { message: '你好' }),
    },
    {
      title: 'Be greeted',
      words: 'Every day anew: the solar term, the almanac, one small step.',
      command: `curl ${origin}/api/fortune/greeting`,
    },
  ]
}

/** The clients of AG-UI. */
function pages(origin: string, post: Post): Entry[] {
  return [
    {
      title: 'Ask as AG-UI’s clients do',
      words:
        'Point HttpAgent at /ag-ui and an agent’s id. The tools that it brings are run by its page: their results come with its next request.',
      command: post('/ag-ui/assistant', {
        threadId: 'my-thread',
        runId: 'my-run',
        messages: [{ id: 'm1', role: 'user', content: 'What time is it in Tokyo?' }],
        tools: [],
        context: [],
      }),
    },
    {
      title: 'Give it to CopilotKit',
      words: 'As its runtime: <CopilotKit runtimeUrl="…/copilotkit">. No runtime of your own stands between.',
      command: `curl ${origin}/copilotkit/info`,
    },
    {
      title: 'Hold a socket open',
      words:
        'Socket.IO, for use-ai’s clients and any other: runs, results of page tools and stops go over one line, which comes back where it was.',
      command: `import { io } from 'socket.io-client'

const socket = io('${origin}')
socket.on('event', (event) => console.log(event))
socket.emit('message', { type: 'run_agent', data: {
  threadId: 'my-socket', runId: 'my-run', tools: [], context: [],
  messages: [{ id: 'm1', role: 'user', content: 'What is 8% of 250?' }] } })`,
    },
  ]
}

function runs(origin: string): Entry[] {
  return [
    {
      title: 'Read along, or come back',
      words:
        'Any run in any protocol (native, eve, vibelife, ui-message-stream, data-stream, ag-ui), from the start or after a cursor.',
      command: `curl -N '${origin}/v1/runs/RUN_ID/events?protocol=native' \\\n  -H 'last-event-id: 12'`,
    },
    {
      title: 'Stop it, from anywhere',
      words: 'By the run’s id or its message’s. What was said is kept.',
      command: `curl -X POST ${origin}/v1/runs/RUN_ID/stop`,
    },
    {
      title: 'Look back',
      words: 'Conversations, their messages, and what the agent is made of.',
      command: `curl ${origin}/jobs/chat/conversations\ncurl '${origin}/jobs/chat/history?conversationId=CONVERSATION_ID'\ncurl ${origin}/jobs/agent/status`,
    },
  ]
}

/** JSON with spaces, so that a narrow page breaks it between its words. */
function spaced(body: object): string {
  return JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')
}
