import { visibleText } from '@dragoman/client/visible-text'
import { Ban, Check, CircleAlert, CircleHelp, LoaderCircle, Square } from 'lucide-react'
import { lazy, Suspense } from 'react'

import type { AssistantPart, Json } from '../api/types.ts'
import { useTranslate, type MessageKey } from '../i18n/translate.tsx'
import { KeptDetails } from '../ui/kept-details.tsx'
import { AgentCard, useAgentCard } from '../views/agent-card.tsx'
import { QuestionForm } from './question-form.tsx'
import { resultText } from './result-text.ts'
import './tool-card.css'

const JsonView = lazy(() => import('../ui/json-view.tsx').then(({ JsonView: view }) => ({ default: view })))

export type ToolPart = Extract<AssistantPart, { type: 'tool' }>

type Look = { readonly icon: typeof Check; readonly label: MessageKey; readonly tone: string }

/** One tool call: its state, and on demand its input and its result. */
export function ToolCard({ part, messageId }: { readonly part: ToolPart; readonly messageId: string }) {
  const { t } = useTranslate()
  const { icon: Icon, label, tone } = lookOf(part)
  const result = part.output ?? part.progress
  const isOpenQuestion = part.state === 'asked'
  const view = useAgentCard(part)
  return (
    <section className={`card tool ${tone}`} aria-label={`${part.tool}: ${t(label)}`}>
      <KeptDetails id={`${messageId} ${part.callId}`}>
        <summary>
          <Icon size={16} className={tone === 'active' ? 'spin' : ''} aria-hidden />
          <strong>{part.tool}</strong>
          <span className="tool-input quiet">{visibleText(summaryOf(part))}</span>
          <span className="tool-state quiet">{t(label)}</span>
        </summary>
        <Suspense fallback={<p className="quiet">…</p>}>
          <Labelled label={t('tool.input')} value={part.input ?? part.inputText} />
          {result !== undefined && (
            <Labelled
              label={t(part.output === undefined ? 'tool.progress' : 'tool.result')}
              value={resultText(result)}
            />
          )}
        </Suspense>
      </KeptDetails>
      {view && <AgentCard view={view} part={part} />}
      {part.failure && tone !== 'stopped' && <p className="tool-failure">{part.failure.message}</p>}
      {isOpenQuestion && part.question && (
        <QuestionForm
          runId={messageId}
          callId={part.callId}
          kind={part.question.kind}
          message={part.question.message}
          schema={part.question.schema}
          preview={part.question.preview}
          input={part.input ?? null}
        />
      )}
    </section>
  )
}

function Labelled({ label, value }: { readonly label: string; readonly value: Json }) {
  return (
    <div className="tool-value">
      <h4>{label}</h4>
      <JsonView value={value} />
    </div>
  )
}

/** The first short texts of the input, on one line. */
function summaryOf({ input, inputText }: ToolPart): string {
  if (typeof input !== 'object' || input === null) return inputText.slice(0, 120)
  return Object.entries(input)
    .flatMap(([name, value]) =>
      name !== 'language' && (typeof value === 'string' || typeof value === 'number') ? [value] : [],
    )
    .join(' · ')
    .slice(0, 120)
}

function lookOf({ state, failure }: ToolPart): Look {
  switch (state) {
    case 'input':
      return { icon: LoaderCircle, label: 'tool.preparing', tone: 'active' }
    case 'called':
    case 'answered':
    case 'executing':
      return { icon: LoaderCircle, label: 'tool.running', tone: 'active' }
    case 'asked':
      return { icon: CircleHelp, label: 'tool.waiting', tone: 'asked' }
    case 'returned':
      return { icon: Check, label: 'tool.done', tone: 'done' }
    case 'failed':
      if (failure?.code === 'aborted') return { icon: Square, label: 'tool.stopped', tone: 'stopped' }
      return failure?.code === 'denied'
        ? { icon: Ban, label: 'tool.denied', tone: 'failed' }
        : { icon: CircleAlert, label: 'tool.failed', tone: 'failed' }
  }
}
