import { useCallback, useId, useState, type FormEvent } from 'react'

import { useAnswer } from '../api/queries.ts'
import type { Answer, Json } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { QuestionInput } from './question-input.tsx'

type QuestionFormProps = {
  /** The id of the run, or of its message. */
  readonly runId: string
  readonly callId: string
  readonly kind: 'approval' | 'output'
  /** The input of the call: an approval counts for all of it. */
  readonly input: Json
}

/** Shows what a tool call does, and answers what a tool call waits for. */
export function QuestionForm({ runId, callId, kind, input }: QuestionFormProps) {
  const [isSeen, setSeen] = useState(false)
  const onSeen = useCallback(() => setSeen(true), [])
  const { mutate, isPending, isSuccess, error } = useAnswer()
  const answer = (to: Answer): void => mutate({ runId, callId, answer: to })
  const isDisabled = isPending || isSuccess
  return (
    <div className="question">
      <QuestionInput input={input} onSeen={onSeen} />
      {kind === 'approval' ? (
        <ApprovalForm onAnswer={answer} isDisabled={isDisabled} isSeen={isSeen} />
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

/** What has not been in view as a whole cannot be allowed. */
function ApprovalForm({ onAnswer, isDisabled, isSeen }: FormProps & { readonly isSeen: boolean }) {
  const { t } = useTranslate()
  const noteId = useId()
  const [reason, setReason] = useState('')
  const approve = (approved: boolean): void =>
    onAnswer({ kind: 'approval', approved, ...(reason.trim() !== '' && { reason: reason.trim() }) })
  return (
    <>
      <p>{t('question.approval')}</p>
      <p className="visually-hidden" id={noteId} role="status">
        {t(isSeen ? 'question.seen' : 'question.unseen')}
      </p>
      <div className="question-actions">
        <button
          type="button"
          className="button primary"
          disabled={isDisabled || !isSeen}
          title={isSeen ? undefined : t('question.unseen')}
          aria-describedby={noteId}
          onClick={() => approve(true)}
        >
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
