import { Paperclip } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

import type { FilePart, UserPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { kindOf } from './file-kinds.ts'
import { serverUrl } from '../api/server-url.ts'

const Dialog = lazy(() => import('../ui/dialog.tsx').then(({ Dialog: dialog }) => ({ default: dialog })))

/** What a user has said and attached. */
export function UserParts({ parts }: { readonly parts: readonly UserPart[] }) {
  return parts.map((part, index) => {
    // The parts of a message never change their order.
    const key = `${part.type} ${index}`
    if (part.type === 'text') return <p key={key}>{part.text}</p>
    return kindOf(part.mediaType) === 'image' ? (
      <AttachedImage key={key} file={part} />
    ) : (
      <AttachedFile key={key} file={part} />
    )
  })
}

/** An image, which a click enlarges. */
function AttachedImage({ file }: { readonly file: FilePart }) {
  const { t } = useTranslate()
  const [isOpen, setOpen] = useState(false)
  const name = file.filename ?? file.mediaType
  return (
    <>
      <button
        type="button"
        className="image-button"
        aria-label={t('attachment.enlarge', { name })}
        onClick={() => setOpen(true)}
      >
        <img className="attached-image" src={serverUrl(file.url)} alt={name} />
      </button>
      {isOpen && (
        <Suspense>
          <Dialog kind="picture" isOpen title={name} onClose={() => setOpen(false)}>
            <img src={serverUrl(file.url)} alt={name} />
          </Dialog>
        </Suspense>
      )}
    </>
  )
}

/** A file: a PDF opens in a tab of its own, others are downloads. */
function AttachedFile({ file }: { readonly file: FilePart }) {
  const { t } = useTranslate()
  const { url, mediaType, filename } = file
  const name = filename ?? mediaType
  const label = (
    <>
      <Paperclip size={14} aria-hidden />
      <span>{name}</span>
    </>
  )
  if (kindOf(mediaType) === 'pdf')
    return (
      <button
        type="button"
        className="attachment"
        aria-label={t('attachment.open', { name })}
        onClick={() => void openPdf(url)}
      >
        {label}
      </button>
    )
  return (
    <a
      className="attachment"
      href={serverUrl(url)}
      download={name}
      aria-label={t('attachment.download', { name })}
    >
      {label}
    </a>
  )
}

/** The server sends files as downloads. As a PDF, nothing of one can run in this page. */
async function openPdf(url: string): Promise<void> {
  const bytes = await (await fetch(serverUrl(url))).blob()
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
  window.open(address, '_blank', 'noopener')
}
