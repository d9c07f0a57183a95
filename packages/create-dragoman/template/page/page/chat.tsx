import { useChat } from '@ai-sdk/react'
import { resumableFetch } from '@dragoman/client'
import { DefaultChatTransport, getToolName, isToolUIPart, type UIMessage } from 'ai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

// The answer continues where its connection was lost, also after a restart of the server.
const transport = new DefaultChatTransport({ api: '/dice/chat', fetch: resumableFetch() })

function Chat() {
  const { messages, sendMessage, status, error } = useChat({ transport })
  const isBusy = status === 'submitted' || status === 'streaming'
  return (
    <>
      <main aria-live="polite">
        {messages.map((message) => (
          <article key={message.id} className={message.role}>
            {message.parts.map((part, index) => (
              <Part key={index} part={part} />
            ))}
          </article>
        ))}
        {error && <p role="alert">{error.message}</p>}
      </main>
      <form
        action={(form) => {
          const text = String(form.get('text')).trim()
          if (text !== '' && !isBusy) void sendMessage({ text })
        }}
      >
        <input name="text" aria-label="Message" placeholder="Roll 2 dice" autoFocus />
        <button disabled={isBusy}>Send</button>
      </form>
    </>
  )
}

function Part({ part }: { part: UIMessage['parts'][number] }) {
  if (part.type === 'text') return part.text
  if (!isToolUIPart(part)) return null
  return (
    <p className="tool">
      {getToolName(part)} {JSON.stringify(part.input)}
    </p>
  )
}

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Chat />
  </StrictMode>,
)
