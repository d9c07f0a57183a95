import { TriangleAlert, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'

import type { FileChange } from '../src/changes/file-change.ts'
import type { PanelPart } from './panel-part.ts'
import { LineCounts } from './diff-view.tsx'
import { RevertDialog } from './revert-dialog.tsx'

type ChangesSectionProps = PanelPart & {
  readonly changes: readonly FileChange[]
  readonly showChange: (path: string) => void
}

/** The files that the conversation has changed. */
export function ChangesSection({ kit, t, base, changes, showChange }: ChangesSectionProps) {
  const [reverting, setReverting] = useState<readonly FileChange[]>()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {t('changes.title')}
        </h2>
        {changes.length > 1 && (
          <button type="button" className="button" onClick={() => setReverting(changes)}>
            {t('changes.revertAll')}
          </button>
        )}
      </header>
      {changes.length === 0 && <p className="quiet">{t('changes.empty')}</p>}
      <ul className="coding-changes">
        {changes.map((change) => (
          <li key={change.path}>
            <button type="button" className="coding-row" onClick={() => showChange(change.path)}>
              <span>{change.path}</span>
              {change.changedByOthers && (
                <TriangleAlert size={15} role="img" aria-label={t('changes.others')} />
              )}
              <span className={`coding-badge ${change.state}`}>{t(`state.${change.state}`)}</span>
              <LineCounts {...change} t={t} />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={t('changes.revert', { path: change.path })}
              title={t('changes.revert', { path: change.path })}
              onClick={() => setReverting([change])}
            >
              <Undo2 size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <p className="coding-hint">{t('changes.commands')}</p>
      {reverting && (
        <RevertDialog
          {...{ kit, t, base, showChange }}
          changes={reverting}
          isAll={reverting === changes || reverting.length > 1}
          onClose={() => setReverting(undefined)}
          onReverted={() => heading.current?.focus()}
        />
      )}
    </section>
  )
}
