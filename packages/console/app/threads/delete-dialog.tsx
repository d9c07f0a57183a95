import { useLocation } from 'wouter'

import { useDeleteThread } from '../api/queries.ts'
import type { Thread } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from '../ui/dialog.tsx'

export function DeleteDialog({ thread, onClose }: { readonly thread: Thread; readonly onClose: () => void }) {
  const { t } = useTranslate()
  const [location, navigate] = useLocation()
  const { mutate, error, isPending } = useDeleteThread()
  const onSuccess = (): void => {
    onClose()
    if (location.endsWith(thread.id)) navigate('/')
  }
  return (
    <Dialog isOpen title={t('thread.deleteTitle')} onClose={onClose}>
      <p>{t('thread.deleteNote', { title: thread.title ?? t('thread.untitled') })}</p>
      {error && <p role="alert">{error.message}</p>}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isPending}
          onClick={() => mutate(thread.id, { onSuccess })}
        >
          {t('thread.delete')}
        </button>
      </div>
    </Dialog>
  )
}
