import { useState } from 'react'

import { useChangeThread } from '../api/queries.ts'
import type { Thread } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from '../ui/dialog.tsx'

const MAX_TITLE_LENGTH = 200

export function RenameDialog({ thread, onClose }: { readonly thread: Thread; readonly onClose: () => void }) {
  const { t } = useTranslate()
  const { mutate, error, isPending } = useChangeThread()
  const [title, setTitle] = useState(thread.title ?? '')
  return (
    <Dialog isOpen title={t('thread.rename')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ id: thread.id, change: { title: title.trim() } }, { onSuccess: onClose })
        }}
      >
        <input
          className="field"
          aria-label={t('thread.name')}
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          onChange={(event) => setTitle(event.target.value)}
        />
        {error && <p role="alert">{error.message}</p>}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="button primary" disabled={title.trim() === '' || isPending}>
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
