import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

// From a page of your own: '@dragoman/client'.
import { isLogReplaced, resumableFetch } from '../../packages/client/src/index.ts'

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
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    id,
    messages: past,
    transport,
    // An approval is sent as soon as no other question is open.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    resume: resume !== undefined,
    // The server was restored to an earlier point, and what is shown of the answer is no more.
    onError: (cause) => isLogReplaced(cause) && location.reload(),
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
                answer={(approval, approved) => void addToolApprovalResponse({ id: approval, approved })}
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

type Answer = (approval: string, approved: boolean) => void

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
  if (!isToolUIPart(part)) return null
  if (part.state === 'approval-requested') {
    return (
      <p className="question">
        Run {getToolName(part)} with {JSON.stringify(part.input)}?{' '}
        <span>
          <button onClick={() => answer(part.approval.id, true)}>Yes</button>{' '}
          <button onClick={() => answer(part.approval.id, false)}>No</button>
        </span>
      </p>
    )
  }
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

function textOf(output: unknown) {
  return typeof output === 'string' ? output : JSON.stringify(output)
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
