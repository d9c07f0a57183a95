import { Activity, Pencil, RefreshCw } from 'lucide-react'
import { memo, useState } from 'react'
import { Link } from 'wouter'

import { textOf } from '../api/message-text.ts'
import { stopRun, useChangeThread, useIsGuest } from '../api/queries.ts'
import type { AssistantMessage, Message, UserMessage } from '../api/types.ts'
import { formatNumber } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { AssistantParts } from './assistant-parts.tsx'
import { FailureNotice } from './message-failure.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import { beginEdit, endEdit, hasEdit, MessageEditor } from './message-editor.tsx'
import { sendMessage } from './outbox.ts'
import { UserParts } from './user-parts.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { IconButton } from '../ui/icon-button.tsx'

type MessageViewProps = {
  readonly threadId: string
  readonly message: Message
  /** Whether its run waits for the run before it. */
  readonly isQueued: boolean
  /** Whether the thread takes a new message: no answer is being written. */
  readonly isIdle: boolean
}

/** A message with what can be done to it. */
export const MessageView = memo(({ threadId, message, isQueued, isIdle }: MessageViewProps) => (
  <ErrorBoundary failure={<MessageFailure message={message} />}>
    {message.role === 'user' ? (
      <UserMessageView threadId={threadId} message={message} isIdle={isIdle} />
    ) : (
      <AssistantMessageView threadId={threadId} message={message} isQueued={isQueued} isIdle={isIdle} />
    )}
  </ErrorBoundary>
))

/** A message that cannot be drawn, as its text. */
function MessageFailure({ message }: Pick<MessageViewProps, 'message'>) {
  const { t } = useTranslate()
  return (
    <article className={`message ${message.role}`}>
      <p className="notice error">{t('failure.message')}</p>
      <pre className="plain-text">{textOf(message)}</pre>
    </article>
  )
}

type UserProps = Pick<MessageViewProps, 'threadId' | 'isIdle'> & {
  readonly message: UserMessage & Partial<Message>
}

function UserMessageView({ threadId, message, isIdle }: UserProps) {
  const { t } = useTranslate()
  const [isEdited, setEdited] = useState(() => hasEdit(message.id))
  const finishEdit = (): void => {
    endEdit(message.id)
    setEdited(false)
  }
  if (isEdited)
    return (
      <MessageEditor
        messageId={message.id}
        onCancel={finishEdit}
        onSend={(text) => {
          finishEdit()
          const files = message.parts.filter(({ type }) => type === 'file')
          sendMessage({
            threadId,
            parts: [{ type: 'text', text }, ...files],
            policy: 'interrupt',
            replaces: message.id,
          })
        }}
      />
    )
  return (
    <article className="message user" aria-label={t('message.yours')}>
      <div className="bubble" dir="auto">
        <UserParts parts={message.parts} />
      </div>
      <footer className="message-actions">
        <Branches threadId={threadId} message={message} />
        <CopyButton text={textOf(message)} />
        {isIdle && (
          <IconButton
            label={t('message.edit')}
            onClick={() => {
              beginEdit(message.id, textOf(message))
              setEdited(true)
            }}
          >
            <Pencil size={15} aria-hidden />
          </IconButton>
        )}
      </footer>
    </article>
  )
}

type AssistantProps = Omit<MessageViewProps, 'message'> & {
  readonly message: AssistantMessage & Partial<Message>
}

function AssistantMessageView({ threadId, message, isQueued, isIdle }: AssistantProps) {
  const { t, language } = useTranslate()
  const isGuest = useIsGuest()
  const { status, usage } = message
  const isOver = status !== 'streaming' && status !== 'waiting'
  const answerAgain = (): void =>
    sendMessage({ threadId, parts: [], policy: 'interrupt', replaces: message.id })
  return (
    <article
      className="message assistant"
      data-testid="assistant-message"
      aria-label={t('message.answer')}
      aria-busy={status === 'streaming'}
    >
      <AssistantParts message={message} isQueued={isQueued} />
      {isQueued && (
        <button type="button" className="button small" onClick={() => void stopRun(message.id)}>
          {t('outgoing.withdraw')}
        </button>
      )}
      {message.failure && (
        <FailureNotice failure={message.failure} onRetry={isIdle ? answerAgain : undefined} />
      )}
      {status === 'cancelled' && <p className="quiet">{t('message.stopped')}</p>}
      {message.finishReason === 'step-limit' && <p className="quiet">{t('message.stepLimit')}</p>}
      {isOver && (
        <footer className="message-actions">
          <Branches threadId={threadId} message={message} />
          <CopyButton text={textOf(message)} />
          {isIdle && (
            <IconButton label={t('message.regenerate')} onClick={answerAgain}>
              <RefreshCw size={15} aria-hidden />
            </IconButton>
          )}
          {!isGuest && (
            <Link
              className="icon-button"
              href={`/console/inspect/${message.id}`}
              aria-label={t('message.inspect')}
              title={t('message.inspect')}
            >
              <Activity size={15} aria-hidden />
            </Link>
          )}
          {usage && (
            <span className="usage quiet" title={t('message.usageNote')}>
              {t('message.usage', {
                input: formatNumber(usage.inputTokens, language),
                output: formatNumber(usage.outputTokens, language),
              })}
            </span>
          )}
        </footer>
      )}
    </article>
  )
}

function Branches({ threadId, message }: { readonly threadId: string; readonly message: Partial<Message> }) {
  const { mutate } = useChangeThread()
  const { siblings = [], place = 1 } = message
  if (siblings.length < 2) return null
  return (
    <BranchSwitch
      place={place}
      count={siblings.length}
      onChoose={(to) => {
        const chosen = siblings[to - 1]
        if (chosen !== undefined) mutate({ id: threadId, change: { chosen } })
      }}
    />
  )
}
