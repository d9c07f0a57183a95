import { useState } from 'react'

import type { FileChange } from '../src/changes/file-change.ts'
import type { PanelPart } from './panel-part.ts'
import { DiffView } from './diff-view.tsx'
import { parseDiff } from './parse-diff.ts'
import { RevertDialog } from './revert-dialog.tsx'
import { ViewHeader } from './view-header.tsx'

type ChangedFile = FileChange & { readonly diff: string; readonly truncated: boolean }

type ChangeViewProps = PanelPart & {
  readonly path: string
  readonly changes: readonly FileChange[]
  readonly close: () => void
}

/** What the conversation has changed in one file. */
export function ChangeView({ kit, t, base, path, changes, close }: ChangeViewProps) {
  const address = `${base}/changes/file?path=${encodeURIComponent(path)}`
  const { data, error } = kit.useJson<ChangedFile>(address)
  const [isReverting, setIsReverting] = useState(false)
  const change = changes.find((each) => each.path === path)
  const file = data?.path === path ? data : undefined
  const lines = parseDiff(file?.diff ?? '')
  return (
    <section>
      <ViewHeader path={path} t={t} close={close}>
        {change && (
          <button type="button" className="button" onClick={() => setIsReverting(true)}>
            {t('revert.do')}
          </button>
        )}
      </ViewHeader>
      {change?.changedByOthers === true && <p className="notice">{file?.problem ?? t('changes.others')}</p>}
      {error && <p className="notice error">{error.message}</p>}
      {!file && !error && <p className="quiet">{t('loading')}</p>}
      {file && lines.length > 0 && (
        <DiffView key={file.diff} path={path} lines={lines} isCut={file.truncated} t={t} />
      )}
      {file && lines.length === 0 && file.truncated && <p className="quiet">{t('diff.binary')}</p>}
      {isReverting && change && (
        <RevertDialog
          {...{ kit, t, base }}
          changes={[change]}
          isAll={false}
          showChange={() => setIsReverting(false)}
          onClose={() => setIsReverting(false)}
          onReverted={close}
        />
      )}
    </section>
  )
}
