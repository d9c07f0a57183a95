import * as RadixDialog from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import './dialog.css'

type DialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** `drawer` slides in from the left edge, `picture` fills the window. */
  readonly kind?: 'dialog' | 'drawer' | 'picture'
}

export function Dialog({ isOpen, onClose, title, children, kind = 'dialog' }: DialogProps) {
  const { t } = useTranslate()
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="dialog-overlay" />
        <RadixDialog.Content className={kind} aria-describedby={undefined}>
          <RadixDialog.Title className={kind === 'dialog' ? 'dialog-title' : 'visually-hidden'}>
            {title}
          </RadixDialog.Title>
          {children}
          <RadixDialog.Close className="icon-button dialog-close" aria-label={t('close')}>
            <X size={18} aria-hidden />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
