import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { IconButton } from './icon-button.tsx'

const CONFIRMATION_MS = 1500

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { t } = useTranslate()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const name = isCopied ? t('copied') : (label ?? t('copy'))
  return (
    <IconButton label={name} onClick={() => void copyText(text).then(() => setCopied(true))}>
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
    </IconButton>
  )
}

/** Pages without TLS have no clipboard of their own. */
async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
