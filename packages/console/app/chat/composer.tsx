import { ArrowUp, Square } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'

import { stopThread } from '../api/queries.ts'
import type { UserPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { AttachmentList } from './attachment-list.tsx'
import { BusyChoice } from './busy-choice.tsx'
import { FileButton } from './file-button.tsx'
import { sendMessage, type BusyPolicy } from './outbox.ts'
import { sendsMessage } from './sends-message.ts'
import { useDroppedFiles } from './use-dropped-files.ts'
import { useMessageDraft, type MessageDraft } from './use-message-draft.ts'
import { IconButton } from '../ui/icon-button.tsx'

type ComposerProps = {
  /** Undefined: the first message opens a thread. */
  readonly threadId: string | undefined
  readonly isBusy: boolean
  /** Opens a thread for the first message. */
  readonly onFirstMessage?: (parts: readonly UserPart[]) => Promise<void>
  /** Further choices for the message. */
  readonly children?: ReactNode
}

/** The field for a message, its attachments, and the buttons that send it or stop the answer. */
export function Composer({ threadId, isBusy, onFirstMessage, children }: ComposerProps) {
  const { t } = useTranslate()
  const [policy, setPolicy] = useState<BusyPolicy>('enqueue')
  const draft = useMessageDraft(threadId, (parts) => {
    if (threadId === undefined) return onFirstMessage?.(parts)
    return sendMessage({ threadId, parts, policy: isBusy ? policy : 'reject' })
  })
  const { files, problem, isEmpty, isAttaching, addFiles, removeFile, submit } = draft
  const isDropTarget = useDroppedFiles(addFiles)
  return (
    <form
      className={isDropTarget ? 'composer drop-target' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {problem !== undefined && (
        <p className="notice error" role="alert">
          {problem}
        </p>
      )}
      <AttachmentList files={files} onRemove={removeFile} />
      {isAttaching && (
        <p className="quiet" role="status">
          {t('attachment.attaching')}
        </p>
      )}
      <MessageField draft={draft} />
      <div className="composer-actions">
        <FileButton onFiles={addFiles} />
        {children}
        {isBusy && !isEmpty && <BusyChoice policy={policy} onChoose={setPolicy} />}
        <span className="spacer" />
        {isBusy && threadId !== undefined && <StopButton threadId={threadId} />}
        {(!isBusy || !isEmpty) && <SendButton isDisabled={isEmpty || isAttaching} />}
      </div>
    </form>
  )
}

function MessageField({ draft }: { readonly draft: MessageDraft }) {
  const { t } = useTranslate()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!sendsMessage(event)) return
    event.preventDefault()
    draft.submit()
  }
  return (
    <textarea
      data-testid="chat-input"
      rows={1}
      dir="auto"
      value={draft.text}
      placeholder={t('chat.placeholder')}
      aria-label={t('chat.placeholder')}
      autoFocus
      onChange={(event) => draft.setText(event.target.value)}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        const { files } = event.clipboardData
        if (files.length === 0) return
        event.preventDefault()
        draft.addFiles([...files])
      }}
    />
  )
}

function StopButton({ threadId }: { readonly threadId: string }) {
  const { t } = useTranslate()
  return (
    <IconButton
      className="stop"
      testId="stop-button"
      label={t('chat.stop')}
      onClick={() => void stopThread(threadId)}
    >
      <Square size={14} fill="currentColor" aria-hidden />
    </IconButton>
  )
}

function SendButton({ isDisabled }: { readonly isDisabled: boolean }) {
  const { t } = useTranslate()
  return (
    <IconButton
      kind="submit"
      className="send"
      testId="send-button"
      label={t('chat.send')}
      isDisabled={isDisabled}
    >
      <ArrowUp size={18} aria-hidden />
    </IconButton>
  )
}
