import { Paperclip, X } from 'lucide-react'

import type { FilePart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { kindOf, type FileKind } from './file-kinds.ts'
import { serverUrl } from '../api/server-url.ts'

type AttachmentListProps = {
  readonly files: readonly FilePart[]
  readonly onRemove: (file: FilePart) => void
}

/** The files of a message that is being written. */
export function AttachmentList({ files, onRemove }: AttachmentListProps) {
  const { t } = useTranslate()
  if (files.length === 0) return null
  return (
    <>
      <ul className="attachments" aria-label={t('attachment.list')}>
        {files.map((file, index) => {
          const name = file.filename ?? file.mediaType
          return (
            // The same file may be attached twice.
            <li key={`${file.url} ${index}`} className="attachment">
              {kindOf(file.mediaType) === 'image' ? (
                <img src={serverUrl(file.url)} alt="" />
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
      <UnreadNote files={files} />
    </>
  )
}

/** Says of files that a model cannot read that it cannot, before they are sent. */
function UnreadNote({ files }: { readonly files: readonly FilePart[] }) {
  const { t } = useTranslate()
  const namesOf = (kind: FileKind): string =>
    files
      .filter(({ mediaType }) => kindOf(mediaType) === kind)
      .map(({ filename, mediaType }) => filename ?? mediaType)
      .join(', ')
  const [others, media] = [namesOf('other'), namesOf('media')]
  return (
    <div role="status">
      {others !== '' && <p className="notice calm">{t('attachment.unread', { names: others })}</p>}
      {media !== '' && <p className="notice calm">{t('attachment.media', { names: media })}</p>}
    </div>
  )
}
