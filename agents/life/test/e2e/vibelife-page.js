// A page around one of VibeLife's own hooks, and nothing else: it shows what the hook has, and calls it.
import { createElement as h, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

import * as hook from 'vibelife-hook'

const MARK = /\[\[TOOL:(\w+):([\s\S]*?)\]\]/g
const query = new URLSearchParams(location.search)
const valueOf = (name) => query.get(name) ?? undefined

/** Cards as each generation draws them: from results of calls, from parts, or from marks in the text. */
function cardsOf(message) {
  const calls = (message.toolInvocations ?? []).map(({ result }) => result)
  const parts = (message.parts ?? []).map(({ output }) => output)
  const marks = [...(message.content ?? '').matchAll(MARK)].map(([, , json]) => JSON.parse(json))
  return { parts: [...calls, ...parts].filter((result) => result?.cardType), marks }
}

function textOf(message) {
  const text = message.content ?? (message.parts ?? []).map((part) => part.text ?? '').join('')
  return text.replaceAll(MARK, '')
}

function Page() {
  const [draft, setDraft] = useState('')
  const [conversation, setConversation] = useState(query.get('later') ? undefined : valueOf('conversation'))
  const chat = hook.useVibeChat({
    skillId: valueOf('skill'),
    scenario: valueOf('scenario'),
    voiceMode: valueOf('voice'),
    conversationId: conversation,
  })
  const send = (how) => {
    void how(draft)
    setDraft('')
  }
  return h(
    'main',
    null,
    chat.messages.map((message) => {
      const { parts, marks } = cardsOf(message)
      return h(
        'article',
        { key: message.id, 'data-role': message.role },
        h('p', null, textOf(message)),
        parts.map((card, at) => h('aside', { key: `p${at}`, className: 'part' }, card.cardType)),
        marks.map((card, at) => h('aside', { key: `m${at}`, className: 'mark' }, card.cardType)),
      )
    }),
    (chat.thinkingData ?? []).map((step) => h('li', { key: step.id + step.phase }, step.phase)),
    h('output', null, chat.isLoading ? 'loading' : 'ready'),
    h('pre', null, chat.error?.message),
    h('input', { 'aria-label': 'Message', value: draft, onChange: (event) => setDraft(event.target.value) }),
    h('button', { onClick: () => send(chat.sendMessage) }, 'Send'),
    h('button', { onClick: () => send(chat.sendQuickPrompt) }, 'Quick'),
    h('button', { onClick: () => void chat.stop() }, 'Stop'),
    h('button', { onClick: () => void (chat.reload ?? chat.regenerate)() }, 'Again'),
    h(
      'button',
      { onClick: () => setConversation(conversation ? undefined : valueOf('conversation')) },
      'Open',
    ),
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(StrictMode, null, h(Page)))
