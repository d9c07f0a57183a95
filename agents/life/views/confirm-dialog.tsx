import type { ConsoleKit } from '@dragoman/console/view'
import { useState, type ReactNode } from 'react'

import { translatorOf } from './translator.ts'
import type { Refusal } from './use-save.ts'

type ConfirmDialogProps = {
  readonly kit: ConsoleKit
  readonly language: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** What the button says that does it. */
  readonly action: string
  readonly onConfirm: () => Promise<Refusal | undefined>
  readonly children: ReactNode
}

/** Asks before something is deleted for good. */
export function ConfirmDialog({ kit, language, children, ...props }: ConfirmDialogProps) {
  const { isOpen, onClose, title, action, onConfirm } = props
  const t = translatorOf(language)
  const [isPending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const confirm = async (): Promise<void> => {
    setPending(true)
    const refused = await onConfirm()
    setPending(false)
    setRefusal(refused)
    if (!refused) onClose()
  }
  return (
    <kit.Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {children}
      {refusal && (
        <p className="notice error" role="alert">
          {refusal.message}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button type="button" className="button danger" disabled={isPending} onClick={() => void confirm()}>
          {action}
        </button>
      </div>
    </kit.Dialog>
  )
}
