import { Paperclip, X } from 'lucide-react'

import type { FilePart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { IconButton } from '../ui/icon-button.tsx'

type AttachmentListProps = {
  readonly files: readonly FilePart[]
  readonly onRemove: (file: FilePart) => void
}

/** The files of a message that is being written. */
export function AttachmentList({ files, onRemove }: AttachmentListProps) {
  const { t } = useTranslate()
  if (files.length === 0) return null
  return (
    <ul className="attachments" aria-label={t('attachment.list')}>
      {files.map((file) => {
        const name = file.filename ?? file.mediaType
        return (
          <li key={file.url} className="attachment">
            {file.mediaType.startsWith('image/') ? (
              <img src={file.url} alt="" />
            ) : (
              <Paperclip size={14} aria-hidden />
            )}
            <span>{name}</span>
            <IconButton label={t('attachment.remove', { name })} onClick={() => onRemove(file)}>
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        )
      })}
    </ul>
  )
}
