import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

// From a page of your own: '@dragoman/client'.
import { resumableFetch } from '../../packages/client/src/index.ts'

const API = '/jobs/chat'
/**
 * The URL of the running answer when the page loads. It returns the whole answer, even if it has ended since,
 * until the next message.
 */
let resume: string | undefined
/** Continues a stream at the point where its connection was lost. */
const transport = new DefaultChatTransport({
  api: API,
  fetch: resumableFetch(),
  prepareReconnectToStreamRequest: ({ id }) => ({ api: resume ?? `${API}/${encodeURIComponent(id)}/stream` }),
})

/** The chat's id is in the address, so a reload or a second window finds the chat. */
const id = location.hash.slice(1) || crypto.randomUUID()
history.replaceState(null, '', `#${id}`)
addEventListener('hashchange', () => location.reload())

function Chat({ past }: { past: UIMessage[] }) {
  const { messages, sendMessage, addToolOutput, status, error } = useChat({
    id,
    messages: past,
    transport,
    // An approval is sent as soon as no other question is open.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    resume: resume !== undefined,
  })
  const isBusy = status === 'submitted' || status === 'streaming'
  useEffect(() => {
    // Scrolls with the text, unless the user has scrolled up.
    const end = document.documentElement.scrollHeight
    if (scrollY + innerHeight > end - 200) scrollTo(0, end)
  }, [messages])
  return (
    <>
      <header>
        <h1>Jobs Agent</h1>
        <a href="#">New chat</a>
      </header>
      <main aria-live="polite">
        {messages.map((message) => (
          <article key={message.id} className={message.role}>
            {message.parts.map((part, index) => (
              <Part
                key={index}
                part={part}
                answer={({ callId: toolCallId, tool }, approved) =>
                  void addToolOutput({ tool, toolCallId, output: { approved } })
                }
              />
            ))}
          </article>
        ))}
        {status === 'submitted' && <p className="quiet">…</p>}
        {error && <p role="alert">{error.message}</p>}
      </main>
      <form
        action={(form) => {
          const text = (form.get('text') as string).trim()
          if (text === '' || isBusy) return
          resume = undefined
          void sendMessage({ text })
        }}
      >
        <input name="text" aria-label="Message" placeholder="Find remote jobs" autoFocus />
        {isBusy ? (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button>Send</button>
        )}
      </form>
    </>
  )
}

/** Stops the run itself, for all its readers; the stream then ends. useChat's own stop() would only disconnect. */
async function stop() {
  await fetch(`${API}/stop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversationId: id }),
  })
}

/** What a run that waits asks: docs/reference/protocols/ui-message-stream.md. */
type Question = { callId: string; tool: string; input: unknown; kind: string; state: string }
type Answer = (question: Question, approved: boolean) => void

function Part({ part, answer }: { part: UIMessage['parts'][number]; answer: Answer }) {
  if (part.type === 'text') return <p>{part.text}</p>
  if (part.type === 'reasoning') {
    return (
      <details>
        <summary className="quiet">Thoughts</summary>
        <p>{part.text}</p>
      </details>
    )
  }
  if (part.type === 'data-question') return <Approval question={part.data as Question} answer={answer} />
  if (!isToolUIPart(part)) return null
  const outcome = part.state === 'output-error' ? part.errorText : textOf(part.output)
  return (
    <details className="tool">
      <summary>
        {getToolName(part)}{' '}
        <span className="quiet">{part.state === 'output-error' ? 'failed' : outcome ? 'done' : '…'}</span>
      </summary>
      <pre>{JSON.stringify(part.input, null, 2)}</pre>
      {outcome && <p>{outcome}</p>}
    </details>
  )
}

function Approval({ question, answer }: { question: Question; answer: Answer }) {
  if (question.kind !== 'approval' || question.state !== 'open') return null
  return (
    <p className="question">
      Run {question.tool} with {JSON.stringify(question.input)}?{' '}
      <span>
        <button onClick={() => answer(question, true)}>Yes</button>{' '}
        <button onClick={() => answer(question, false)}>No</button>
      </span>
    </p>
  )
}

/** A tool's output is a text, or a text with data. */
function textOf(output: unknown) {
  return typeof output === 'string' ? output : (output as { text?: string } | undefined)?.text
}

// If the server does not respond, following the chat fails as well, and the page says so.
const response = await fetch(`${API}/history?format=ui&conversationId=${encodeURIComponent(id)}`)
const { messages: past, live } = (response.ok ? await response.json() : { messages: [] }) as {
  messages: UIMessage[]
  live?: { resume?: string }
}
resume = live?.resume
createRoot(document.body.querySelector('#root') ?? document.body).render(
  <StrictMode>
    <Chat past={past} />
  </StrictMode>,
)
