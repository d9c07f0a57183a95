import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

// From a page of your own: '@dragoman/client'.
import { resumableFetch } from '../../packages/client/src/index.ts'
import { isOpen, Part, type Answer, type Send } from './cards.tsx'
import { Greeting, language, voices, type Voice } from './greeting.tsx'

const API = '/api/v1/chat/v5'
/**
 * The URL of the running answer when the page loads. It returns the whole answer, even if it has ended since,
 * until the next message.
 */
let resume: string | undefined
/** Continues a stream at the point where its connection was lost. */
const transport = new DefaultChatTransport({
  api: `${API}/stream`,
  fetch: resumableFetch(),
  prepareReconnectToStreamRequest: ({ id }) => ({
    api: resume ?? `${API}/stream/${encodeURIComponent(id)}/stream`,
  }),
})

/** The chat's id is in the address, so a reload or a second window finds the chat. */
const id = location.hash.slice(1) || crypto.randomUUID()
history.replaceState(null, '', `#${id}`)
addEventListener('hashchange', () => location.reload())

function Page({ past }: { past: UIMessage[] }) {
  const [voice, setVoice] = useState<Voice>('warm')
  const { messages, setMessages, sendMessage, addToolOutput, status, error } = useChat({
    id,
    messages: past,
    transport,
    resume: resume !== undefined,
    // An approval is sent as soon as no other question is open. No other card is answered automatically.
    sendAutomaticallyWhen: (all) =>
      lastAssistantMessageIsCompleteWithToolCalls(all) && (all.messages.at(-1)?.parts.some(isOpen) ?? false),
  })
  const isBusy = status === 'submitted' || status === 'streaming'
  // A refused message was never sent: the next one takes its place.
  const isRefused = status === 'error' && messages.at(-1)?.role === 'user'
  const start = isRefused ? messages.length - 1 : messages.length
  const send: Send = (text, form) => {
    resume = undefined
    if (isRefused) setMessages(messages.slice(0, start))
    void sendMessage(
      { text },
      {
        body: {
          voice_mode: voice,
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          ...(form && { form }),
        },
      },
    )
  }
  const answer: Answer = ({ callId: toolCallId, tool }, approved) => {
    resume = undefined
    void addToolOutput({ tool, toolCallId, output: { approved } })
  }
  useFollowing(messages)
  return (
    <>
      <Head voice={voice} choose={setVoice} />
      <Greeting voice={voice} />
      <main aria-live="polite">
        {messages.map((message, at) => (
          <article key={message.id} className={message.role}>
            {message.parts.map((part, index) => (
              // A question can be answered only while no message follows it.
              <Part
                key={index}
                part={part}
                {...(at === start - 1 && !isBusy ? { send, answer } : { send: undefined })}
              />
            ))}
          </article>
        ))}
        {status === 'submitted' && <p className="quiet">…</p>}
        {error && <p role="alert">{sentenceOf(error)}</p>}
      </main>
      <Ask send={send} isBusy={isBusy} />
    </>
  )
}

/** Scrolls with the text, unless the user has scrolled up. */
function useFollowing(messages: UIMessage[]) {
  useEffect(() => {
    const end = document.documentElement.scrollHeight
    if (scrollY + innerHeight > end - 300) scrollTo(0, end)
  }, [messages])
}

function Head({ voice, choose }: { voice: Voice; choose: (voice: Voice) => void }) {
  return (
    <header>
      <h1>Vibe</h1>
      <label>
        <span className="unseen">语气 · Voice</span>
        <select value={voice} onChange={({ target }) => choose(target.value as Voice)}>
          {Object.entries(voices).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <a href="#">新对话 · New</a>
    </header>
  )
}

function Ask({ send, isBusy }: { send: Send; isBusy: boolean }) {
  return (
    <form
      className="ask"
      action={(form) => {
        const text = (form.get('text') as string).trim()
        if (text !== '' && !isBusy) send(text)
      }}
    >
      <input
        name="text"
        aria-label="说点什么 · Message"
        placeholder="我想看看我的八字 · Show me my chart"
        autoFocus
      />
      {isBusy ? (
        <button type="button" onClick={() => void stop()}>
          停 · Stop
        </button>
      ) : (
        <button>发送 · Send</button>
      )}
    </form>
  )
}

/** The message of an error without a response: useChat's own text, or none. */
const NO_ANSWER = new Set(['Failed to fetch the chat response.', ''])
const noAnswer = {
  zh: '服务器没有回应，请过一会儿再试。',
  en: 'The server does not answer. Please try again in a while.',
}[language()]

/**
 * A refusal has a body, `{"error": …}`: show its sentence. Without a response there is only the browser's
 * message.
 */
function sentenceOf(error: Error): string {
  if (error instanceof TypeError || NO_ANSWER.has(error.message)) return noAnswer
  try {
    return (JSON.parse(error.message) as { error?: string }).error ?? error.message
  } catch {
    return error.message
  }
}

/** Stops the run itself, for all its readers; the stream then ends. useChat's own stop() would only disconnect. */
async function stop() {
  await fetch(`${API}/stop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversationId: id }),
  })
}

/** The history, or the reason why it cannot be loaded. */
async function saidBefore(): Promise<{ messages: UIMessage[]; live?: { resume?: string } } | Error> {
  try {
    const response = await fetch(`${API}/history?format=ui&conversationId=${encodeURIComponent(id)}`)
    return response.ok ? await response.json() : new Error(await response.text())
  } catch (error) {
    return error as Error
  }
}

const past = await saidBefore()
if (!(past instanceof Error)) resume = past.live?.resume
createRoot(document.body.querySelector('#root') ?? document.body).render(
  <StrictMode>
    {past instanceof Error ? <p role="alert">{sentenceOf(past)}</p> : <Page past={past.messages} />}
  </StrictMode>,
)
