import { useState } from 'react'

import type { FileChange } from '../src/changes/file-change.ts'
import type { PanelPart } from './panel-part.ts'

type RevertDialogProps = PanelPart & {
  /** Those that are reverted. */
  readonly changes: readonly FileChange[]
  readonly isAll: boolean
  readonly showChange: (path: string) => void
  readonly onClose: () => void
  /** Called once the files are reverted and the dialog is closed. */
  readonly onReverted: () => void
}

/** Asks before files are reverted, and again if something else has changed them as well. */
export function RevertDialog(props: RevertDialogProps) {
  const { kit, t, base, changes, isAll, showChange, onClose, onReverted } = props
  const [mixed, setMixed] = useState(
    changes.filter((change) => change.changedByOthers).map(({ path }) => path),
  )
  const [error, setError] = useState<string>()
  const [isReverting, setIsReverting] = useState(false)
  const [first] = changes
  const revert = async (): Promise<void> => {
    setIsReverting(true)
    try {
      const target = isAll ? { all: true } : { path: first?.path }
      await kit.request(`${base}/revert`, { method: 'POST', body: { ...target, force: mixed.length > 0 } })
      onClose()
      await kit.refresh(base)
      onReverted()
    } catch (cause) {
      setIsReverting(false)
      if (codeOf(cause) === 'conflict') setMixed(changes.map(({ path }) => path))
      else setError(cause instanceof Error ? cause.message : String(cause))
      await kit.refresh(base)
    }
  }
  const text =
    isAll || !first ? t('revert.all', { count: changes.length }) : t(revertKey(first), { path: first.path })
  return (
    <kit.Dialog isOpen onClose={onClose} title={t('revert.title')}>
      <p>{text}</p>
      {mixed.length > 0 && <p className="notice">{t('revert.others', { path: mixed.join(', ') })}</p>}
      {error !== undefined && <p className="notice error">{error}</p>}
      <div className="coding-actions">
        {!isAll && first && mixed.length > 0 && (
          <button
            type="button"
            className="button"
            onClick={() => {
              onClose()
              showChange(first.path)
            }}
          >
            {t('revert.diff')}
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          {t('revert.cancel')}
        </button>
        <button type="button" className="button danger" disabled={isReverting} onClick={() => void revert()}>
          {t(mixed.length > 0 ? 'revert.force' : 'revert.do')}
        </button>
      </div>
    </kit.Dialog>
  )
}

function revertKey({ state }: FileChange): 'revert.created' | 'revert.deleted' | 'revert.edited' {
  if (state === 'created') return 'revert.created'
  return state === 'deleted' ? 'revert.deleted' : 'revert.edited'
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
