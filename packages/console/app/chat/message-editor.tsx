import { useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'

type MessageEditorProps = {
  readonly text: string
  readonly onCancel: () => void
  readonly onSend: (text: string) => void
}

/** Edits a message in its place. Sending begins a branch. */
export function MessageEditor({ text, onCancel, onSend }: MessageEditorProps) {
  const { t } = useTranslate()
  const [value, setValue] = useState(text)
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
        value={value}
        autoFocus
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
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
