import { isToolUIPart, type UIMessage } from 'ai'

import { ChartCard, type ChartData } from './chart-card.tsx'
import { KlineCard, type KlineData } from './kline-card.tsx'

/** Sends a message with the values of a form. Absent while no message can be sent. */
export type Send = (text: string, form?: Record<string, string>) => void
type CardProps = { send: Send | undefined }
/** What waits for a yes: docs/reference/protocols/ui-message-stream.md. */
type Consent = { callId: string; tool: string; kind: string; state: string }
export type Answer = (question: Consent, approved: boolean) => void

/** The fields of every card. `cardType` selects the view; an unknown card is shown as text. */
type Card = { cardType?: string; status?: string; text?: string; error?: string }
type FormCard = Card & {
  infoType: string
  question?: string
  fields: {
    id: string
    label: string
    type: string
    required?: boolean
    placeholder?: string
    options?: { value: string; label: string }[]
  }[]
}
type InsightCard = Card & { insights: { id: string; title: string; content: string }[] }
type QuestionCard = Card & { question: string; options: string[] }

type AnyPart = UIMessage['parts'][number]

export function isOpen(part: AnyPart): boolean {
  const { kind, state } = (part.type === 'data-question' ? part.data : {}) as Partial<Consent>
  return kind === 'approval' && state === 'open'
}

export function Part({ part, send, answer }: { part: AnyPart; answer?: Answer } & CardProps) {
  if (part.type === 'text') return <p>{part.text}</p>
  if (part.type === 'reasoning') {
    return (
      <details>
        <summary className="quiet">想法 · Thoughts</summary>
        <p>{part.text}</p>
      </details>
    )
  }
  if (part.type === 'data-question') {
    return isOpen(part) ? <YesOrNo question={part.data as Consent} answer={answer} /> : null
  }
  if (!isToolUIPart(part)) return null
  if (part.state === 'output-error') return <p className="quiet">{part.errorText}</p>
  if (part.state !== 'output-available') return <p className="quiet">…</p>
  return <ToolCard card={part.output as Card} send={send} />
}

function ToolCard({ card, send }: { card: Card } & CardProps) {
  switch (card.cardType) {
    case 'bazi_chart':
      return <ChartCard {...(card as ChartData)} />
    case 'bazi_kline':
      return <KlineCard {...(card as KlineData)} />
    case 'collect_form':
      return <InfoRequestForm {...(card as FormCard)} send={send} />
    case 'question':
      return <Question {...(card as QuestionCard)} send={send} />
    case 'insight_card':
      return <Insights {...(card as InsightCard)} />
    case 'memory_saved':
      return <p className="remembered">{card.status === 'error' ? card.text : `✓ ${card.text}`}</p>
    case 'need_info':
    case 'skill_switch':
      return null
    default:
      return <Other text={card.text ?? card.error ?? ''} />
  }
}

/** An action that cannot be undone needs the user's approval. The text before it describes it. */
function YesOrNo({ question, answer }: { question: Consent; answer: Answer | undefined }) {
  return (
    <p className="choices">
      <button disabled={!answer} onClick={() => answer?.(question, true)}>
        好 · Yes
      </button>
      <button disabled={!answer} onClick={() => answer?.(question, false)}>
        不要 · No
      </button>
    </p>
  )
}

/** A card without a view of its own: its text says the same. */
function Other({ text }: { text: string }) {
  if (text === '') return null
  return (
    <details className="card">
      <summary>{text.split('\n')[0]}</summary>
      <p>{text}</p>
    </details>
  )
}

function Insights({ insights }: InsightCard) {
  return (
    <section className="card insights">
      {insights.map(({ id, title, content }) => (
        <div key={id}>
          <h3>{title}</h3>
          <p>{content}</p>
        </div>
      ))}
    </section>
  )
}

function Question({ question, options, send }: QuestionCard & CardProps) {
  return (
    <section className="card">
      <p>{question}</p>
      <p className="choices">
        {options.map((option) => (
          <button key={option} disabled={!send} onClick={() => send?.(option)}>
            {option}
          </button>
        ))}
      </p>
    </section>
  )
}

/** The values are sent with the next message, and are stored before the answer starts. */
function InfoRequestForm({ infoType, question, fields, send }: FormCard & CardProps) {
  return (
    <form
      className="card"
      // Not a form action: after an action React resets the fields, and a refused form must keep its values.
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const values = Object.fromEntries(fields.map(({ id }) => [id, form.get(id) as string]))
        const answers = fields.map(({ id, label, options }) => {
          const value = options?.find((option) => option.value === values[id])?.label ?? values[id]
          return value ? [`${label}: ${value}`] : []
        })
        send?.(answers.flat().join('\n'), { info_type: infoType, ...values })
      }}
    >
      {question && <p>{question}</p>}
      {fields.map(({ id, label, type, required, placeholder, options }) => (
        <label key={id}>
          <span>{label}</span>
          {type === 'select' ? (
            <select name={id} required={required} defaultValue="">
              {/* Nothing is chosen for anybody. */}
              <option value="">{placeholder}</option>
              {(options ?? []).map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          ) : type === 'textarea' ? (
            <textarea name={id} required={required} placeholder={placeholder} rows={3} />
          ) : (
            // A text field: 农历1990年四月廿一, 未时 and “2:30 pm” are all valid, and no date picker knows them.
            <input name={id} type="text" required={required} placeholder={placeholder} />
          )}
        </label>
      ))}
      <button disabled={!send}>填好了 · Done</button>
    </form>
  )
}
