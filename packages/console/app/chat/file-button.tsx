import { Paperclip } from 'lucide-react'
import { useRef } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ACCEPTED } from './file-kinds.ts'

/** Opens the system's dialog for files. */
export function FileButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton label={t('attachment.add')} onClick={() => input.current?.click()}>
        <Paperclip size={17} aria-hidden />
      </IconButton>
    </>
  )
}
