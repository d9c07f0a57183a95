import { useCallback, useId, useState, type FormEvent } from 'react'

import { useAnswer } from '../api/queries.ts'
import type { Answer, Json, Preview } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { FormQuestion } from './form-question.tsx'
import { rejoinRuns } from './live-runs.ts'
import { parseJson } from './parse-json.ts'
import { QuestionInput } from './question-input.tsx'

type QuestionFormProps = {
  /** The id of the run, or of its message. */
  readonly runId: string
  readonly callId: string
  readonly kind: 'approval' | 'form' | 'output'
  readonly message?: string | undefined
  /** The JSON schema of a form. */
  readonly schema?: Json | undefined
  readonly preview?: Preview | undefined
  /** The input of the call: an approval counts for all of it. */
  readonly input: Json
}

/** Shows what a tool call does, and answers what a tool call waits for. */
export function QuestionForm({ runId, callId, kind, message, schema, preview, input }: QuestionFormProps) {
  const [isSeen, setSeen] = useState(false)
  const onSeen = useCallback(() => setSeen(true), [])
  const { mutate, isPending, isSuccess, error } = useAnswer()
  const answer = (to: Answer): void =>
    mutate({ runId, callId, answer: to }, { onSuccess: ({ run }) => rejoinRuns(run.threadId) })
  const isDisabled = isPending || isSuccess
  return (
    <div className="question">
      <QuestionInput input={input} preview={preview} onSeen={onSeen} />
      {kind === 'approval' ? (
        <ApprovalForm
          input={input}
          hasPreview={preview !== undefined}
          onAnswer={answer}
          isDisabled={isDisabled}
          isSeen={isSeen}
        />
      ) : kind === 'form' ? (
        <FormQuestion message={message} schema={schema} onAnswer={answer} isDisabled={isDisabled} />
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

type ApprovalFormProps = FormProps & {
  readonly input: Json
  readonly hasPreview: boolean
  readonly isSeen: boolean
}

/** What has not been in view as a whole cannot be allowed. What is edited is in view. */
function ApprovalForm({ input, hasPreview, onAnswer, isDisabled, isSeen }: ApprovalFormProps) {
  const { t } = useTranslate()
  const noteId = useId()
  const [reason, setReason] = useState('')
  const [edited, setEdited] = useState<string>()
  const approve = (approved: boolean): void =>
    onAnswer({
      kind: 'approval',
      approved,
      ...(approved && edited !== undefined && { input: parseJson(edited) }),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    })
  return (
    <>
      <p>{t('question.approval')}</p>
      {edited !== undefined && <EditedInput value={edited} hasPreview={hasPreview} onChange={setEdited} />}
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
        <button
          type="button"
          className="button"
          disabled={isDisabled}
          onClick={() => setEdited(edited === undefined ? JSON.stringify(input, null, 2) : undefined)}
        >
          {t(edited === undefined ? 'question.edit' : 'question.unedit')}
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

type EditedInputProps = {
  readonly value: string
  readonly hasPreview: boolean
  readonly onChange: (value: string) => void
}

function EditedInput({ value, hasPreview, onChange }: EditedInputProps) {
  const { t } = useTranslate()
  return (
    <>
      <textarea
        className="field"
        rows={6}
        aria-label={t('question.edited')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {hasPreview && <p className="quiet">{t('preview.edited')}</p>}
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
      <AnswerButtons
        isDisabled={isDisabled}
        refusal={t('question.refuse')}
        onRefuse={() => onAnswer({ kind: 'error', message: t('question.refused') })}
      />
    </form>
  )
}
