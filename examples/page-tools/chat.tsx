import type { AssistantMessage, Interrupt, Message } from '@ag-ui/client'
import { StrictMode, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

import { conversation } from './agent.ts'
import { currentTodos, setDone, todoTools, watchTodos } from './todos.ts'

/** The state that agent and page share. Either may change it. */
type Shared = { readonly show: Show }
const FILTERS = ['all', 'open', 'done'] as const
type Show = (typeof FILTERS)[number]

/** The conversation's id is in the address, so a reload or a second window finds it. */
const threadId = location.hash.slice(1) || crypto.randomUUID()
history.replaceState(null, '', `#${threadId}`)
addEventListener('hashchange', () => location.reload())

const talk = conversation({
  threadId,
  tools: todoTools,
  context: () => [{ description: 'The to-do list on the page', value: JSON.stringify(currentTodos()) }],
  state: { show: 'all' } satisfies Shared,
})
talk.comeBack()

function Page() {
  useSyncExternalStore(talk.watch, talk.changes)
  const { messages, state, pendingInterrupts } = talk.agent
  const { busy, failed } = talk.now()
  const { show = 'all' } = (state ?? {}) as Partial<Shared>
  return (
    <>
      <header>
        <h1>A page with tools</h1>
        <a href="#">New chat</a>
      </header>
      <Todos show={show} />
      <section className="chat" aria-label="Chat">
        <MessageView messages={messages} busy={busy}>
          {!busy && pendingInterrupts.map((each) => <Question key={each.id} interrupt={each} />)}
          {failed && <p role="alert">{failed}</p>}
        </MessageView>
        <Box busy={busy} />
      </section>
    </>
  )
}

function Question({ interrupt: { message, metadata } }: { interrupt: Interrupt }) {
  const requestedInput = metadata?.['input'] as Record<string, unknown> | undefined
  return (
    <div className="question">
      <p>{message}</p>
      {requestedInput && <p className="quiet">{valuesOf(requestedInput)}</p>}
      <div>
        <button className="main" onClick={() => talk.decide(true)}>
          Yes
        </button>
        <button onClick={() => talk.decide(false)}>No</button>
      </div>
    </div>
  )
}

function Todos({ show }: { show: Show }) {
  const all = useSyncExternalStore(watchTodos, currentTodos)
  const todos = all.filter(({ done }) => show === 'all' || done === (show === 'done'))
  return (
    <section className="list" aria-label="To-do list">
      <h2>To do</h2>
      <div className="tabs">
        {FILTERS.map((each) => (
          <button key={each} aria-pressed={show === each} onClick={() => talk.share({ show: each })}>
            {each}
          </button>
        ))}
      </div>
      {todos.length === 0 && <p className="quiet">Nothing here.</p>}
      <ul>
        {todos.map(({ id, title, done }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={done} onChange={() => setDone(id, !done)} />
              <span className={done ? 'done' : ''}>{title}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}

function MessageView({
  messages,
  busy,
  children,
}: {
  messages: readonly Message[]
  busy: boolean
  children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Scrolls with the text, unless the user has scrolled up.
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = place.current ?? {}
    if (scrollTop + clientHeight > scrollHeight - 200) place.current?.scrollTo(0, scrollHeight)
  })
  const results = new Map(messages.flatMap((each) => (each.role === 'tool' ? [[each.toolCallId, each]] : [])))
  return (
    <div className="said" aria-live="polite" ref={place}>
      {messages.length === 0 && !busy && (
        <p className="quiet">Ask for something to be put on the list, or taken off it.</p>
      )}
      {messages.map((message) => {
        if (message.role === 'user') {
          return (
            <article key={message.id} className="user">
              {typeof message.content === 'string' ? message.content : '…'}
            </article>
          )
        }
        if (message.role !== 'assistant') return null
        return <Answer key={message.id} message={message} results={results} />
      })}
      {busy && messages.at(-1)?.role !== 'assistant' && <p className="quiet">…</p>}
      {children}
    </div>
  )
}

type Results = ReadonlyMap<string, Extract<Message, { role: 'tool' }>>

function Answer({
  message: { content, toolCalls = [] },
  results,
}: {
  message: AssistantMessage
  results: Results
}) {
  return (
    <>
      {content && (
        <article className="assistant" data-testid="assistant-message">
          {content}
        </article>
      )}
      {toolCalls.map(({ id, function: { name, arguments: input } }) => (
        <p key={id} className="call">
          {name} <b>{valuesOf(inputIn(input))}</b> {results.has(id) ? '✓' : '…'}
        </p>
      ))}
    </>
  )
}

function valuesOf(input: Record<string, unknown>): string {
  return Object.values(input).map(String).join(', ')
}

/** Undefined while the input is still being streamed. */
function inputIn(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    return {}
  }
}

function Box({ busy }: { busy: boolean }) {
  return (
    <form
      action={(form) => {
        const text = (form.get('text') as string).trim()
        if (text !== '' && !busy) talk.say(text)
      }}
    >
      <input
        name="text"
        data-testid="chat-input"
        aria-label="Message"
        placeholder="Add milk to my list"
        autoComplete="off"
        autoFocus
      />
      {busy ? (
        <button type="button" onClick={talk.stop}>
          Stop
        </button>
      ) : (
        <button className="main" data-testid="send-button">
          Send
        </button>
      )}
    </form>
  )
}

createRoot(document.body.querySelector('#root') ?? document.body).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
