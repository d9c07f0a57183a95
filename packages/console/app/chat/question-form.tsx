import { useState, type FormEvent } from 'react'

import { useAnswer } from '../api/queries.ts'
import type { Answer, Json } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'

type QuestionFormProps = {
  /** The id of the run, or of its message. */
  readonly runId: string
  readonly callId: string
  readonly kind: 'approval' | 'output'
}

/** Answers what a tool call waits for. */
export function QuestionForm({ runId, callId, kind }: QuestionFormProps) {
  const { mutate, isPending, isSuccess, error } = useAnswer()
  const answer = (to: Answer): void => mutate({ runId, callId, answer: to })
  const isDisabled = isPending || isSuccess
  return (
    <div className="question">
      {kind === 'approval' ? (
        <ApprovalForm onAnswer={answer} isDisabled={isDisabled} />
      ) : (
        <OutputForm onAnswer={answer} isDisabled={isDisabled} />
      )}
      {error && (
        <p className="notice error" role="alert">
          {error.message}
        </p>
      )}
    </div>
  )
}

type FormProps = { readonly onAnswer: (answer: Answer) => void; readonly isDisabled: boolean }

function ApprovalForm({ onAnswer, isDisabled }: FormProps) {
  const { t } = useTranslate()
  const [reason, setReason] = useState('')
  const approve = (approved: boolean): void =>
    onAnswer({ kind: 'approval', approved, ...(reason.trim() !== '' && { reason: reason.trim() }) })
  return (
    <>
      <p>{t('question.approval')}</p>
      <div className="question-actions">
        <button type="button" className="button primary" disabled={isDisabled} onClick={() => approve(true)}>
          {t('question.approve')}
        </button>
        <button type="button" className="button danger" disabled={isDisabled} onClick={() => approve(false)}>
          {t('question.deny')}
        </button>
        <input
          className="field"
          aria-label={t('question.reason')}
          placeholder={t('question.reason')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </>
  )
}

function OutputForm({ onAnswer, isDisabled }: FormProps) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onAnswer({ kind: 'output', output: parseJson(text) })
  }
  return (
    <form onSubmit={submit}>
      <p>{t('question.output')}</p>
      <textarea
        className="field"
        rows={3}
        aria-label={t('question.outputField')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="question-actions">
        <button type="submit" className="button primary" disabled={isDisabled}>
          {t('question.answer')}
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isDisabled}
          onClick={() => onAnswer({ kind: 'error', message: t('question.refused') })}
        >
          {t('question.refuse')}
        </button>
      </div>
    </form>
  )
}

/** What is no JSON is a text. */
function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
