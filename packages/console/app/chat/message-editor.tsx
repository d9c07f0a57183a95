import { useTranslate } from '../i18n/translate.tsx'
import { sendsMessage } from './sends-message.ts'
import { readDraft, useDraft, writeDraft } from './use-draft.ts'

type MessageEditorProps = {
  readonly messageId: string
  readonly onCancel: () => void
  readonly onSend: (text: string) => void
}

function placeOf(messageId: string): string {
  return `edit.${messageId}`
}

/** Whether an edit of a message was begun and neither sent nor cancelled, also before a reload. */
export function hasEdit(messageId: string): boolean {
  return readDraft(placeOf(messageId)) !== ''
}

export function beginEdit(messageId: string, text: string): void {
  writeDraft(placeOf(messageId), text)
}

export function endEdit(messageId: string): void {
  writeDraft(placeOf(messageId), '')
}

/** Edits a message in its place. Sending begins a branch. */
export function MessageEditor({ messageId, onCancel, onSend }: MessageEditorProps) {
  const { t } = useTranslate()
  const [value, setValue] = useDraft(placeOf(messageId))
  const isEmpty = value.trim() === ''
  return (
    <form
      className="message-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) onSend(value)
      }}
    >
      <textarea
        className="field"
        aria-label={t('message.edit')}
        rows={4}
        dir="auto"
        value={value}
        autoFocus
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (!sendsMessage(event)) return
          event.preventDefault()
          if (!isEmpty) onSend(value)
        }}
      />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button type="submit" className="button primary" disabled={isEmpty}>
          {t('chat.send')}
        </button>
      </div>
    </form>
  )
}
