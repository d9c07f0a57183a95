import { Archive, ArchiveRestore, Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

import { useChangeThread } from '../api/queries.ts'
import type { Thread } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { Menu, MenuDownload, MenuItem, MenuSeparator } from '../ui/menu.tsx'

const RenameDialog = lazy(() =>
  import('./rename-dialog.tsx').then(({ RenameDialog: dialog }) => ({ default: dialog })),
)
const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then(({ DeleteDialog: dialog }) => ({ default: dialog })),
)

/** What can be done with a thread. */
export function ThreadMenu({ thread }: { readonly thread: Thread }) {
  const { t } = useTranslate()
  const { mutate } = useChangeThread()
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const close = (): void => setDialog(undefined)
  const exportUrl = `/v1/threads/${thread.id}/export`
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="icon-button"
            aria-label={t('thread.actions', { title: thread.title ?? t('thread.untitled') })}
          >
            <Ellipsis size={17} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setDialog('rename')}>
          {t('thread.rename')}
        </MenuItem>
        <MenuItem
          icon={
            thread.archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />
          }
          onSelect={() => mutate({ id: thread.id, change: { archived: !thread.archived } })}
        >
          {thread.archived ? t('thread.unarchive') : t('thread.archive')}
        </MenuItem>
        <MenuSeparator />
        <MenuDownload icon={<Download size={16} aria-hidden />} href={`${exportUrl}?format=markdown`}>
          {t('thread.exportMarkdown')}
        </MenuDownload>
        <MenuDownload icon={<Download size={16} aria-hidden />} href={exportUrl}>
          {t('thread.exportJson')}
        </MenuDownload>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={16} aria-hidden />} isDangerous onSelect={() => setDialog('delete')}>
          {t('thread.delete')}
        </MenuItem>
      </Menu>
      <Suspense>
        {dialog === 'rename' && <RenameDialog thread={thread} onClose={close} />}
        {dialog === 'delete' && <DeleteDialog thread={thread} onClose={close} />}
      </Suspense>
    </>
  )
}
