import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'

import type { Translate } from './texts.ts'

type ViewHeaderProps = {
  readonly path: string
  readonly t: Translate
  readonly close: () => void
  readonly children?: ReactNode
}

/** The name of the file that is shown, and the way back. */
export function ViewHeader({ path, t, close, children }: ViewHeaderProps) {
  return (
    <header>
      <button type="button" className="icon-button" aria-label={t('back')} title={t('back')} onClick={close}>
        <ArrowLeft size={18} aria-hidden />
      </button>
      <h2 className="coding-path">{path}</h2>
      {children}
    </header>
  )
}
